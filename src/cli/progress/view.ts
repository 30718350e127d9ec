import type { StatusReading } from '../../operations/queries/status';

/** How progress is shown while a run works: bars on a terminal, plain lines elsewhere. */
export interface ProgressView {
  /** The state now; called often, cheap when nothing has changed. */
  update(reading: StatusReading): void;
  /** A line beside the progress: the stack's own notes, for example. */
  log(line: string): void;
  /** Puts the terminal in order; after it nothing is drawn any more. May be called twice. */
  end(): void;
}
