import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { collected, itemChoice, oneStep, stepList, type ItemChoice } from '../option-values';
import { planLines } from '../render/plan-table';
import type { Registration } from './command';

interface PlanOptions extends EpisodeOptions {
  readonly steps?: string[];
  readonly from?: string;
  readonly force?: string[];
  readonly items?: ItemChoice;
  readonly assume?: string[];
}

/** `callsheet plan`: what a run would do and cost; writes nothing (spec 20, 40 "Plan"). Exit 3 where a step blocks. */
export function registerPlan({ program, context, action }: Registration): void {
  withEpisode(program.command('plan').description('what a run would do, why, and what it would cost'))
    .option('--steps <steps>', 'only these steps (a,b)', stepList)
    .option('--from <step>', 'this step and all downstream of it', oneStep)
    .option('--force <steps>', 'as if these steps were forced', stepList)
    .option('--items <choice>', 'as if these items were asked again (STEP:ITEM,…)', itemChoice)
    .option('--assume <change>', 'as if this had changed, e.g. config.style=noir (may be repeated)', collected)
    .action(
      action(async (options: PlanOptions) =>
        atDesk(context, 'database', async (session) => {
          const { steps, from, force, items, assume } = options;
          const plan = await session.operations.plan({
            ...(await episodeOf(session, options)),
            steps,
            from,
            force,
            items,
            assume,
          });
          context.terminal.body(plan);
          for (const line of planLines(context.terminal, plan)) context.terminal.line(line);
          return plan.steps.some((step) => step.action === 'block') ? EXIT.blocked : EXIT.done;
        }),
      ),
    );
}
