import type { Tx } from '../db/pool';
import { canonicalJson } from '../domain/canonical';
import type { StepKey } from '../ledger/key';
import { toCheckpoint } from './checkpoints';

/**
 * Of a body that a step's checkpoint has or had: the body as the step itself made it, before any editor changed it. Steps
 * between a victim and its editor read that one (spec 20 "Editor steps"). A body that no version has is taken as made.
 */
export async function bodiesAsMade(tx: Tx, key: StepKey): Promise<(body: unknown) => unknown> {
  const rows = await tx
    .selectFrom('checkpoint')
    .selectAll()
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .orderBy('version')
    .execute();
  const made = new Map<string, unknown>();
  let before: unknown;
  for (const { body, writtenBy } of rows.map(toCheckpoint)) {
    const name = canonicalJson(body);
    // An edit goes back to what it was made from; a restored version to what it was when it first stood.
    if (!made.has(name)) made.set(name, writtenBy === key.stepId ? body : (made.get(canonicalJson(before)) ?? body));
    before = body;
  }
  return (body) => made.get(canonicalJson(body)) ?? body;
}
