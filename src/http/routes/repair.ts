import { z } from 'zod';
import { cancelBody } from '../../bodies/cancel';
import { releaseBody, releaseRequest, type ReleaseRequestBody } from '../../bodies/release';
import { storedId } from '../../bodies/text';
import { AppError, type ErrorCode } from '../../domain/errors';
import type { ReleaseRequest } from '../../operations/contract';
import { releaseRefusal } from '../../operations/refusal';
import type { Door } from '../door';
import { problemOf } from '../problem';
import { EPISODE, episodePath, stepPath } from './parameters';
import { ok, route, type Answer, type Route } from './route';

const nothing = z.strictObject({}).optional();
const requested = {
  202: {
    description: 'It stands: each step ends at its next safe point, and a paid call in flight is kept.',
    schema: cancelBody,
  },
};
const released = {
  200: { description: 'The row is free. Temporal was told, unless `warning` says otherwise.', schema: releaseBody },
};
const RELEASE_ERRORS: readonly ErrorCode[] = [
  'step.not_running',
  'step.owner_alive',
  'step.state_changed',
  'step.resume_blocked',
  'db.lock_timeout',
];

/** Cancel and release (spec 10 "Release", spec 15 "Cancel"); of every id that stands in the ledger. */
export function repairRoutes(door: Door): Route[] {
  const { operations } = door;
  return [
    route({
      method: 'POST',
      path: `${EPISODE}/steps/{step}/cancel`,
      operationId: 'cancelStep',
      tag: 'Runs',
      summary: 'Cancels a step and what needs it.',
      need: 'operator',
      params: stepPath,
      body: nothing,
      answers: requested,
      errors: ['step.not_running', 'temporal.unavailable', 'db.lock_timeout'],
      handle: async ({ params, by }) => ({
        status: 202,
        body: await operations.cancel({ projectId: params.project, episodeId: params.episode, step: params.step, by }),
      }),
    }),
    route({
      method: 'POST',
      path: `${EPISODE}/steps/cancel-all`,
      operationId: 'cancelAll',
      tag: 'Runs',
      summary: 'Cancels everything that runs or waits in this episode.',
      need: 'operator',
      params: episodePath,
      body: nothing,
      answers: requested,
      errors: ['step.not_running', 'temporal.unavailable', 'db.lock_timeout'],
      handle: async ({ params, by }) => ({
        status: 202,
        body: await operations.cancel({ projectId: params.project, episodeId: params.episode, by }),
      }),
    }),
    route({
      method: 'POST',
      path: `${EPISODE}/steps/{step}/release`,
      operationId: 'releaseStep',
      tag: 'Locks',
      summary:
        "Frees a dead owner's lock; with force and a reason, one whose death cannot be proved. Where only a heartbeat tells it, the answer takes a heartbeat's interval.",
      need: 'operator',
      params: stepPath,
      body: releaseRequest.optional(),
      answers: released,
      errors: RELEASE_ERRORS,
      handle: ({ params, body, by }) =>
        release(door, { projectId: params.project, episodeId: params.episode, stepId: params.step, by }, body),
    }),
    route({
      method: 'POST',
      path: '/api/v1/locks/{id}/release',
      operationId: 'releaseRow',
      tag: 'Locks',
      summary: 'The same for a row by its id, whatever project, episode and step it names.',
      need: 'operator',
      params: z.strictObject({ id: storedId }),
      body: releaseRequest.optional(),
      answers: released,
      errors: RELEASE_ERRORS,
      handle: ({ params, body, by }) => release(door, { rowId: params.id, by }, body),
    }),
  ];
}

/** A refusal shows the row as it is now (spec 10 "Release"). */
async function release(
  { operations }: Door,
  target: ReleaseRequest,
  body: ReleaseRequestBody | undefined,
): Promise<Answer> {
  const request = { ...target, ...body };
  try {
    return ok(await operations.release(request));
  } catch (error) {
    if (!(error instanceof AppError) || !(RELEASE_ERRORS.includes(error.code) && error.statusCode === 409)) throw error;
    return { status: error.statusCode, body: problemOf(error, await releaseRefusal(operations, target)) };
  }
}
