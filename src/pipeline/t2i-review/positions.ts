/** What of the victims' bodies the map is built from. */
export interface PromptLists {
  readonly entities: readonly unknown[];
  readonly scenes: readonly { readonly scene_index: number; readonly t2i_variations: readonly unknown[] }[];
}

/** Where a prompt stands in a victim's checkpoint; positions from 0. */
export type Position =
  | { readonly step: 'entity_t2i'; readonly entity: number }
  | { readonly step: 'scene_detail'; readonly scene: number; readonly variation: number };

/** From the ids that the prompt shows to positions. No other number in an answer addresses anything (spec 20, "Editor steps", 2). */
export type PositionMap = ReadonlyMap<string, Position>;

/** Built when the prompt is built. The same scene_index may stand in several entries, so the entry's position is part of the id. */
export function buildPositionMap({ entities, scenes }: PromptLists): PositionMap {
  const map = new Map<string, Position>();
  entities.forEach((_entity, entity) => map.set(`E_L${entity}`, { step: 'entity_t2i', entity }));
  scenes.forEach((entry, scene) =>
    entry.t2i_variations.forEach((_variation, variation) =>
      map.set(`S${entry.scene_index}_L${scene}_V${variation}`, { step: 'scene_detail', scene, variation }),
    ),
  );
  return map;
}

/** For messages: `scene_detail scenes[3].t2i_variations[1]`. */
export function describePosition(position: Position): string {
  return position.step === 'entity_t2i'
    ? `entity_t2i entities[${position.entity}]`
    : `scene_detail scenes[${position.scene}].t2i_variations[${position.variation}]`;
}
