import { z } from 'zod';
import { ID_PATTERN } from '../../domain/ids';
import { sha256 } from '../../hash';
import { requireAccountedFor } from '../accounted-for';
import { failedSchema, loadBody } from '../checkpoint-body';
import { foldName } from '../content-labels';
import type { StepInputs } from '../definition';
import { loadWorldGuide, type WorldGuide } from '../world-guide/schema';

export const ENTITY_VALIDATOR = 'entity_t2i.prompt/1';

/** The sentinel beside an entity's prompt (spec 20). `_mutation_origin` informs who changed the prompt last; it is part of no hash. */
export const entitySentinelSchema = z.object({
  validator: z.string().min(1),
  t2i_prompt_hash: z.string().min(1),
  _mutation_origin: z.string().optional(),
});

export const entityKindSchema = z.enum(['character', 'place', 'prop']);
export type EntityKind = z.infer<typeof entityKindSchema>;

export const entitySchema = z.object({
  entity_id: z.string().regex(ID_PATTERN),
  kind: entityKindSchema,
  name: z.string().min(1),
  t2i_prompt: z.string(),
  owned_validation: entitySentinelSchema,
});

export const entityT2iSchema = z.object({ entities: z.array(entitySchema), failed: failedSchema });
export type EntityT2i = z.infer<typeof entityT2iSchema>;

/** An entity of the world guide: what the step asks a prompt for. */
export interface Entity {
  readonly entityId: string;
  readonly kind: EntityKind;
  readonly name: string;
  readonly description: string;
}

/** The entities of a world guide in order: characters, places, props. */
export function entitiesOf(guide: WorldGuide): Entity[] {
  const entity = (kind: EntityKind, { name, description }: { name: string; description: string }): Entity => ({
    entityId: entityId(kind, name),
    kind,
    name,
    description,
  });
  return [
    ...guide.characters.map((one) => entity('character', one)),
    ...guide.places.map((one) => entity('place', one)),
    ...guide.props.map((one) => entity('prop', one)),
  ];
}

/** From kind and name: the same entity has the same id in every release and order. */
export function entityId(kind: EntityKind, name: string): string {
  return `${kind}-${sha256(foldName(name)).slice(0, 12)}`;
}

/** The entities' checkpoint; empty where the world guide names none. Throws step.contract_violation, naming step and path. */
export function loadEntityT2i(inputs: StepInputs): EntityT2i {
  return loadBody(inputs, 'entity_t2i', entityT2iSchema, () =>
    entitiesOf(loadWorldGuide(inputs)).length === 0 ? { entities: [], failed: [] } : null,
  );
}

/** The entities with every one of the world guide accounted for: what a step reads that is made from all of them. */
export function loadEveryEntity(inputs: StepInputs): EntityT2i {
  const entities = loadEntityT2i(inputs);
  const expected = entitiesOf(loadWorldGuide(inputs)).map((one) => one.entityId);
  requireAccountedFor(
    'entity_t2i',
    expected,
    entities.entities.map((one) => one.entity_id),
    entities.failed,
  );
  return entities;
}
