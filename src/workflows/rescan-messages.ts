import { defineQuery, defineSignal } from '@temporalio/workflow';
import { PAUSE_SIGNAL, RESUME_SIGNAL, RUN_NOW_SIGNAL, SETTINGS_SIGNAL, STATUS_QUERY } from '../domain/names';
import type { LoopSettings, RescanStatus } from './rescan-contract';

/** No round begins by itself until resumed; one that is under way ends. */
export const pauseSignal = defineSignal(PAUSE_SIGNAL);
export const resumeSignal = defineSignal(RESUME_SIGNAL);
/** One round as soon as none is under way, paused or not. It does not change what is expired. */
export const runNowSignal = defineSignal(RUN_NOW_SIGNAL);
/**
 * What a worker is configured with: the limit counts from the next round, the interval from the next sleep. Sent by hand it may
 * carry anything: what is no settings changes nothing.
 */
export const settingsSignal = defineSignal<[(Partial<LoopSettings> | null)?]>(SETTINGS_SIGNAL);
export const statusQuery = defineQuery<RescanStatus>(STATUS_QUERY);
