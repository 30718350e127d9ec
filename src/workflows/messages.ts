import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { CANCEL_SIGNAL, PROGRESS_QUERY, START_UPDATE } from '../domain/names';
import type { OpenedRun, RunProgress } from './contract';

/** What `cancel` carries when a door of ours sends it. */
interface CancelSignal {
  readonly step?: string | null;
  readonly by?: string | null;
}

/**
 * Asks to cancel a step and what needs it, or everything (spec 15 "Cancel"). Anybody may send it, with Temporal's own command
 * line, too: then it may carry nothing.
 */
export const cancelSignal = defineSignal<[(CancelSignal | null)?]>(CANCEL_SIGNAL);
export const progressQuery = defineQuery<RunProgress>(PROGRESS_QUERY);
/** Answers the decisions; the workflow works whether or not it arrives (spec 15 "Starting"). */
export const startUpdate = defineUpdate<OpenedRun>(START_UPDATE);
