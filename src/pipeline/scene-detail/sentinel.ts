import { hashOf } from '../../hash';
import type { SelectedScene, Shot } from '../shot-selection/schema';
import { SHOT_VALIDATOR, type ShotSentinel } from './schema';

/** The sentinel of a fresh prompt: what it was written for, and its own hash (spec 00, 20). */
export function sentinelOf(scene: SelectedScene, shot: Shot, prompt: string): ShotSentinel {
  return {
    validator: SHOT_VALIDATOR,
    owned_hash: hashOf(mustShow(scene, shot)),
    camera_direction_hash: hashOf({ size: shot.size, camera: shot.camera }),
    t2i_prompt_hash: hashOf(prompt),
  };
}

/** What the shot must show: its content, and where and when it is. */
export function mustShow(
  scene: SelectedScene,
  shot: Shot,
): {
  subject: string;
  action: string;
  characters: string[];
  props: string[];
  place: string;
  interior: string;
  time_of_day: string;
} {
  return {
    subject: shot.subject,
    action: shot.action,
    characters: [...shot.characters],
    props: [...shot.props],
    place: scene.place,
    interior: scene.interior,
    time_of_day: scene.time_of_day,
  };
}
