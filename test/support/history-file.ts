import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');

export const HISTORIES = path.join(root, 'test/replay/histories');

export interface RecordedHistory {
  /** The behaviour that it protects. */
  readonly name: string;
  readonly workflowId: string;
  readonly history: unknown;
}

/**
 * Writes what really happened; what tells of this machine is taken out, and replay does not look at it. A history that is there
 * stays: it is of a version that may be running somewhere. To record it anew, delete it first.
 */
export async function recordHistory(
  address: string,
  name: string,
  run: { readonly workflowId: string; readonly runId: string },
): Promise<void> {
  const file = path.join(HISTORIES, `${name}.json`);
  if (existsSync(file)) return;
  const fetched = await promisify(execFile)(
    process.execPath,
    [path.join(__dirname, 'fetch-history.cjs'), address, run.workflowId, run.runId],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const recorded: RecordedHistory = {
    name,
    workflowId: run.workflowId,
    history: JSON.parse(fetched.stdout) as unknown,
  };
  const text = JSON.stringify(recorded, null, 1).replaceAll(root, '').replaceAll(os.hostname(), 'studio');
  writeFileSync(file, `${text}\n`);
}
