import { askAi, type AskDependencies, type AskOutcome } from '../../contexts/ask';
import { addToCounters } from '../../contexts/counters';

/** First requests, and those that a person asked for: they follow the commit, count as no retry, and nobody waits for them. */
export class Asking {
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly deps: AskDependencies) {}

  /** Asks the AI service in the background. A failure is kept with the context, and the rescan asks again. */
  begin(contextId: string): void {
    const asking = this.ask(contextId).finally(() => this.underWay.delete(asking));
    this.underWay.add(asking);
  }

  /** Resolves when all that was begun has ended: before a process that lives for one command may end. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async ask(contextId: string): Promise<void> {
    const { db, log } = this.deps;
    try {
      const label = labelOf(await askAi(this.deps, contextId));
      if (label !== null) await addToCounters(db, [{ name: 'requests', label, by: 1 }]);
    } catch (error) {
      log.warn({ contextId, err: error }, 'the metrics lack this request: it could not be counted');
    }
  }
}

function labelOf(asked: AskOutcome): string | null {
  switch (asked.outcome) {
    case 'sent':
      return 'sent';
    case 'failed':
      return asked.reason;
    case 'nothing_owed':
    case 'no_context':
      return null;
  }
}
