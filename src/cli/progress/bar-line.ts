import type { StepStatusBody } from '../../bodies/status';
import { counted, money, span } from '../figures';
import { columnsOf, cutTo, plainLine } from '../plain-text';
import { itemsText } from '../render/step-table';
import { statusMark, statusPaint } from '../render/status-words';
import type { Colours } from '../terminal';

const NAME_COLUMNS = 20;
const FULL = '█';
const EMPTY = '░';

export interface BarFacts {
  readonly step: StepStatusBody;
  /** null while no pace is known. */
  readonly secondsLeft: number | null;
  /** The step's own end: `kept` for one that was skipped, for example; empty: told from the status. */
  readonly word: string;
}

/** One step on one line of at most `columns`: mark, name, bar, items, calls, cost, and the time left or how it ended. */
export function barLine(colours: Colours, facts: BarFacts, columns: number): string {
  const { step, secondsLeft, word } = facts;
  const paint = statusPaint(colours, step.status);
  const end =
    word !== ''
      ? word
      : step.status === 'running'
        ? secondsLeft === null
          ? ''
          : `~${span(secondsLeft)} left`
        : endWord(step.status);
  // A step that has not begun has no figures yet.
  const begun = step.status !== 'pending' || step.calls > 0;
  const items = (begun ? itemsText(step) : '').padStart(7);
  const calls = (begun ? counted(step.calls, 'call') : '').padStart(9);
  const cost = (begun ? money(step.costUsd) : '').padStart(7);
  const figures = `${items}  ${calls}  ${cost}  ${begun ? end : colours.dim(end)}`;
  const room = columns - NAME_COLUMNS - 5 - Math.max(columnsOf(figures), 39);
  const bar = room >= 6 ? ` ${paint(barOf(step, Math.min(room, 40)))}` : '';
  const name = cutTo(plainLine(step.stepId), NAME_COLUMNS).padEnd(NAME_COLUMNS);
  return `${paint(statusMark(step.status))} ${step.status === 'running' ? colours.bold(name) : name}${bar} ${figures}`.trimEnd();
}

/** The share that is done; a step that has ended well is full, also without items. */
function barOf(step: StepStatusBody, width: number): string {
  const total = step.applicableCount ?? 0;
  const share = step.status === 'completed' ? 1 : total > 0 ? Math.min(1, step.completedCount / total) : 0;
  // Full only when all is done: 62 of 63 must not look finished.
  const full = share === 1 ? width : Math.min(width - 1, Math.round(share * width));
  return FULL.repeat(Math.max(0, full)) + EMPTY.repeat(width - Math.max(0, full));
}

function endWord(status: string): string {
  switch (status) {
    case 'completed':
      return 'done';
    case 'pending':
      return 'waiting';
    case 'not_applicable':
      return 'not needed';
    default:
      return plainLine(status.replaceAll('_', ' '));
  }
}
