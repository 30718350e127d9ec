import { SEARCH_ATTRIBUTES } from '../domain/names';
import type { TemporalConnection } from './connection';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;
const ALREADY_EXISTS = 6;

/** Registers the search attributes of spec 15 where the server lacks them; a server that forbids it must have them. */
export async function ensureSearchAttributes({ client, namespace }: TemporalConnection): Promise<void> {
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  try {
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS) return; // another worker was faster
    throw error;
  }
}
