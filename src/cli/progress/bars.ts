import { MultiBar, type SingleBar } from 'cli-progress';
import type { DecisionBody } from '../../bodies/decision';
import type { StatusReading } from '../../operations/queries/status';
import { plainLine, wrapTo } from '../plain-text';
import type { Terminal } from '../terminal';
import { barLine, type BarFacts } from './bar-line';
import { Pace } from './pace';
import type { ProgressView } from './view';

const DRAWN_A_SECOND = 5;
/** Clears what an old bar left to the right of a line that takes its place. */
const CLEAR_RIGHT = '\u001b[K';

/** A bar for each step, drawn in place. Only for a terminal with room for all of them. */
export function createProgressBars(
  terminal: Terminal,
  decisions: readonly DecisionBody[],
  monotonicMs: () => number,
): ProgressView {
  const bars = new Map<string, SingleBar>();
  const paces = new Map<string, Pace>();
  const kept = new Set(decisions.filter((decision) => decision.action === 'skip').map((decision) => decision.stepId));
  const facts = new Map<string, BarFacts>();
  const multi = new MultiBar({
    stream: terminal.stream,
    hideCursor: true,
    // The library's own last drawing cuts lines in the middle of a colour, so the end is written here.
    clearOnComplete: true,
    linewrap: false,
    fps: DRAWN_A_SECOND,
    // A logged line moves all bars down, so each is drawn again although its text is the same.
    forceRedraw: true,
    gracefulExit: false,
    emptyOnZero: true,
    format: (_options, _params, payload: { stepId: string }) => {
      const known = facts.get(payload.stepId);
      return known ? barLine(terminal.colours, known, terminal.columns() - 1) : '';
    },
  });
  let ended = false;
  return {
    update: ({ body }: StatusReading) => {
      if (ended) return;
      const atMs = monotonicMs();
      for (const step of body.steps) {
        const pace = paces.get(step.stepId) ?? new Pace();
        paces.set(step.stepId, pace);
        if (step.status === 'running') pace.note(atMs, step.completedCount);
        const secondsLeft = step.applicableCount === null ? null : pace.secondsLeft(atMs, step.applicableCount);
        facts.set(step.stepId, {
          step,
          secondsLeft,
          word: kept.has(step.stepId) && step.status === 'completed' ? 'kept' : '',
        });
        if (!bars.has(step.stepId)) bars.set(step.stepId, multi.create(1, 0, { stepId: step.stepId }));
      }
      multi.update();
    },
    log: (line) => {
      if (ended) return;
      for (const part of wrapTo(plainLine(line), terminal.columns() - 1))
        multi.log(`${terminal.colours.dim(part)}${CLEAR_RIGHT}\n`);
    },
    end: () => {
      if (ended) return;
      ended = true;
      // Nothing was drawn: stopping would clear what stands there.
      if (bars.size === 0) return;
      multi.update();
      multi.stop();
      for (const known of facts.values()) terminal.line(barLine(terminal.colours, known, terminal.columns() - 1));
    },
  };
}
