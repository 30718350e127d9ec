import { THE_ONE_ITEM } from '../../domain/steps';
import { readJsonAnswer } from '../answers/json-answer';
import type { ProviderAnswer, ReadAnswer } from '../definition';
import { shotDependencyAnswer, type LabelledShot } from './prompt';

/** The dependencies from a model's answer; a shot it leaves out depends on none. Only earlier shots may be named: else invalid. */
export function readShotDependency(answer: ProviderAnswer, shots: readonly LabelledShot[]): ReadAnswer {
  const parsed = readJsonAnswer(answer, shotDependencyAnswer);
  if (!parsed.ok) return parsed;
  const positions = new Map(shots.map(({ label }, position) => [label, position]));
  const found = new Map<number, { looks_like: string | null; reason: string }>();
  for (const { shot, looks_like: like, reason } of parsed.value.dependencies) {
    const position = positions.get(shot);
    const earlier = like === null ? undefined : positions.get(like);
    if (position === undefined || (like !== null && earlier === undefined))
      return {
        ok: false,
        reason: `The answer names the shot ${JSON.stringify((position === undefined ? shot : like!).slice(0, 40))}, which was not asked about.`,
        unknownItem: true,
      };
    if (earlier !== undefined && earlier >= position)
      return { ok: false, reason: `The answer makes shot ${shot} look like ${like!}, which is not earlier.` };
    if (found.has(position)) return { ok: false, reason: `The answer has the shot ${shot} twice.` };
    found.set(position, { looks_like: earlier === undefined ? null : shots[earlier]!.shotId, reason: reason.trim() });
  }
  const dependencies = shots.map(({ shotId }, position) => ({
    shot_id: shotId,
    ...(found.get(position) ?? { looks_like: null, reason: '' }),
  }));
  return { ok: true, results: { [THE_ONE_ITEM]: { dependencies } } };
}
