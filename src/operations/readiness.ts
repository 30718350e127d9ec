import type { ReadinessBody } from '../bodies/readiness';
import type { Db } from '../db/pool';
import { requireSchema } from '../db/migrate';
import { AppError, type ErrorCode } from '../domain/errors';
import { databaseNow } from './queries/database-now';

type Check = ReadinessBody['checks'][number];

export interface ReadinessDependencies {
  readonly db: Db;
  /** null: this process was told of no Temporal. */
  readonly temporal: { readonly client: { ping(): Promise<void> } } | null;
}

/** Whether a start could work now (spec 50 `/readyz`): database, its schema with every migration, Temporal. Never throws. */
export async function readiness(deps: ReadinessDependencies): Promise<ReadinessBody> {
  const [database, temporal] = await Promise.all([
    check('database', 'db.unavailable', () => databaseNow(deps.db)),
    check('temporal', 'temporal.unavailable', async () => {
      if (!deps.temporal) throw new AppError('temporal.unavailable', 'No Temporal is named.');
      await deps.temporal.client.ping();
    }),
  ]);
  const schema = database.ok
    ? await check('schema', 'db.schema_outdated', () => requireSchema(deps.db))
    : { name: 'schema' as const, ok: false, code: database.code };
  const checks = [database, schema, temporal];
  return { ready: checks.every((one) => one.ok), checks };
}

/** Whatever goes wrong here is an answer; what it was exactly is for the log of the process that asks. */
async function check(name: Check['name'], otherwise: ErrorCode, probe: () => Promise<unknown>): Promise<Check> {
  try {
    await probe();
    return { name, ok: true, code: null };
  } catch (error) {
    return { name, ok: false, code: error instanceof AppError ? error.code : otherwise };
  }
}
