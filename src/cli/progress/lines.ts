import type { StepStatusBody } from '../../bodies/status';
import type { StatusReading } from '../../operations/queries/status';
import { counted, money } from '../figures';
import { plainLine } from '../plain-text';
import { itemsText } from '../render/step-table';
import type { ProgressView } from './view';

/** A step that only counts up says so this often at most; a change of status is said at once. */
const QUIET_MS = 5_000;

interface Said {
  readonly text: string;
  readonly status: string;
  readonly atMs: number;
}

/**
 * `step status done/total calls cost`, one line for each change: for logs and pipes. Steps that are at rest from the start
 * are not said: the decisions have named them.
 */
export function createProgressLines(print: (line: string) => void, monotonicMs: () => number): ProgressView {
  const said = new Map<string, Said>();
  let ended = false;
  return {
    update: (reading: StatusReading) => {
      if (ended) return;
      const atMs = monotonicMs();
      for (const step of reading.body.steps) {
        const before = said.get(step.stepId);
        const text = lineOf(step);
        const rests = before === undefined && step.status !== 'running';
        if (rests) said.set(step.stepId, { text, status: step.status, atMs });
        else if (text !== before?.text && (step.status !== before?.status || atMs - before.atMs >= QUIET_MS)) {
          print(text);
          said.set(step.stepId, { text, status: step.status, atMs });
        }
      }
    },
    log: (line) => print(line),
    end: () => {
      ended = true;
    },
  };
}

function lineOf(step: StepStatusBody): string {
  return plainLine(
    `${step.stepId} ${step.status} ${itemsText(step)} ${counted(step.calls, 'call')} ${money(step.costUsd)}`,
  );
}
