import { migrate, migrateDatabase } from '../../db/migrate';
import { withProject } from '../command-frame';
import type { Context } from '../context';
import { EXIT } from '../exit-codes';
import { sayBeside } from '../say';
import { inSession } from '../session';
import type { Registration } from './command';

/** `callsheet migrate`: brings the schema up to this release, forward only (spec 10). The embedded set-up does it by itself. */
export function registerMigrate({ program, context, action }: Registration): void {
  withProject(program.command('migrate').description("bring the database's schema up to this release")).action(
    action(async () => {
      const { databaseUrl } = context.dependencies.readConfig();
      // A database that somebody named is reached directly: the stack refuses a schema older than this release.
      const applied = databaseUrl === undefined ? await migrateEmbedded(context) : await migrateDatabase(databaseUrl);
      if (typeof applied === 'number') return applied;
      context.terminal.body({ applied });
      context.terminal.line(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}.`);
      return EXIT.done;
    }),
  );
}

async function migrateEmbedded(context: Context): Promise<readonly string[] | number> {
  const say = (line: string) => sayBeside(context.terminal, line);
  const ended = await inSession(context, { need: 'database', say }, ({ operations }) => migrate(operations.db));
  if (ended.end === 'done') return ended.value;
  return ended.end === 'interrupted' ? ended.exitCode : EXIT.failed;
}
