import type { BudgetBody } from '../../bodies/budget';
import { readBudget } from '../../operations/queries/budget';
import { setCap } from '../../operations/set-cap';
import { atDesk, withProject } from '../command-frame';
import { operatorName, type Context } from '../context';
import { EXIT } from '../exit-codes';
import { money } from '../figures';
import { dollarAmount } from '../option-values';
import { plainLine } from '../plain-text';
import { UsageError } from '../report-error';
import type { Registration } from './command';

interface BudgetOptions {
  readonly project: string;
  readonly run?: string;
}

/** `callsheet budget [set USD [--run ID]]`: caps in US dollars (spec 40 "Budget"). */
export function registerBudget({ program, context, action }: Registration): void {
  withProject(
    program
      .command('budget')
      .description('caps in US dollars, and what is spent')
      .argument('[act]', 'set USD; without: show')
      .argument('[usd]', 'US dollars', dollarAmount),
  )
    .option(
      '--run <id>',
      'of an open run instead of the project: the workflow run id, as callsheet status --json shows it',
    )
    .action(
      action(async (act: string | undefined, capUsd: number | undefined, options: BudgetOptions) => {
        if (act !== undefined && (act !== 'set' || capUsd === undefined))
          throw new UsageError('Say budget, or budget set USD.');
        if (act === undefined && options.run !== undefined) throw new UsageError('--run goes with budget set USD.');
        return atDesk(context, 'database', async ({ operations: { db } }) => {
          const { project: projectId, run: runId } = options;
          const budget =
            capUsd === undefined
              ? await readBudget(db, projectId)
              : await setCap(db, { projectId, runId, capUsd, by: operatorName() });
          print(context, budget);
          return EXIT.done;
        });
      }),
    );
}

function print({ terminal }: Context, budget: BudgetBody): void {
  terminal.body(budget);
  const under =
    budget.capUsd === null
      ? 'no cap.'
      : `cap ${money(budget.capUsd)}, ${money(budget.committedUsd ?? 0)} spent or reserved.`;
  terminal.line(`Project ${plainLine(budget.projectId)}: ${under}`);
  for (const run of budget.runs)
    terminal.line(
      `Run ${plainLine(run.runId)}: cap ${money(run.capUsd)}, ${money(run.committedUsd)} spent or reserved.`,
    );
}
