import { shortTransaction } from '../db/transaction';
import type { ItemOutcome } from '../pipeline/definition';
import { countItems } from '../ledger/count-items';
import { withoutNul } from '../store/decisions';
import { WHOLE_STEP } from '../store/generations';
import { archiveItems, keepItem } from '../store/items';
import { clearMarksRead, type StaleMark } from '../store/stale-marks';
import type { ExecutionDependencies } from './dependencies';
import type { CallPlan } from './needed-items';
import type { RunCallsContext } from './calls';
import { untilWritten } from './until-written';

interface Counts {
  readonly applicable: number;
  readonly completed: number;
  readonly failed: number;
}

/**
 * Keeps items as they arrive, one write after the other, under the fence, with the counts of the step's row and without the
 * item's stale mark (spec 20 "Items").
 */
export class ItemKeeper {
  readonly outcomes = new Map<string, ItemOutcome>();
  private readonly applicable: number;
  /** Writes of one step follow each other, so that the counts on the row only grow. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly deps: ExecutionDependencies,
    private readonly context: RunCallsContext,
    private readonly plans: readonly CallPlan[],
  ) {
    this.applicable = plans.reduce((sum, plan) => sum + plan.call.items.length, 0);
  }

  counts(): Counts {
    const all = [...this.outcomes.values()];
    const completed = all.filter((outcome) => outcome.status === 'done').length;
    return { applicable: this.applicable, completed, failed: all.length - completed };
  }

  /** Takes over what is there already. False: ownership was lost. */
  begin(): Promise<boolean> {
    const { kept, marks, held } = this.context;
    const asked = new Set(this.plans.flatMap((plan) => plan.call.items));
    for (const plan of this.plans) {
      const needed = new Set(plan.needed);
      for (const item of plan.call.items) {
        const result = kept.get(item);
        if (!result || needed.has(item)) continue;
        this.outcomes.set(
          item,
          result.status === 'done'
            ? { status: 'done', result: result.result, requestHash: result.requestHash }
            : { status: 'failed', code: result.errorCode ?? 'step.failed', message: result.errorMessage ?? '' },
        );
      }
    }
    const unmarked = this.plans.flatMap((plan) => plan.unmarked);
    // A marked item that is not asked any more (its scene is gone): detached; its purchase serves should it come back.
    const orphans = this.marksToGo([...marks.keys()].filter((item) => item !== WHOLE_STEP && !asked.has(item)));
    const detached = [...orphans].filter(([, { act }]) => act !== 'toggle').map(([item]) => item);
    return this.write('Taking over kept items', false, async (tx) => {
      await clearMarksRead(tx, held, new Map([...this.marksToGo(unmarked), ...orphans]));
      await archiveItems(tx, held, detached);
    });
  }

  /**
   * Of these items, the marks that may go, as they were read. A force of items marks what reads them before they change: while a
   * step upstream is not finished, the change may still be to come, and an unchanged request proves nothing. The mark stays,
   * and the next run looks again at no cost. A switch has happened when it is marked.
   */
  private marksToGo(items: readonly string[]): ReadonlyMap<string, StaleMark> {
    const { marks, settled } = this.context;
    const read = items.flatMap((item) => (marks.has(item) ? [[item, marks.get(item)!] as const] : []));
    return new Map(read.filter(([, { act }]) => settled || act === 'toggle'));
  }

  /** Keeps what one call brought. False: ownership was lost, and nothing was written. */
  async keep(
    requestHash: string,
    generation: number,
    purchaseId: string | null,
    outcomes: ReadonlyMap<string, ItemOutcome>,
  ): Promise<boolean> {
    const { held, step } = this.context;
    for (const [item, outcome] of outcomes) this.outcomes.set(item, outcome);
    // A failed item is asked again by the next attempt: it is no progress, and must not hide a step that kills its owners.
    const itemFinished = [...outcomes.values()].some((outcome) => outcome.status === 'done');
    const landed = await this.write('Keeping an item', itemFinished, async (tx) => {
      for (const [item, outcome] of outcomes)
        await keepItem(tx, held, {
          itemId: item,
          status: outcome.status,
          requestHash,
          schemaVersion: step.schemaVersion,
          generation,
          result: outcome.status === 'done' ? outcome.result : null,
          errorCode: outcome.status === 'failed' ? outcome.code : null,
          errorMessage: outcome.status === 'failed' ? withoutNul(outcome.message) : null,
          purchaseId,
          runId: held.runId,
        });
      await clearMarksRead(tx, held, this.marksToGo([...outcomes.keys()]));
    });
    const { completed, failed } = this.counts();
    if (landed) this.context.progress(completed, failed, this.applicable);
    return landed;
  }

  private write(
    doing: string,
    itemFinished: boolean,
    work: (tx: Parameters<typeof countItems>[0]) => Promise<void>,
  ): Promise<boolean> {
    const { held } = this.context;
    const next = this.last.then(() =>
      untilWritten(this.deps, doing, () =>
        shortTransaction(this.deps.db, doing, async (tx) => {
          // Counting locks the row under the fence first: what follows is written only by its owner.
          if (!(await countItems(tx, held, { ...this.counts(), itemFinished }))) return false;
          await work(tx);
          return true;
        }),
      ),
    );
    this.last = next.catch(() => undefined); // a failed write is its caller's; the next one still has its turn
    return next;
  }
}
