import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { foldName } from '../content-labels';
import { shotSizeSchema, type SelectedScene, type Shot, type ShotSelection } from '../shot-selection/schema';
import { interiorSchema, type WorldGuide } from '../world-guide/schema';
import { expressionOf } from './expression';

/** The structured description of a shot that pictures are drawn from. Made from no prompt, so an editor's change cannot reach it (spec 00). */
export const renderCardSchema = z.object({
  shot_size: shotSizeSchema,
  camera: z.string(),
  subject: z.string(),
  characters: z.array(
    z.object({ name: z.string(), position: z.string(), description: z.string(), expression: z.string().optional() }),
  ),
  props: z.array(z.string()),
  place: z.string(),
  interior: interiorSchema,
  time_of_day: z.string(),
  mood: z.string(),
  palette: z.array(z.string()),
  caption: z.string(),
  speaker: z.string(),
  action: z.string(),
  scene_heading: z.string(),
  style: z.string(),
});

export type RenderCard = z.infer<typeof renderCardSchema>;

const POSITIONS: Readonly<Record<number, readonly string[]>> = {
  1: ['center'],
  2: ['left', 'right'],
  3: ['left', 'center', 'right'],
};
const CROWD = ['far left', 'left', 'center', 'right', 'far right'];

/** What cards are computed from. */
export interface CardSources {
  readonly selection: ShotSelection;
  readonly guide: WorldGuide;
  readonly style: string;
}

/**
 * The card of a shot, from selection, world guide and style alone; pure, so that its stored hash can be checked (spec 20). Throws
 * step.contract_violation where the selection has no such shot, or shows a character or place that the world guide does not know.
 */
export function recomputeCard(shotId: string, sources: CardSources): RenderCard {
  for (const scene of sources.selection.scenes) {
    const shot = scene.shots.find((one) => one.shot_id === shotId);
    if (shot) return cardOf(scene, shot, sources);
  }
  throw new AppError('step.contract_violation', `shot_selection has no shot ${shotId}.`);
}

function cardOf(scene: SelectedScene, shot: Shot, sources: CardSources): RenderCard {
  const { guide } = sources;
  if (scene.place !== '' && !guide.places.some((place) => foldName(place.name) === foldName(scene.place)))
    throw new AppError(
      'step.contract_violation',
      `shot_selection: scene ${scene.scene_id} is at ${JSON.stringify(scene.place)}, which world_guide does not have.`,
    );
  return {
    shot_size: shot.size,
    camera: shot.camera,
    subject: shot.subject,
    characters: shot.characters.map((name, position) => ({
      name,
      position: (POSITIONS[shot.characters.length] ?? CROWD)[position % CROWD.length] ?? 'center',
      description: descriptionOf(name, shot, guide),
      ...expressionIn(name, shot),
    })),
    props: [...shot.props],
    place: scene.place,
    interior: scene.interior,
    time_of_day: scene.time_of_day,
    mood: scene.mood,
    palette: [...guide.palette],
    caption: shot.caption,
    speaker: shot.speaker,
    action: shot.action,
    scene_heading: scene.heading,
    style: sources.style,
  };
}

function descriptionOf(name: string, shot: Shot, guide: WorldGuide): string {
  const character = guide.characters.find((one) => foldName(one.name) === foldName(name));
  if (character) return character.description;
  throw new AppError(
    'step.contract_violation',
    `shot_selection: shot ${shot.shot_id} shows ${JSON.stringify(name)}, who is not in the cast of world_guide.`,
  );
}

/** Whoever speaks, or is alone, wears the expression that the words tell of. */
function expressionIn(name: string, shot: Shot): { expression?: string } {
  if (shot.characters.length > 1 && foldName(shot.speaker) !== foldName(name)) return {};
  const expression = expressionOf(shot.action, foldName(shot.speaker) === foldName(name) ? shot.caption : '');
  return expression === '' ? {} : { expression };
}
