import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { CANCEL_SIGNAL, PROGRESS_QUERY, START_UPDATE } from '../domain/names';
import type { OpenedRun, RunProgress } from './contract';

/** Asks to cancel a step and what needs it, or everything (spec 15 "Cancel"). */
export const cancelSignal = defineSignal<[{ readonly step?: string; readonly by?: string }]>(CANCEL_SIGNAL);
export const progressQuery = defineQuery<RunProgress>(PROGRESS_QUERY);
/** Answers the decisions; the workflow works whether or not it arrives (spec 15 "Starting"). */
export const startUpdate = defineUpdate<OpenedRun>(START_UPDATE);
