import { randomUUID } from 'node:crypto';
import type { Stop } from '../../src/domain/stop';
import { meetsNeed } from '../../src/domain/status';
import { STEP_NEEDS, type StepId } from '../../src/domain/steps';
import { attemptStep, type AttemptRequest } from '../../src/execution/attempt';
import type { AttemptOutcome } from '../../src/execution/attempt-outcome';
import { attemptRefresh } from '../../src/execution/refresh';
import { runChoiceOf } from '../../src/operations/choice';
import type { Choice, EpisodeRef } from '../../src/operations/contract';
import { closeRun } from '../../src/runs/close-run';
import { openRun } from '../../src/runs/open-run';
import type { OpenedRun, RunInput, StepEnd } from '../../src/workflows/contract';
import type { Studio } from './studio';

export interface StudioRun {
  readonly opened: OpenedRun;
  /** How each step that had its turn ended. */
  readonly ends: Readonly<Partial<Record<StepId, StepEnd>>>;
  /** Steps that really ran: the others were skipped, blocked or held back. */
  readonly ran: readonly StepId[];
}

export interface RunOptions extends Omit<Choice, keyof EpisodeRef> {
  readonly planToken?: string;
  readonly requestId?: string;
  /** Asked at every safe point of every step. */
  stop?(step: StepId): Stop | null;
  /** The workflow run that it goes on in, where it is none of its own. */
  readonly workflowRunId?: string;
}

/** A run of an episode as the workflow does it, step after step, through the same functions, without Temporal. */
export async function runStudio(studio: Studio, episode: EpisodeRef, options: RunOptions = {}): Promise<StudioRun> {
  const { planToken, requestId = randomUUID(), stop, workflowRunId = randomUUID(), ...choice } = options;
  const workflowId = `episode/${episode.projectId}/${episode.episodeId}`;
  const input: RunInput = {
    ...episode,
    ...runChoiceOf({ ...episode, ...choice }),
    requestId,
    acceptedAt: '2026-01-01T00:00:00.000000Z',
    by: 'test',
    planToken: planToken ?? null,
    budgetUsd: null,
    leaseSeconds: 90,
    sweepSeconds: 5,
  };
  const opened = await openRun(studio.deps, {
    input,
    workflowId,
    workflowRunId,
    firstRunId: workflowRunId,
    stateInTemporal: () => Promise.resolve(null),
  });
  const ends: Partial<Record<StepId, StepEnd>> = {};
  const ran: StepId[] = [];
  if (opened.outcome !== 'opened') return { opened, ends, ran };
  for (const step of input.chosen) {
    const heldBack = STEP_NEEDS[step].some(
      (need) => input.chosen.includes(need) && !meetsNeed(ends[need] ?? 'held back'),
    );
    if (heldBack) continue;
    const outcome = await turnOf(studio, input, step, { workflowId, workflowRunId }, stop);
    ends[step] = outcome.outcome === 'ended' ? (outcome.status as StepEnd) : 'blocked';
    if (outcome.outcome === 'ended' && outcome.ran) ran.push(step);
  }
  await closeRun(studio.deps, { run: input, ledgerRunId: opened.ledgerRunId, results: ends });
  return { opened, ends, ran };
}

async function turnOf(
  studio: Studio,
  run: RunInput,
  stepId: StepId,
  workflow: { readonly workflowId: string; readonly workflowRunId: string },
  stop: RunOptions['stop'],
): Promise<AttemptOutcome> {
  const items = run.items[stepId] ?? null;
  const isForced = run.force.includes(stepId) || items !== null;
  const request = (activityId: string): AttemptRequest => ({
    key: { projectId: run.projectId, episodeId: run.episodeId, stepId },
    activity: { ...workflow, activityId, taskToken: null },
    resetFromRunId: null,
    attempt: 1,
    force: isForced ? { requestId: run.requestId, items: run.force.includes(stepId) ? null : items, by: run.by } : null,
    announcedDeadRunId: null,
    waitedSeconds: 0,
    editor: 'park',
    stopRequested: () => stop?.(stepId) ?? null,
    progress: () => undefined,
  });
  const first = await attemptStep(studio.deps, request(stepId));
  if (first.outcome !== 'parked') return first;
  return attemptRefresh(studio.deps, { ...request(`${stepId}.refresh`), adoptToken: first.token });
}
