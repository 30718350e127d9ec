import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  log,
  patched,
  proxyActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { STEP_IDS, STEP_NEEDS, downstreamOf, isStepId, type StepId } from '../domain/steps';
import type {
  EpisodeActivities,
  OpenedRun,
  RunInput,
  RunProgress,
  RunResult,
  StepAttempt,
  StepEnd,
  StepTurn,
} from './contract';
import { cancelSignal, progressQuery, startUpdate } from './messages';
import { closeAgainAfterMs, shortProfile, stepProfile } from './profiles';

/**
 * One run of an episode, of all its steps or of some (spec 15): opens the run in the ledger, gives each step its turn as soon
 * as what it needs is met, handles cancels at safe points, and closes the run.
 */
export async function runEpisode(input: RunInput): Promise<RunResult> {
  return new EpisodeRun(input).perform();
}

type StepState = NonNullable<RunProgress['steps'][StepId]>;

/**
 * A server gives an activity whose cancel is requested no further attempt: what would have been tried again ends here. It says
 * so of a failure that is for good, too; that one stays what it is.
 */
function isLeftUntried(error: unknown): boolean {
  if (!(error instanceof ActivityFailure) || error.retryState !== 'CANCEL_REQUESTED') return false;
  return !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable);
}

class EpisodeRun {
  private opened: OpenedRun | null = null;
  private readonly states: Partial<Record<StepId, StepState>> = {};
  private readonly results: Partial<Record<StepId, StepEnd>> = {};
  private readonly turns = new Map<StepId, Promise<StepEnd | 'held_back'>>();
  private readonly cancelledSteps = new Set<StepId>();
  private cancelledAll = false;
  private cancelledByTemporal = false;
  /** The scopes of the activities under way, so that an attempt that waits in its back-off ends at once. */
  private readonly scopes = new Map<StepId, CancellationScope>();
  private cancelsUnderWay = 0;
  /** The run has ended in the ledger: a cancel that is late changes nothing that people see. */
  private closed = false;

  constructor(private readonly input: RunInput) {
    setHandler(startUpdate, async () => {
      await condition(() => this.opened !== null);
      return this.opened!;
    });
    setHandler(progressQuery, () => ({
      opened: this.opened,
      cancelling: this.cancelledAll || this.cancelledSteps.size > 0,
      steps: { ...this.states },
    }));
    setHandler(cancelSignal, (asked) => this.cancel(asked?.step ?? undefined, asked?.by ?? 'signal'));
  }

  async perform(): Promise<RunResult> {
    // Temporal's own Cancel is handled like the signal: nothing is cut, a short activity writes the cancel (spec 15 "Cancel").
    void CancellationScope.current().cancelRequested.catch(async () => {
      this.cancelledByTemporal = true;
      await CancellationScope.nonCancellable(() => this.cancel(undefined, 'temporal'));
    });
    const result = await CancellationScope.nonCancellable(() => this.work());
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished)); // the door that started us has its answer
    if (this.cancelledByTemporal) throw new CancelledFailure('The run was cancelled.');
    return result;
  }

  private async work(): Promise<RunResult> {
    const opened = await this.short('open').openRun(this.input, workflowInfo().firstExecutionRunId);
    this.opened = opened;
    if (opened.outcome !== 'opened' || opened.answeredBefore) {
      const state = opened.outcome === 'nothing' || opened.answeredBefore ? 'done' : 'blocked';
      upsertSearchAttributes({ CallsheetState: [state] });
      return { state, code: opened.code, reason: opened.reason, result: {} };
    }
    upsertSearchAttributes({ CallsheetState: ['running'] });
    for (const step of STEP_IDS) if (this.input.chosen.includes(step)) this.turns.set(step, this.turnOf(step, opened));
    await Promise.all(this.turns.values());
    await condition(() => this.cancelsUnderWay === 0);
    return this.close(opened);
  }

  private async turnOf(step: StepId, opened: OpenedRun): Promise<StepEnd | 'held_back'> {
    this.states[step] = 'waiting';
    const needs = await Promise.all(STEP_NEEDS[step].flatMap((need) => this.turns.get(need) ?? []));
    if (needs.some((end) => end !== 'completed' && end !== 'not_applicable')) {
      delete this.states[step];
      return 'held_back';
    }
    if (this.isCancelled(step)) return this.end(step, 'cancelled');
    try {
      return await this.decideAndRun(step, opened);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.error('a step ended without an answer', { step, error });
      return this.end(step, 'failed'); // the activity answers for all that is foreseen: this is a bug or a time limit
    }
  }

  private async decideAndRun(step: StepId, opened: OpenedRun): Promise<StepEnd> {
    const turn: StepTurn = {
      run: this.input,
      ledgerRunId: opened.ledgerRunId,
      firstRunId: workflowInfo().firstExecutionRunId,
      stepId: step,
    };
    this.states[step] = 'deciding';
    const announced = await this.short(`${step}.decide`).announceStep(turn);
    switch (announced.action) {
      case 'skip':
        return this.end(step, 'completed');
      case 'not_applicable':
        return this.end(step, 'not_applicable');
      case 'block':
        return this.end(step, 'blocked');
      case 'rerun_self':
      case 'force_explicit':
      case 'stale_running_recovery':
        if (this.isCancelled(step)) return this.end(step, 'cancelled');
        return this.end(step, await this.run({ ...turn, announcedDeadRunId: announced.deadRunId, adoptToken: null }));
    }
  }

  /** The step activity and, for an editor step, its second one. */
  private async run(attempt: StepAttempt): Promise<StepEnd> {
    const { stepId } = attempt;
    this.states[stepId] = 'running';
    const first = await this.cancellable(stepId, () => this.step(stepId).runStep(attempt));
    if (first === 'cancelled') return 'cancelled';
    if (first.status !== 'parked') return first.status;
    this.states[stepId] = 'refreshing';
    const second = await this.cancellable(stepId, () =>
      this.step(`${stepId}.refresh`).refreshStep({ ...attempt, adoptToken: first.adoptToken }),
    );
    if (second === 'cancelled') return 'cancelled';
    return second.status === 'parked' ? 'failed' : second.status;
  }

  private async cancellable<T>(step: StepId, work: () => Promise<T>): Promise<T | 'cancelled'> {
    const scope = new CancellationScope({ cancellable: true });
    this.scopes.set(step, scope);
    try {
      return await scope.run(work);
    } catch (error) {
      if (this.isCancelled(step) && (isCancellation(error) || isLeftUntried(error))) return 'cancelled';
      throw error;
    } finally {
      this.scopes.delete(step);
    }
  }

  private isCancelled(step: StepId): boolean {
    return this.cancelledAll || this.cancelledSteps.has(step);
  }

  /** A step, and what needs it; or everything. What is written first is the ledger: it is what every safe point reads. */
  private async cancel(step: string | undefined, by: string): Promise<void> {
    if (step !== undefined && !isStepId(step)) return;
    const steps = step === undefined ? null : [step, ...downstreamOf(step)];
    if (steps === null) this.cancelledAll = true;
    else for (const one of steps) this.cancelledSteps.add(one);
    this.cancelsUnderWay += 1;
    try {
      await condition(() => this.opened !== null);
      if (this.opened?.outcome !== 'opened' || this.opened.answeredBefore) return;
      const { projectId, episodeId } = this.input;
      await this.short().recordCancel({ ledgerRunId: this.opened.ledgerRunId, projectId, episodeId, steps, by });
      // Runs that were open before this was added go on without (docs/changing-workflows.md).
      if (!this.closed && patched('show-cancelling')) upsertSearchAttributes({ CallsheetState: ['cancelling'] });
      for (const one of steps ?? STEP_IDS) this.scopes.get(one)?.cancel();
    } finally {
      this.cancelsUnderWay -= 1;
    }
  }

  private end(step: StepId, end: StepEnd): StepEnd {
    this.states[step] = end;
    this.results[step] = end;
    return end;
  }

  /** Waits while a row of this run is held by a live owner (spec 15 "Cancel"), then ends the run in the ledger. */
  private async close(opened: OpenedRun): Promise<RunResult> {
    const sinceMs = Date.now(); // the workflow's time, the same at each replay
    for (;;) {
      const answer = await this.short().closeRun({
        run: this.input,
        ledgerRunId: opened.ledgerRunId,
        results: this.results,
      });
      if (!answer.waiting) {
        this.closed = true;
        upsertSearchAttributes({ CallsheetState: [answer.state] });
        return { state: answer.state, code: null, reason: null, result: this.results };
      }
      await sleep(closeAgainAfterMs(Date.now() - sinceMs, this.input));
    }
  }

  private step(activityId: string): EpisodeActivities {
    return proxyActivities<EpisodeActivities>(stepProfile(activityId, this.input));
  }

  private short(activityId?: string): EpisodeActivities {
    const { activityId: _unused, ...options } = shortProfile('', this.input);
    return proxyActivities<EpisodeActivities>(activityId === undefined ? options : { ...options, activityId });
  }
}
