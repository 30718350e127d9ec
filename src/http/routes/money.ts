import { z } from 'zod';
import { budgetBody } from '../../bodies/budget';
import { capRequest } from '../../bodies/cap-request';
import { purchaseBody, purchasesBody } from '../../bodies/purchases';
import { settleRequest } from '../../bodies/settle-request';
import { storedId } from '../../bodies/text';
import { readBudget } from '../../operations/queries/budget';
import { readPurchases } from '../../operations/queries/purchases';
import { setCap } from '../../operations/set-cap';
import { settlePurchase } from '../../operations/settle';
import type { Door } from '../door';
import { EPISODE, episodePath, newProjectPath, projectPath } from './parameters';
import { ok, route, type Route } from './route';

const BUDGET = '/api/v1/projects/{project}/budget';
const caps = { 200: { description: 'Caps in US dollars, and what is committed under each.', schema: budgetBody } };

/** Purchases and budget (spec 40). */
export function moneyRoutes({ operations }: Door): Route[] {
  const { db } = operations;
  return [
    route({
      method: 'GET',
      path: `${EPISODE}/purchases`,
      operationId: 'getPurchases',
      tag: 'Money',
      summary: 'Paid calls, and those that may have been, oldest first.',
      need: 'viewer',
      params: episodePath,
      query: z.strictObject({ step: storedId.optional(), inDoubt: z.enum(['true', 'false']).optional() }),
      answers: {
        200: {
          description: 'The purchases, what they have cost for certain, and what is at risk.',
          schema: purchasesBody,
        },
      },
      errors: [],
      handle: async ({ params, query }) =>
        ok(
          await readPurchases(
            db,
            { projectId: params.project, episodeId: params.episode },
            { stepId: query.step, inDoubtOnly: query.inDoubt === 'true' },
          ),
        ),
    }),
    route({
      method: 'POST',
      path: `${EPISODE}/purchases/{id}/settle`,
      operationId: 'settlePurchase',
      tag: 'Money',
      summary: 'A word on a purchase in doubt: buy again (the next run asks anew) or give up (its items fail).',
      need: 'operator',
      params: episodePath.extend({ id: storedId }),
      body: settleRequest,
      answers: { 200: { description: 'The purchase as it is now.', schema: purchaseBody } },
      errors: ['purchase.unknown', 'purchase.not_in_doubt', 'db.lock_timeout'],
      async handle({ params, body, by }) {
        const episode = { projectId: params.project, episodeId: params.episode };
        const { purchase } = await settlePurchase(db, { purchaseId: params.id, decision: body.decision, by, episode });
        return ok(purchase);
      },
    }),
    route({
      method: 'GET',
      path: BUDGET,
      operationId: 'getBudget',
      tag: 'Money',
      summary: 'The caps of a project and of its runs.',
      need: 'viewer',
      params: projectPath,
      answers: caps,
      errors: [],
      handle: async ({ params }) => ok(await readBudget(db, params.project)),
    }),
    route({
      method: 'PUT',
      path: BUDGET,
      operationId: 'setBudget',
      tag: 'Money',
      summary: 'Sets the cap of a project or, with `runId`, of one of its runs.',
      need: 'operator',
      params: newProjectPath,
      body: capRequest,
      answers: caps,
      errors: ['run.unknown', 'run.ended'],
      handle: async ({ params, body, by }) => ok(await setCap(db, { projectId: params.project, ...body, by })),
    }),
  ];
}
