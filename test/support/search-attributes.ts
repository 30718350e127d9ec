import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/domain/names';

const KEYWORD = 2;
const ALREADY_EXISTS = 6;

/** A server that was not started by us does not know the search attributes yet (spec 15). */
export async function addSearchAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '10 seconds' });
  try {
    await connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD])),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS)) throw error;
  } finally {
    await connection.close();
  }
}
