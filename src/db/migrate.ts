import { Migrator } from 'kysely';
import { MIGRATIONS } from '../../migrations';
import { AppError } from '../domain/errors';
import { WITHOUT_LIMITS } from './answer-limit';
import { translateDatabaseError } from './errors';
import { openDatabase, type Db } from './pool';

/** Table names of our own, so that another tool's migrations in the same database are never read (spec 10). */
function migratorOf(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
    migrationTableName: 'callsheet_migration',
    migrationLockTableName: 'callsheet_migration_lock',
  });
}

async function pendingMigrations(db: Db): Promise<readonly string[]> {
  try {
    const migrations = await migratorOf(db).getMigrations();
    return migrations.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
  } catch (error) {
    throw translateDatabaseError(error, 'Reading the schema version failed');
  }
}

/**
 * Forward only; concurrent calls wait for each other; a schema newer than this release is left alone (spec 10).
 * Answers the names that were applied. Throws db.unavailable.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  const { error, results } = await migratorOf(db).migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error');
    throw translateDatabaseError(error, failed ? `Migration ${failed.migrationName} failed` : 'Migrating failed');
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** The same over connections of its own, on which a statement may take as long as it takes. Throws db.unavailable. */
export async function migrateDatabase(databaseUrl: string): Promise<readonly string[]> {
  // The failed query itself tells of a dropped connection.
  const { db, close } = openDatabase(databaseUrl, 2, () => undefined, WITHOUT_LIMITS);
  try {
    return await migrate(db);
  } finally {
    await close();
  }
}

/** Refuses a schema older than this release; a newer one is accepted (spec 10). Throws db.schema_outdated. */
export async function requireSchema(db: Db): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new AppError('db.schema_outdated', `The database lacks: ${pending.join(', ')}.`);
}
