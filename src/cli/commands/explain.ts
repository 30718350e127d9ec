import { explainStep } from '../../operations/queries/explain';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { wholeNumber } from '../option-values';
import { explainLines } from '../render/explain-list';
import { checkedStepText } from '../step-text';
import type { Registration } from './command';

/** `callsheet explain STEP`: the decisions that its runs started with, and their evidence (spec 20 "Explain"). */
export function registerExplain({ program, context, action }: Registration): void {
  withEpisode(program.command('explain').description('why runs of a step did what they did').argument('<step>'))
    .option('--run <id>', 'only this run (of the step or of the workflow)')
    .option('--limit <count>', 'at most this many, newest first', wholeNumber, 10)
    .action(
      action(async (step: string, options: EpisodeOptions & { run?: string; limit: number }) =>
        atDesk(context, 'database', async (session) => {
          const { terminal } = context;
          const episode = await episodeOf(session, options);
          const explained = await explainStep(session.operations.db, episode, checkedStepText(step), {
            run: options.run,
            limit: options.limit,
          });
          terminal.body(explained);
          for (const line of explainLines(terminal, explained)) terminal.line(line);
          return EXIT.done;
        }),
      ),
    );
}
