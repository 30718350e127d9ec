import { sql, type RawBuilder } from 'kysely';

/**
 * What a purchase `p` may still cost although its definite answer never came: its estimate, until a late answer says. A
 * closed one whose key the provider honours is charged with its successor, under the same key, and only there (spec 40); of
 * several closed ones that nobody knows the cost of, with the last.
 */
export const atRiskUsd: RawBuilder<string> = sql<string>`
  CASE
    WHEN p.status = 'in_doubt' THEN COALESCE(p.cost_usd, p.estimated_cost_usd)
    WHEN p.status = 'closed' AND p.key_honoured AND EXISTS (
      SELECT FROM purchase AS q
      WHERE q.project_id = p.project_id AND q.episode_id = p.episode_id AND q.step_id = p.step_id
        AND q.request_hash = p.request_hash AND q.generation = p.generation
        AND q.idempotency_key = p.idempotency_key AND q.id <> p.id
        AND (q.status IN ('sent', 'settled', 'invalid', 'refused')
          OR (q.status = 'closed' AND q.cost_usd IS NULL AND (q.created_at, q.id) > (p.created_at, p.id)))) THEN 0
    WHEN p.status = 'closed' THEN COALESCE(p.cost_usd, p.estimated_cost_usd)
    ELSE 0
  END`;

/** What was charged for a purchase `p`, by its definite answer. */
export const chargedUsd: RawBuilder<string> = sql<string>`
  CASE WHEN p.status IN ('settled', 'invalid', 'refused') THEN COALESCE(p.cost_usd, 0) ELSE 0 END`;

/** What is reserved for a purchase `p` whose answer is awaited. */
export const reservedUsd: RawBuilder<string> = sql<string>`
  CASE WHEN p.status = 'sent' THEN p.estimated_cost_usd ELSE 0 END`;
