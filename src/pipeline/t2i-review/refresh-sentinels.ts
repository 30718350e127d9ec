import { AppError, type ErrorCode } from '../../domain/errors';
import type { Json } from '../../domain/json';
import { hashOf } from '../../hash';
import { entitySentinelSchema } from '../entity-t2i/schema';
import { shotSentinelSchema } from '../scene-detail/schema';
import { describePosition, type Position } from './positions';
import { entryAt, replaceEntry, type VictimBodies } from './victims';

/** Who wrote the prompt, as the sentinel says it. */
export const MUTATION_ORIGIN = 't2i_review';

/**
 * Refreshes the sentinels at the given positions: `t2i_prompt_hash` only, and who did it; the other hashes stay (spec 20, "Editor steps",
 * 3). Pure. Throws t2i_review.sentinel_refresh_failed with the inner code and the position in its message; then nothing may be saved.
 */
export function refreshSentinels(bodies: VictimBodies, positions: readonly Position[]): VictimBodies {
  return positions.reduce(refreshOne, bodies);
}

function refreshOne(bodies: VictimBodies, position: Position): VictimBodies {
  const entry = entryAt(bodies, position);
  if (!entry) throw refused('t2i_review.unknown_item_id', position, 'there is no such position');
  const prompt = entry['t2i_prompt'];
  if (typeof prompt !== 'string') throw refused('step.contract_violation', position, 'it has no prompt');
  const stored = entry['owned_validation'];
  if (stored === undefined || stored === null)
    throw refused('t2i_review.owned_validation_missing', position, 'it has no owned_validation');
  const shape = (position.step === 'entity_t2i' ? entitySentinelSchema : shotSentinelSchema).safeParse(stored);
  if (!shape.success)
    throw refused(
      'step.contract_violation',
      position,
      `owned_validation.${shape.error.issues[0]?.path.join('.') ?? ''} is misshapen`,
    );
  const sentinel = {
    ...(stored as { readonly [key: string]: Json }),
    t2i_prompt_hash: hashOf(prompt),
    _mutation_origin: MUTATION_ORIGIN,
  };
  return replaceEntry(bodies, position, { ...entry, owned_validation: sentinel });
}

function refused(inner: ErrorCode, position: Position, why: string): AppError {
  return new AppError('t2i_review.sentinel_refresh_failed', `${inner} at ${describePosition(position)}: ${why}.`);
}
