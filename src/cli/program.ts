import { Command } from 'commander';
import { registerAudit } from './commands/audit';
import { registerBudget } from './commands/budget';
import { registerCancel } from './commands/cancel';
import type { Registration } from './commands/command';
import { registerConfig } from './commands/config';
import { registerContexts } from './commands/contexts';
import { registerExplain } from './commands/explain';
import { registerExport } from './commands/export';
import { registerLocks } from './commands/locks';
import { registerMigrate } from './commands/migrate';
import { registerPlan } from './commands/plan';
import { registerProcesses } from './commands/processes';
import { registerPurchases } from './commands/purchases';
import { registerRelease } from './commands/release';
import { registerRescan } from './commands/rescan';
import { registerRun } from './commands/run';
import { registerSettle } from './commands/settle';
import { registerSnapshots } from './commands/snapshots';
import { registerStatus } from './commands/status';
import { registerToggle } from './commands/toggle';
import type { Context } from './context';

const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 usage, 3 blocked, 4 cancelled, 5 partial.';

export interface Program {
  /** Parses and runs; answers the exit code. Throws CommanderError for what it cannot parse, and what commands throw. */
  run(argv: readonly string[]): Promise<number>;
}

/** The whole command line. Nothing is printed and nothing ends the process here but through the context. */
export function createProgram(context: Context): Program {
  let code = 0;
  const program = new Command('callsheet')
    .description('Screenplay in, storyboard images out.')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.stream.write(text),
      // Errors are told once, by main, with what to do next.
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(100, context.terminal.columns()),
    });
  const registration: Registration = {
    program,
    context,
    action:
      (work) =>
      async (...args) => {
        code = await work(...args);
      },
  };
  for (const register of [
    registerRun,
    registerPlan,
    registerStatus,
    registerCancel,
    registerLocks,
    registerRelease,
    registerPurchases,
    registerSettle,
    registerExplain,
    registerSnapshots,
    registerToggle,
    registerExport,
    registerConfig,
    registerBudget,
    registerContexts,
    registerRescan,
    registerAudit,
    registerMigrate,
    registerProcesses,
  ])
    register(registration);
  return {
    run: async (argv) => {
      await program.parseAsync([...argv], { from: 'user' });
      return code;
    },
  };
}
