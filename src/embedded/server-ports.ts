import { isPortFree } from './free-port';
import type { PortSource } from './remembered-ports';
import type { StartedChild } from './started-child';

const ATTEMPTS = 6;
/** As PostgreSQL, Temporal and Node.js say it, the last one also with the API's own code. */
const SAYS_TAKEN = /address already in use|EADDRINUSE|stack\.port_in_use/i;

/** What one attempt to start a server brought. */
export type StartAttempt =
  | { readonly started: true; readonly child: StartedChild }
  /** `said`: what it wrote to its log meanwhile. */
  | { readonly started: false; readonly error: Error; readonly said: string };

/**
 * The ports of a server that we chose, and its start on them. Between the choice and the start any other program may take one:
 * then others are chosen, as long as nobody can know the first ones yet. After the first start they stay for good.
 */
export class ServerPorts {
  #known = false;

  private constructor(
    private readonly name: string,
    private readonly source: PortSource,
    private readonly say: (line: string) => void,
    private ports: readonly number[],
  ) {}

  static async choose(name: string, source: PortSource, say: (line: string) => void): Promise<ServerPorts> {
    return new ServerPorts(name, source, say, await source.first());
  }

  get all(): readonly number[] {
    return this.ports;
  }

  /** Throws the error of the last attempt. */
  async start(attempt: (ports: readonly number[]) => Promise<StartAttempt>): Promise<StartedChild> {
    for (let made = 1; ; made += 1) {
      const outcome = await attempt(this.ports);
      if (outcome.started) {
        this.#known = true;
        return outcome.child;
      }
      if (this.#known || made >= ATTEMPTS || !(await this.#areTaken(outcome.said))) throw outcome.error;
      const before = this.ports;
      this.ports = await this.source.others();
      this.say(
        `${this.name}: another program has taken a port (of ${before.join(', ')}) meanwhile; trying again with ${this.ports.join(', ')}.`,
      );
    }
  }

  /** Some servers have ports besides those that they are given: then only their log knows. */
  async #areTaken(said: string): Promise<boolean> {
    if (SAYS_TAKEN.test(said)) return true;
    return (await Promise.all(this.ports.map(isPortFree))).includes(false);
  }
}
