/** Names that Temporal knows us by. Workflows, worker and client read them here; a literal elsewhere is a fault. */
export const TASK_QUEUE = 'callsheet';
export const RUN_EPISODE = 'runEpisode';
export const CANCEL_SIGNAL = 'cancel';
export const PROGRESS_QUERY = 'progress';
export const START_UPDATE = 'start';

export const SEARCH_ATTRIBUTES = ['CallsheetProject', 'CallsheetEpisode', 'CallsheetState'] as const;

/** The loop that finds lost AI work (spec 30 "As a Temporal workflow"). */
export const RESCAN = 'rescan';
export const PAUSE_SIGNAL = 'pause';
export const RESUME_SIGNAL = 'resume';
export const RUN_NOW_SIGNAL = 'runNow';
export const SETTINGS_SIGNAL = 'settings';
export const STATUS_QUERY = 'status';
