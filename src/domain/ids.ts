import { AppError } from './errors';
import { STEP_IDS, isStepId, type StepId } from './steps';

/** Ids that are created match this (spec 50). */
export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Throws id.invalid, naming what the id is for. */
export function checkId(what: string, id: string): string {
  if (!ID_PATTERN.test(id))
    throw new AppError('id.invalid', `The ${what} id ${JSON.stringify(id.slice(0, 80))} is not allowed.`);
  return id;
}

/** Throws step.unknown, naming the steps there are. */
export function checkStep(step: string): StepId {
  if (isStepId(step)) return step;
  throw new AppError(
    'step.unknown',
    `There is no step ${JSON.stringify(step.slice(0, 80))}. Steps: ${STEP_IDS.join(', ')}.`,
  );
}

/** Workflow ids (spec 15 "Workflows and activities"). */
export function episodeWorkflowId(project: string, episode: string): string {
  return `episode/${project}/${episode}`;
}

export function stepWorkflowId(project: string, episode: string, step: string): string {
  return `step/${project}/${episode}/${step}`;
}

/** `rescan/{deployment}`: the loop's id, and its task queue too, so that a round never lands on a worker of another database. */
export function rescanWorkflowId(deployment: string): string {
  return `rescan/${deployment}`;
}

export function rescanTaskQueue(deployment: string): string {
  return `callsheet-rescan/${deployment}`;
}

/** A context's id as the database counts: a bigint as text. Throws context.unknown for what can be none. */
export function checkContextId(id: string): string {
  if (/^-?\d{1,19}$/.test(id) && BigInt.asIntN(64, BigInt(id)) === BigInt(id)) return id;
  throw new AppError('context.unknown', `There is no context ${JSON.stringify(id.slice(0, 80))}.`);
}
