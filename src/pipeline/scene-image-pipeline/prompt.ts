import type { Json } from '../../domain/json';
import type { EntityT2i } from '../entity-t2i/schema';
import { entityPrompt } from '../place-scenes';
import type { Variation } from '../scene-detail/schema';

export const PROMPT_VERSION = 'scene_image_pipeline/1';

/**
 * The card and prompt of a shot: its own prompt, the reference prompts of the entities it shows, and prompt and card of the shot that it
 * must look like; never that shot's image, so that shots are drawn in any order (spec 00).
 */
export function shotPicture(
  variation: Variation,
  entities: EntityT2i,
  like: Variation | undefined,
): { card: Json; prompt: string } {
  const card = variation.render_prompt_card;
  const references = [
    ...card.characters.map(({ name }) => [name, entityPrompt(entities, 'character', name)] as const),
    [card.place, entityPrompt(entities, 'place', card.place)] as const,
    ...card.props.map((name) => [name, entityPrompt(entities, 'prop', name)] as const),
  ].filter(([, prompt]) => prompt !== '');
  const prompt = [
    variation.t2i_prompt,
    ...references.map(([name, text]) => `Reference for ${name}: ${text}`),
    ...(like ? [`Continuity: must look like this earlier shot: ${like.t2i_prompt}`] : []),
  ];
  return {
    card: { ...card, ...(like ? { looks_like: { prompt: like.t2i_prompt, card: like.render_prompt_card } } : {}) },
    prompt: prompt.join('\n'),
  };
}
