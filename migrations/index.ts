import type { Migration } from 'kysely';
import * as stepRun from './001_step_run';
import * as stepLockOwnership from './010_step_lock_ownership';
import * as temporalIdentity from './020_temporal_identity';
import * as ledger from './030_ledger';
import * as purchase from './040_purchase';
import * as contexts from './050_contexts';
import * as event from './060_event';

/** All migrations, applied in order of their names; only added to, never changed once released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_step_run': stepRun,
  '010_step_lock_ownership': stepLockOwnership,
  '020_temporal_identity': temporalIdentity,
  '030_ledger': ledger,
  '040_purchase': purchase,
  '050_contexts': contexts,
  '060_event': event,
};
