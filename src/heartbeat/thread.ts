import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { sinceBootMs } from '../clock';
import { Beater } from './beater';
import { stallLine } from './stall-line';
import type { FromThread, HeartbeatSettings, ToThread } from './messages';

const GOODBYE_MS = 1_000;
const STANDARD_ERROR = 2;

/** The heartbeat's thread: a CPU-bound step on the main thread does not stop it (spec 10 "Heartbeat"). */
function main(port: NonNullable<typeof parentPort>): void {
  const tell = (message: FromThread): void => {
    if (message.kind === 'stalled') sayStalled(message.silentMs);
    port.postMessage(message);
  };
  const beater = new Beater(workerData as HeartbeatSettings, tell, sinceBootMs);
  const timer = setInterval(() => void beater.tick(), Beater.tickMs);
  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'hold':
        return beater.hold(message.runId);
      case 'drop':
        return beater.drop(message.runId);
      case 'stop':
        clearInterval(timer);
        // A frozen server never answers the goodbye: the connection ends with this thread, a moment later at the latest.
        setTimeout(() => process.exit(0), GOODBYE_MS).unref();
        void beater.disconnect().finally(() => {
          tell({ kind: 'stopped' });
          port.close();
        });
    }
  });
  void beater.tick();
}

/** Straight to standard error: a thread's own console goes through the main thread. */
function sayStalled(silentMs: number): void {
  try {
    writeSync(STANDARD_ERROR, stallLine(silentMs, new Date(), process.pid));
  } catch {
    // Nobody reads it: that is no reason to beat on.
  }
}

if (parentPort) main(parentPort);
