/** Names that Temporal knows us by. Workflows, worker and client read them here; a literal elsewhere is a fault. */
export const TASK_QUEUE = 'callsheet';
export const RUN_EPISODE = 'runEpisode';
export const CANCEL_SIGNAL = 'cancel';
export const PROGRESS_QUERY = 'progress';
export const START_UPDATE = 'start';

export const SEARCH_ATTRIBUTES = ['CallsheetProject', 'CallsheetEpisode', 'CallsheetState'] as const;
