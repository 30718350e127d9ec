import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../test/support/eventually';
import { temporalAddress } from '../../test/support/settings';
import type { World } from '../../test/support/world';
import { PLAIN_QUEUE, PLAIN_WORKFLOW, type PlainInput } from '../plain/contract';
import { CALL_MS } from './measure';

/** As a step of ours has: several items. */
const ITEMS = 6;

interface DiaryLine {
  readonly atMs: number;
  readonly name: 'first' | 'second';
  readonly item: number;
}

function read(diary: string): readonly DiaryLine[] {
  if (!existsSync(diary)) return [];
  const lines = readFileSync(diary, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as DiaryLine);
}

async function startPlainWorker(namespace: string): Promise<ChildProcess> {
  const root = path.resolve(__dirname, '../..');
  const hook = path.join(root, 'scripts/typescript.js');
  const script = path.join(root, 'bench/plain/worker.ts');
  const child = spawn(process.execPath, ['--require', hook, script, temporalAddress(), namespace], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The plain worker ended before it was ready.'))),
  ]);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The same kill in a plain Temporal program: from the new worker's readiness to its next item and its next activity, in ms. */
export async function measurePlain(
  { client, namespace, folder }: World,
  workflowId: string,
  heartbeatTimeoutMs: number,
): Promise<{ readonly nextItemMs: number; readonly nextStepMs: number }> {
  const diary = path.join(folder, `${workflowId}.jsonl`);
  const input: PlainInput = { items: ITEMS, itemMs: CALL_MS, heartbeatTimeoutMs, diary };
  let worker = await startPlainWorker(namespace);
  try {
    const handle = await client.workflow.start(PLAIN_WORKFLOW, { workflowId, taskQueue: PLAIN_QUEUE, args: [input] });
    await eventually('the activity is in the middle', () => read(diary).length >= 3, { everyMs: 5 });
    await kill(worker);
    const before = read(diary).length;
    worker = await startPlainWorker(namespace);
    const fromMs = Date.now();
    await handle.result();
    const after = read(diary).slice(before);
    const next = after.find((line) => line.name === 'second');
    return { nextItemMs: after[0]!.atMs - fromMs, nextStepMs: next!.atMs - fromMs };
  } finally {
    await kill(worker);
  }
}
