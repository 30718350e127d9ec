import { z } from 'zod';
import { explainBody } from '../../bodies/explain';
import { planBody } from '../../bodies/plan';
import { storedId } from '../../bodies/text';
import { STEP_IDS } from '../../domain/steps';
import { explainStep } from '../../operations/queries/explain';
import type { Door } from '../door';
import { EPISODE, episodePath, itemList, itemsByStep, listOf, stepList, stepPath, wholeNumberText } from './parameters';
import { ok, route, type Route } from './route';

// eslint-disable-next-line no-control-regex -- PostgreSQL holds no U+0000
const ASSUMPTION = /^(?:config\.[A-Za-z.]{1,64}|step\.[A-Za-z0-9_]{1,64}\.promptVersion)=[^\u0000]{0,200}$/u;

const FORMS = 'config.KEY=VALUE or step.STEP.promptVersion=VALUE';

/** What a plan may be asked. */
export const planQuery = z.strictObject({
  steps: stepList,
  from: z.enum(STEP_IDS).optional(),
  force: stepList,
  items: itemList,
  /** What if; see FORMS. */
  assume: listOf(z.string().regex(ASSUMPTION, FORMS), 20, (text) => [text]),
});

/** The plan and past decisions (spec 20 "Going beyond", spec 40 "Plan"). Both write nothing. */
export function planRoutes({ operations }: Door): Route[] {
  return [
    route({
      method: 'GET',
      path: `${EPISODE}/steps/plan`,
      operationId: 'getPlan',
      tag: 'Runs',
      summary:
        'What a run would do and cost. Takes the choices of a start; `items` as STEP:ITEM, `assume` as config.KEY=VALUE or step.STEP.promptVersion=VALUE.',
      need: 'viewer',
      params: episodePath,
      query: planQuery,
      answers: { 200: { description: 'Each step with its decision, its calls and its price.', schema: planBody } },
      errors: [
        'episode.unknown',
        'step.unknown',
        'step.item_unknown',
        'step.contract_violation',
        'config.unknown_key',
        'config.invalid',
      ],
      handle: async ({ params, query }) =>
        ok(
          await operations.plan({
            ...query,
            items: itemsByStep(query.items),
            projectId: params.project,
            episodeId: params.episode,
          }),
        ),
    }),
    route({
      method: 'GET',
      path: `${EPISODE}/steps/{step}/explain`,
      operationId: 'explainStep',
      tag: 'Runs',
      summary: 'The decisions that runs of a step started with, newest first, and their evidence.',
      need: 'viewer',
      params: stepPath,
      query: z.strictObject({ run: storedId.optional(), limit: wholeNumberText(100).optional() }),
      answers: { 200: { description: 'Decisions; none where the step has never been decided.', schema: explainBody } },
      errors: [],
      handle: async ({ params, query }) =>
        ok(
          await explainStep(operations.db, { projectId: params.project, episodeId: params.episode }, params.step, {
            run: query.run,
            limit: query.limit ?? 10,
          }),
        ),
    }),
  ];
}
