import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import { PLAIN_QUEUE, type PlainActivities, type PlainInput } from './contract';

/** Each item leaves a line; the heartbeat carries how far it is, so that the next attempt goes on from there. */
async function work(name: string, { items, itemMs, diary }: PlainInput): Promise<void> {
  const context = Context.current();
  const begun = (context.info.heartbeatDetails as number | undefined) ?? 0;
  for (let item = begun; item < items; item += 1) {
    appendFileSync(diary, `${JSON.stringify({ atMs: Date.now(), name, item })}\n`);
    await delay(itemMs);
    context.heartbeat(item + 1);
  }
}

const activities: PlainActivities = {
  first: (input) => work('first', input),
  second: (input) => work('second', input),
};

async function run(address: string, namespace: string): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: PLAIN_QUEUE,
    workflowsPath: path.join(__dirname, 'workflow.ts'),
    activities,
  });
  const running = worker.run();
  process.stdout.write('{"ready":true}\n');
  await running;
}

const [address = '', namespace = ''] = process.argv.slice(2);
run(address, namespace).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
