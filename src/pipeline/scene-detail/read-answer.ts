import type { Json } from '../../domain/json';
import { readJsonAnswer } from '../answers/json-answer';
import type { ProviderAnswer, ReadAnswer } from '../definition';
import type { SelectedScene } from '../shot-selection/schema';
import { sceneDetailAnswer, shotLabels } from './prompt';
import { sentinelOf } from './sentinel';

/** One result for each shot of the scene: its prompt and the sentinel. An answer that names a shot not asked about, or lacks one, is invalid. */
export function readSceneDetail(answer: ProviderAnswer, scene: SelectedScene): ReadAnswer {
  const parsed = readJsonAnswer(answer, sceneDetailAnswer);
  if (!parsed.ok) return parsed;
  const byLabel = new Map(shotLabels(scene).map((label, ordinal) => [label, scene.shots[ordinal]!]));
  const results: Record<string, Json> = {};
  for (const { shot: label, t2i_prompt: prompt } of parsed.value.variations) {
    const shot = byLabel.get(label);
    if (!shot)
      return {
        ok: false,
        reason: `The answer names the shot ${JSON.stringify(label.slice(0, 40))}, which was not asked about.`,
        unknownItem: true,
      };
    if (results[shot.shot_id] !== undefined) return { ok: false, reason: `The answer has the shot ${label} twice.` };
    results[shot.shot_id] = { t2i_prompt: prompt, owned_validation: sentinelOf(scene, shot, prompt) };
  }
  const absent = scene.shots.length - Object.keys(results).length;
  if (absent > 0) return { ok: false, reason: `The answer lacks ${absent} of ${scene.shots.length} shots.` };
  return { ok: true, results };
}
