import { z } from 'zod';
import type { CompletionReport } from '../../domain/completion';
import { hashOf } from '../../hash';
import { failedSchema, parseBody } from '../checkpoint-body';
import type { VerifyContext } from '../definition';
import { attempt, missingItem, reportOf, type Finding } from '../findings';
import { loadWorldGuide } from '../world-guide/schema';
import { entitiesOf, entitySentinelSchema, type Entity } from './schema';

const RANK = { structure: 1, absent: 2, sentinel: 3, promptHash: 4 } as const;

/** Sentinels are judged one by one, so here they may have any shape. */
const looseSchema = z.object({
  entities: z.array(
    z.object({ entity_id: z.string(), t2i_prompt: z.string(), owned_validation: z.unknown().optional() }),
  ),
  failed: failedSchema,
});

/** Verify of `entity_t2i` (spec 20, "Completion report"), in its order of priority. */
export function verifyEntityT2i({ inputs, body }: VerifyContext): CompletionReport {
  const guide = attempt(RANK.structure, () => loadWorldGuide(inputs));
  if ('finding' in guide) return reportOf([guide.finding], false);
  const own = attempt(RANK.structure, () => parseBody(body, 'entity_t2i', looseSchema));
  if ('finding' in own) return reportOf([own.finding], false);
  const failed = new Map(own.value.failed.map((item) => [item.item_id, item]));
  const found = new Map(own.value.entities.map((entity, position) => [entity.entity_id, { entity, position }]));
  const entities = entitiesOf(guide.value);
  const findings = entities.flatMap((entity): Finding[] => {
    const failure = failed.get(entity.entityId);
    if (failure) return [missingItem(RANK.absent, entity.entityId, `${nameOf(entity)} failed: ${failure.code}`)];
    const entry = found.get(entity.entityId);
    if (!entry) return [missingItem(RANK.absent, entity.entityId, `${nameOf(entity)} has no prompt`)];
    return sentinelFindings(entity.entityId, `entities.${entry.position}`, entry.entity);
  });
  return reportOf(
    findings,
    entities.some((entity) => found.has(entity.entityId) && !failed.has(entity.entityId)),
  );
}

function nameOf(entity: Entity): string {
  return `${entity.kind} ${JSON.stringify(entity.name)}`;
}

function sentinelFindings(
  item: string,
  where: string,
  entity: { t2i_prompt: string; owned_validation?: unknown },
): Finding[] {
  const sentinel = entitySentinelSchema.safeParse(entity.owned_validation);
  if (!sentinel.success) {
    const key = ['owned_validation', ...(sentinel.error.issues[0]?.path ?? [])].join('.');
    return [
      {
        rank: RANK.sentinel,
        origin: 'contract_drift',
        item,
        evidence: { what: `${key} is absent or misshapen`, where: `${where}.${key}` },
      },
    ];
  }
  const recomputed = hashOf(entity.t2i_prompt);
  if (recomputed === sentinel.data.t2i_prompt_hash) return [];
  return [
    {
      rank: RANK.promptHash,
      origin: 'invariant_drift',
      item,
      evidence: {
        what: 't2i_prompt_hash is not the hash of the prompt',
        where: `${where}.owned_validation.t2i_prompt_hash`,
        expected: recomputed,
        found: sentinel.data.t2i_prompt_hash,
      },
    },
  ];
}
