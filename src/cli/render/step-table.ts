import type { StepStatusBody } from '../../bodies/status';
import { age, counted, money } from '../figures';
import { nextOfMessage } from '../next-step';
import { tableLines, type Cell, type Row } from '../table';
import type { Terminal } from '../terminal';
import { ownerText } from './owner';
import { statusMark, statusPaint } from './status-words';

export interface StepTableOptions {
  /** The database's clock, which ages are told by. */
  readonly now: string;
  /** Steps of which a cancel was asked for. */
  readonly cancelRequested: ReadonlySet<string>;
  /** Owner and heartbeat; left out after a run, where nobody holds anything any more. */
  readonly withOwners: boolean;
}

/** Steps with status, items, calls, cost and owner, and below each row what a person must know of it. */
export function stepTable(terminal: Terminal, steps: readonly StepStatusBody[], options: StepTableOptions): string[] {
  const owners = options.withOwners;
  return tableLines(
    terminal,
    [
      { title: 'STEP', shrinksTo: 12 },
      { title: 'STATUS', shrinksTo: 11 },
      { title: 'ITEMS', align: 'right' },
      { title: 'CALLS', align: 'right' },
      { title: 'COST', align: 'right' },
      ...(owners
        ? ([
            { title: 'BEAT', align: 'right' },
            { title: 'OWNER', shrinksTo: 10 },
          ] as const)
        : []),
    ],
    steps.map((step): Row => {
      const running = step.status === 'running';
      return {
        cells: [
          step.stepId,
          {
            text: `${statusMark(step.status)} ${step.status.replace('_', ' ')}`,
            paint: statusPaint(terminal.colours, step.status),
          },
          itemsText(step),
          String(step.calls),
          money(step.costUsd),
          ...(owners
            ? [running ? age(step.heartbeatAt, options.now) : '-', running ? ownerText(step.owner) : '-']
            : []),
        ],
        notes: notesOf(terminal, step, options),
      };
    }),
  );
}

/** `done/of`; a dash while it is not known what there is to do. */
export function itemsText(step: Pick<StepStatusBody, 'completedCount' | 'applicableCount'>): string {
  if (step.applicableCount === null) return step.completedCount > 0 ? `${step.completedCount}/?` : '-';
  return `${step.completedCount}/${step.applicableCount}`;
}

function notesOf({ colours }: Terminal, step: StepStatusBody, { cancelRequested }: StepTableOptions): Cell[] {
  const notes: Cell[] = [];
  if (cancelRequested.has(step.stepId))
    notes.push({ text: 'cancel requested: ends at its next safe point', paint: colours.yellow });
  if (step.failedCount > 0) notes.push({ text: `${counted(step.failedCount, 'item')} failed`, paint: colours.yellow });
  if (step.errorMessage !== null && step.errorMessage !== '') {
    const paint = step.status === 'failed' ? colours.red : colours.yellow;
    notes.push({ text: step.errorMessage, paint });
    const next = nextOfMessage(step.errorMessage);
    if (next !== null) notes.push({ text: `next: ${next}`, paint: colours.dim });
  }
  const doubt = doubtText(step);
  if (doubt !== null) notes.push({ text: doubt, paint: colours.yellow });
  if (step.recoveryCount > 0 && step.status !== 'completed')
    notes.push({
      text: `recovered ${counted(step.recoveryCount, 'time')}: ${step.lastRecoveryReason ?? 'no reason kept'}`,
      paint: colours.dim,
    });
  return notes;
}

/** What of a step may have been charged: in doubt, or closed without an answer (spec 40); null: nothing. */
function doubtText({ inDoubt, atRiskUsd }: StepStatusBody): string | null {
  if (inDoubt === 0 && atRiskUsd === 0) return null;
  const what = inDoubt > 0 ? `${counted(inDoubt, 'purchase')} in doubt` : 'closed without an answer';
  return `${what}: may have been charged, ${money(atRiskUsd)} at risk`;
}
