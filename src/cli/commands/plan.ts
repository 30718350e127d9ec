import type { EpisodeRef } from '../../operations/contract';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { collected, itemChoice, oneStep, stepList, type ItemChoice } from '../option-values';
import { plainLine } from '../plain-text';
import { placeOf } from '../place';
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
          const episode = await episodeOf(session, options);
          const plan = await session.operations.plan({
            ...episode,
            steps,
            from,
            force,
            items,
            assume,
          });
          context.terminal.body(plan);
          for (const line of planLines(context.terminal, plan, runOf(plan.token, episode, options)))
            context.terminal.line(line);
          return plan.steps.some((step) => step.action === 'block') ? EXIT.blocked : EXIT.done;
        }),
      ),
    );
}

/** The command that runs exactly this plan: a token is good for the same choice only, and never for what was assumed. */
function runOf(token: string, episode: EpisodeRef, { steps, from, force, items, assume }: PlanOptions): string | null {
  if (assume !== undefined) return null;
  const asked = Object.entries(items ?? {}).flatMap(([step, ids]) => ids.map((id) => `${step}:${id}`));
  return [
    `callsheet run --plan-token ${token}`,
    ...(steps ? [`--steps ${steps.join(',')}`] : []),
    ...(from === undefined ? [] : [`--from ${from}`]),
    ...(force ? [`--force ${force.join(',')}`] : []),
    ...(asked.length === 0 ? [] : [`--items ${plainLine(asked.join(','))}`]),
    placeOf(episode),
  ].join(' ');
}
