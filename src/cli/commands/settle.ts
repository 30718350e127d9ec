import { settlePurchase } from '../../operations/settle';
import { atDesk, withProject } from '../command-frame';
import { operatorName } from '../context';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { UsageError } from '../report-error';
import type { Registration } from './command';

/** `callsheet settle PURCHASE buy-again|give-up`: a person's word on a call that may have been charged (spec 40). */
export function registerSettle({ program, context, action }: Registration): void {
  withProject(
    program
      .command('settle')
      .description('decide about a purchase in doubt')
      .argument('<purchase>', 'its id, as callsheet purchases --in-doubt shows it')
      .argument(
        '<decision>',
        'buy-again: the next run asks anew; give-up: the item fails until redo or --items asks it',
      ),
  ).action(
    action(async (id: string, decision: string) => {
      if (decision !== 'buy-again' && decision !== 'give-up')
        throw new UsageError('The decision is buy-again or give-up.');
      return atDesk(context, 'database', async ({ operations }) => {
        const { terminal } = context;
        const { purchase, changed } = await settlePurchase(operations.db, {
          purchaseId: id,
          decision,
          by: operatorName(),
        });
        const { stepId, itemId } = purchase;
        terminal.body(purchase);
        const what =
          decision === 'buy-again'
            ? 'the next run asks it anew'
            : 'it fails, and only callsheet redo or --items asks it again';
        terminal.line(
          plainLine(`${changed ? 'Decided' : 'Had been decided before'} for ${stepId} ${itemId}: ${what}.`),
        );
        return EXIT.done;
      });
    }),
  );
}
