import { parentPort, workerData } from 'node:worker_threads';
import { Beater } from './beater';
import type { FromThread, HeartbeatSettings, ToThread } from './messages';

const GOODBYE_MS = 1_000;

/** The heartbeat's thread: a CPU-bound step on the main thread does not stop it (spec 10 "Heartbeat"). */
function main(port: NonNullable<typeof parentPort>): void {
  const tell = (message: FromThread): void => port.postMessage(message);
  const beater = new Beater(workerData as HeartbeatSettings, tell, () => performance.now());
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

if (parentPort) main(parentPort);
