import type { RescanSettings } from '../config';

/** When work counts as lost, and how much of it one round takes (spec 30 "Settings"). */
export type RoundSettings = Pick<RescanSettings, 'pendingExpiryMs' | 'processingExpiryMs' | 'maxRetries' | 'batchSize'>;
