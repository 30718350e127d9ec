import { readPurchases } from '../../operations/queries/purchases';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { purchaseLines } from '../render/purchase-table';
import { checkedStepText } from '../step-text';
import type { Registration } from './command';

/** `callsheet purchases [--in-doubt]`: every paid call (spec 40). */
export function registerPurchases({ program, context, action }: Registration): void {
  withEpisode(program.command('purchases').description('every paid call, what it cost, and what is in doubt'))
    .option('--in-doubt', 'only those that may have been charged')
    .option('--step <step>', 'only of this step', checkedStepText)
    .action(
      action(async (options: EpisodeOptions & { inDoubt?: boolean; step?: string }) =>
        atDesk(context, 'database', async (session) => {
          const { terminal } = context;
          const episode = await episodeOf(session, options);
          const purchases = await readPurchases(session.operations.db, episode, {
            stepId: options.step,
            inDoubtOnly: options.inDoubt,
          });
          terminal.body(purchases);
          if (purchases.purchases.length === 0)
            terminal.line(options.inDoubt ? 'Nothing is in doubt.' : 'Nothing was bought.');
          else
            for (const line of purchaseLines(terminal, purchases, { undecided: options.inDoubt === true }))
              terminal.line(line);
          return EXIT.done;
        }),
      ),
    );
}
