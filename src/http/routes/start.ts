import { z } from 'zod';
import { runBody, type RunBody } from '../../bodies/run';
import { startRequest, startStepRequest, type StartStepRequestBody } from '../../bodies/start-request';
import { AppError, type ErrorCode } from '../../domain/errors';
import { checkStep } from '../../domain/ids';
import type { StepId } from '../../domain/steps';
import type { StartAnswer, StartRequest } from '../../operations/contract';
import { startRefusal } from '../../operations/refusal';
import type { Door } from '../door';
import { problemOf } from '../problem';
import { EPISODE, newEpisodePath, newShotPath, newStepPath } from './parameters';
import { route, type Answer, type Asked, type Route } from './route';

/** What a start may be refused with (spec 15 "Starting"), or what it may find. */
const REFUSALS: readonly ErrorCode[] = [
  'episode.unknown',
  'step.unknown',
  'step.item_unknown',
  'step.resume_blocked',
  'step.already_running',
  'step.gate_blocked',
  'step.downstream_running',
  'step.contract_violation',
  'step.verify_crashed',
  'run.already_running',
  'run.ended',
  'plan.outdated',
  'request.id_in_use',
  'config.invalid',
  'temporal.unavailable',
];

const ANSWERS = {
  200: { description: 'Nothing to start: every chosen step is done.', schema: runBody },
  202: { description: 'Started; without decisions: no worker has taken it yet.', schema: runBody },
};

type EpisodeParams = { readonly project: string; readonly episode: string };

/** Starting a run of all, of one step, of one shot (spec 50). */
export function startRoutes({ operations }: Door): Route[] {
  const start = async (
    asked: Asked<EpisodeParams, unknown, unknown>,
    choice: Omit<StartRequest, 'projectId' | 'episodeId' | 'by'>,
  ) => {
    const { params, by, requestId } = asked;
    return startAnswer(
      await operations.startRun({ projectId: params.project, episodeId: params.episode, requestId, by, ...choice }),
    );
  };
  return [
    route({
      method: 'POST',
      path: `${EPISODE}/steps/run-all`,
      operationId: 'runAll',
      tag: 'Runs',
      summary: 'Starts a run of all steps, or of those that are chosen, and answers the decision of each.',
      need: 'operator',
      idempotencyKey: true,
      params: newEpisodePath,
      body: startRequest.optional(),
      answers: ANSWERS,
      errors: REFUSALS,
      handle: (asked) => start(asked, asked.body ?? {}),
    }),
    route({
      method: 'POST',
      path: `${EPISODE}/steps/{step}/run`,
      operationId: 'runStep',
      tag: 'Runs',
      summary: 'Starts one step. The answer comes after its decision and its claim, so a refusal is the real one.',
      need: 'operator',
      idempotencyKey: true,
      params: newStepPath,
      body: startStepRequest.optional(),
      answers: ANSWERS,
      errors: REFUSALS,
      handle: (asked) => {
        const step = checkStep(asked.params.step);
        return start(asked, { steps: [step], ...forcedOf(step, asked.body ?? {}) });
      },
    }),
    route({
      method: 'POST',
      path: `${EPISODE}/shots/{shot}/redo`,
      operationId: 'redoShot',
      tag: 'Shots',
      summary: 'Asks one shot again: its image is bought anew.',
      need: 'operator',
      idempotencyKey: true,
      params: newShotPath,
      body: z.strictObject({}).optional(),
      answers: ANSWERS,
      errors: REFUSALS,
      handle: (asked) =>
        start(asked, { steps: ['scene_image_pipeline'], items: { scene_image_pipeline: [asked.params.shot] } }),
    }),
  ];
}

/** `force` with `items` forces these items, and nothing else: it says how, they say what (spec 50 `POST /steps/{step}/run`). */
function forcedOf(step: StepId, { force, items }: StartStepRequestBody): Pick<StartRequest, 'force' | 'items'> {
  if (items) return { items: { [step]: items } };
  return force ? { force: [step] } : {};
}

function startAnswer(answer: StartAnswer): Answer {
  const { workflowId, runId, url, decisions, code, reason } = answer;
  if (answer.outcome === 'blocked') {
    const error = new AppError(code ?? 'step.resume_blocked', reason ?? 'The start was refused.');
    return { status: error.statusCode, body: problemOf(error, startRefusal(answer)) };
  }
  const body: RunBody = { workflowId, runId, url, decisions: [...decisions] };
  return { status: answer.outcome === 'nothing_to_start' ? 200 : 202, body };
}
