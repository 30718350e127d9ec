import type { ReadAnswer, StepInputs } from '../definition';
import { foldName } from '../content-labels';
import { THE_ONE_ITEM } from '../../domain/steps';
import { loadWorldGuide, type WorldGuide } from '../world-guide/schema';
import { sceneLabels, type ShotSelectionAnswer } from './prompt';
import type { SelectedScene, Shot } from './schema';

/**
 * The selection from a model's answer. Ids, headings and positions are ours and never the model's (case C35); characters are kept only if
 * the world guide has them, under the name it gives them. An answer that leaves a scene out or names one that is not there is invalid.
 */
export function shotSelectionFromAnswer(answer: ShotSelectionAnswer, inputs: StepInputs): ReadAnswer {
  const guide = loadWorldGuide(inputs);
  const labels = sceneLabels(inputs);
  const known = new Set(labels);
  const byLabel = new Map<string, ShotSelectionAnswer['scenes'][number]>();
  for (const entry of answer.scenes) {
    if (!known.has(entry.scene))
      return {
        ok: false,
        reason: `The answer names the scene ${JSON.stringify(entry.scene.slice(0, 40))}, which was not asked about.`,
        unknownItem: true,
      };
    if (byLabel.has(entry.scene)) return { ok: false, reason: `The answer has the scene ${entry.scene} twice.` };
    byLabel.set(entry.scene, entry);
  }
  const absent = labels.filter((label) => !byLabel.has(label));
  if (absent.length > 0)
    return {
      ok: false,
      reason: `The answer lacks ${absent.length} of ${labels.length} scenes (first: ${absent[0]!}).`,
    };

  const scenes = inputs.screenplay.scenes.map((scene, position): SelectedScene => {
    const entry = byLabel.get(labels[position]!)!;
    const place = placeOf(scene.place === '' ? entry.place : scene.place, guide);
    return {
      scene_index: scene.index,
      scene_id: scene.id,
      heading: scene.heading,
      place: place?.name ?? '',
      interior: scene.interior === 'UNKNOWN' ? (place?.interior ?? 'UNKNOWN') : scene.interior,
      time_of_day: scene.timeOfDay === '' ? entry.time_of_day : scene.timeOfDay,
      mood: entry.mood.trim(),
      shots: entry.shots.map((shot, ordinal) => toShot(shot, `${scene.id}-${ordinal + 1}`, guide)),
    };
  });
  return { ok: true, results: { [THE_ONE_ITEM]: { scenes } } };
}

function placeOf(name: string, guide: WorldGuide): WorldGuide['places'][number] | undefined {
  return guide.places.find((place) => foldName(place.name) === foldName(name));
}

function toShot(shot: Omit<Shot, 'shot_id'>, shotId: string, guide: WorldGuide): Shot {
  return {
    shot_id: shotId,
    size: shot.size,
    camera: shot.camera.trim(),
    subject: shot.subject.trim(),
    characters: unique(shot.characters.flatMap((name) => castName(name, guide) ?? [])),
    props: unique(shot.props.map((name) => propName(name, guide)).filter(Boolean)),
    action: shot.action.trim(),
    caption: shot.caption.trim(),
    speaker: castName(shot.speaker, guide) ?? shot.speaker.trim(),
    on: shot.on,
  };
}

function castName(name: string, guide: WorldGuide): string | undefined {
  const folded = foldName(name);
  return guide.characters.find(
    (one) => foldName(one.name) === folded || one.aliases.some((alias) => foldName(alias) === folded),
  )?.name;
}

function propName(name: string, guide: WorldGuide): string {
  return guide.props.find((prop) => foldName(prop.name) === foldName(name))?.name ?? name.trim();
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
