import { z } from 'zod';
import type { CompletionReport } from '../../domain/completion';
import { AppError } from '../../domain/errors';
import { hashOf } from '../../hash';
import { failedSchema, parseBody } from '../checkpoint-body';
import type { VerifyContext } from '../definition';
import { loadEntityT2i } from '../entity-t2i/schema';
import { attempt, missingItem, reportOf, type Finding } from '../findings';
import { loadShotSelection, shotsOf } from '../shot-selection/schema';
import { loadWorldGuide } from '../world-guide/schema';
import { recomputeCard, renderCardSchema, type CardSources, type RenderCard } from './render-card';
import { shotSentinelSchema } from './schema';

/** The order of spec 20's table: the lowest rank found names the origin. */
const RANK = {
  structure: 1,
  absent: 2,
  cardContract: 3,
  cardCrash: 4,
  sentinel: 5,
  card: 6,
  promptHash: 7,
  cardHash: 8,
} as const;

/** Sentinels and cards are judged one by one, so here they may have any shape. */
const looseSchema = z.object({
  scenes: z.array(
    z.object({
      scene_index: z.number(),
      t2i_variations: z.array(
        z.object({
          shot_id: z.string(),
          t2i_prompt: z.string(),
          owned_validation: z.unknown().optional(),
          render_prompt_card: z.unknown().optional(),
          render_prompt_card_hash: z.unknown().optional(),
        }),
      ),
    }),
  ),
  failed: failedSchema,
});

type LooseVariation = z.infer<typeof looseSchema>['scenes'][number]['t2i_variations'][number];

/** Verify of `scene_detail` (spec 20, "Completion report"). */
export function verifySceneDetail({ inputs, body }: VerifyContext): CompletionReport {
  const needed = attempt(RANK.structure, () => {
    const guide = loadWorldGuide(inputs);
    loadEntityT2i(inputs);
    return { guide, selection: loadShotSelection(inputs) };
  });
  if ('finding' in needed) return reportOf([needed.finding], false);
  const own = attempt(RANK.structure, () => parseBody(body, 'scene_detail', looseSchema));
  if ('finding' in own) return reportOf([own.finding], false);

  const variations = own.value.scenes.flatMap((scene, position) =>
    scene.t2i_variations.map((variation, index) => ({
      variation,
      where: `scenes.${position}.t2i_variations.${index}`,
    })),
  );
  const present = new Set(variations.map(({ variation }) => variation.shot_id));
  const failed = new Map(own.value.failed.map((item) => [item.item_id, item.code]));
  const asked = shotsOf(needed.value.selection);
  const findings: Finding[] = asked
    .filter(({ shot }) => failed.has(shot.shot_id) || !present.has(shot.shot_id))
    .map(({ shot, scene }) =>
      missingItem(
        RANK.absent,
        shot.shot_id,
        failed.has(shot.shot_id) ? `the item failed: ${failed.get(shot.shot_id)!}` : 'the variation is absent',
        scene.scene_id,
      ),
    );
  const sources: CardSources = {
    ...needed.value,
    // Read where the card is made, so that whatever goes wrong there is the recomputation's.
    get style() {
      return inputs.config.style;
    },
  };
  for (const { variation, where } of variations) findings.push(...variationFindings(variation, where, sources));
  return reportOf(
    findings,
    asked.some(({ shot }) => present.has(shot.shot_id)),
  );
}

function variationFindings(variation: LooseVariation, where: string, sources: CardSources): Finding[] {
  const item = variation.shot_id;
  const findings: Finding[] = [];
  const card = recompute(item, where, sources);
  if ('finding' in card) findings.push(card.finding);
  const sentinel = shotSentinelSchema.safeParse(variation.owned_validation);
  if (!sentinel.success) {
    const key = ['owned_validation', ...(sentinel.error.issues[0]?.path ?? [])].join('.');
    findings.push({
      rank: RANK.sentinel,
      origin: 'contract_drift',
      item,
      evidence: { what: `${key} is absent or misshapen`, where: `${where}.${key}` },
    });
  } else
    findings.push(
      ...hashFinding(
        RANK.promptHash,
        item,
        `${where}.owned_validation.t2i_prompt_hash`,
        hashOf(variation.t2i_prompt),
        sentinel.data.t2i_prompt_hash,
      ),
    );
  const stored = renderCardSchema.safeParse(variation.render_prompt_card);
  if (!stored.success) {
    const key = ['render_prompt_card', ...(stored.error.issues[0]?.path ?? [])].join('.');
    findings.push({
      rank: RANK.card,
      origin: 'contract_drift',
      item,
      evidence: { what: `${key} is absent or misshapen`, where: `${where}.${key}` },
    });
  }
  if ('value' in card)
    findings.push(
      ...hashFinding(
        RANK.cardHash,
        item,
        `${where}.render_prompt_card_hash`,
        hashOf(card.value),
        variation.render_prompt_card_hash,
      ),
    );
  return findings;
}

/** The card again, or why not: an AppError says that the structure is broken, anything else that the recomputation has a bug. */
function recompute(item: string, where: string, sources: CardSources): { value: RenderCard } | { finding: Finding } {
  try {
    return { value: recomputeCard(item, sources) };
  } catch (error) {
    if (error instanceof AppError)
      return {
        finding: { rank: RANK.cardContract, origin: 'contract_drift', item, evidence: { what: error.message, where } },
      };
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      finding: {
        rank: RANK.cardCrash,
        origin: 'verify_crashed',
        item,
        evidence: { what: 'recomputing the card crashed', where, found: stack },
      },
    };
  }
}

function hashFinding(rank: number, item: string, where: string, expected: string, found: unknown): Finding[] {
  if (found === expected) return [];
  const text = typeof found === 'string' ? found : null;
  return [
    {
      rank,
      origin: 'invariant_drift',
      item,
      evidence: { what: `${where.split('.').at(-1)!} is not the hash recomputed`, where, expected, found: text },
    },
  ];
}
