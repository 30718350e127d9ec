import type { DecisionBody } from '../../bodies/decision';
import { tableLines } from '../table';
import type { Terminal } from '../terminal';
import { actionPaint, actionWords } from './status-words';

/** What was decided for each step, and why; the reason stands below where the terminal is narrow. */
export function decisionTable(terminal: Terminal, decisions: readonly DecisionBody[]): string[] {
  const { colours } = terminal;
  return tableLines(
    terminal,
    [{ title: 'STEP', shrinksTo: 12 }, { title: 'DECISION' }, { title: 'REASON', shrinksTo: 20 }],
    decisions.map((decision) => {
      const blocked = decision.action === 'block';
      const reason = blocked && decision.code ? `${decision.code}: ${decision.reason}` : decision.reason;
      return {
        cells: [
          decision.stepId,
          { text: actionWords(decision.action), paint: actionPaint(colours, decision.action) },
          blocked ? '' : { text: reason, paint: colours.dim },
        ],
        // A block is what the reader came for, so it is never cut.
        notes: blocked ? [{ text: reason, paint: colours.red }] : [],
      };
    }),
  );
}
