import { performance } from 'node:perf_hooks';
import type { DecisionBody } from '../../bodies/decision';
import { STEP_IDS } from '../../domain/steps';
import { createProgressBars } from '../progress/bars';
import { createProgressLines } from '../progress/lines';
import type { ProgressView } from '../progress/view';
import { sayBeside } from '../say';
import type { Terminal } from '../terminal';

/** Where the stack's notes and a run's progress go: through the view while there is one, so that no line tears a bar. */
export class RunProgress {
  private view: ProgressView | null = null;

  constructor(private readonly terminal: Terminal) {}

  /** A note beside the run. */
  readonly say = (line: string): void => {
    if (this.view) this.view.log(line);
    else sayBeside(this.terminal, line);
  };

  /** Bars where they fit; plain lines for a pipe, a low window, and beside JSON. */
  begin(decisions: readonly DecisionBody[]): ProgressView {
    this.end();
    const { terminal } = this;
    const monotonicMs = () => performance.now();
    const fits = terminal.interactive && terminal.rows() > STEP_IDS.length + 2;
    const print = (line: string) => (terminal.json ? terminal.note(line) : terminal.line(line));
    this.view = fits ? createProgressBars(terminal, decisions, monotonicMs) : createProgressLines(print, monotonicMs);
    return this.view;
  }

  /** Puts the terminal in order; notes go to standard error again. */
  end(): void {
    this.view?.end();
    this.view = null;
  }
}
