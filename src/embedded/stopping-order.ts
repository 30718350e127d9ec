import type { ChildName } from './children-file';
import { END_AT_ONCE, END_POSTGRES, END_TEMPORAL, type EndStep } from './process-end';
import type { Supervised } from './supervisor';

/** The worker hands back while API, Temporal and database still live; the keeper sees all others out. */
const ORDER: readonly ChildName[] = ['worker', 'api', 'temporal', 'postgres', 'keeper'];

/** On a second Ctrl-C: servers stop as they must to lose nothing; worker and API are told again, briefly waited for, killed. */
const HURRIED: Readonly<Record<ChildName, readonly EndStep[]>> = {
  worker: [{ signal: 'SIGTERM', waitMs: 2_000 }, ...END_AT_ONCE],
  api: END_AT_ONCE,
  temporal: END_TEMPORAL,
  postgres: END_POSTGRES,
  keeper: END_AT_ONCE,
};

/** The children of a stack, stopped one after the other. */
export class StoppingOrder {
  readonly #parts: Supervised[] = [];
  #stopping: Promise<void> | undefined;
  #hurried = false;
  #current: Supervised | undefined;

  add(part: Supervised): void {
    this.#parts.push(part);
  }

  /** Answers true to the first caller, when all are gone; a later call hastens the first one and answers false. */
  async stop(atOnce: boolean): Promise<boolean> {
    this.#hurried ||= atOnce;
    if (this.#stopping !== undefined) {
      if (atOnce && this.#current) await this.#current.stop(HURRIED[this.#current.name]);
      await this.#stopping;
      return false;
    }
    this.#stopping = this.#stopAll();
    await this.#stopping;
    return true;
  }

  async #stopAll(): Promise<void> {
    const ordered = [...this.#parts].sort((left, right) => ORDER.indexOf(left.name) - ORDER.indexOf(right.name));
    for (const part of ordered) {
      this.#current = part;
      await part.stop(this.#hurried ? HURRIED[part.name] : undefined);
    }
    this.#current = undefined;
  }
}
