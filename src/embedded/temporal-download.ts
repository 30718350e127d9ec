import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '../config';
import { compiledEntry } from './compiled-folder';
import { lastLine } from './log-file';
import { killGroup } from './process-end';
import { cacheFolder, putInCache } from './temporal-cache';

const STALL_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 1_000;

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function largestIn(folder: string): string | undefined {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  return files.sort((left, right) => lstatSync(right).size - lstatSync(left).size)[0];
}

/** The SDK nests five messages in one; the last ones say what happened. */
function innermost(message: string): string {
  return message.split(': ').slice(-3).join(': ').replace(/\.$/, '');
}

/** Runs the SDK's download in a process of its own; ended when nothing has arrived for 20 s, as the SDK itself never gives up. */
function runDownload(folder: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const script = compiledEntry('sdk-download');
    if (!existsSync(script)) return resolve('the download needs the compiled program (npm run build)');
    // Standard input is the pipe that ends the child when we are gone. It leads a group of its own: the SDK starts what it has
    // fetched to try it, and that server must not stay behind.
    const child = spawn(process.execPath, [script, folder], {
      env: childEnvironment({}),
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const isOver = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    const giveUp = () => {
      if (child.pid !== undefined && !isOver()) killGroup(child.pid);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    let errors = '';
    let stalled = false;
    let bytes = 0;
    let lastGrowthMs = performance.now();
    const timer = setInterval(() => {
      const now = bytesIn(folder);
      if (now > bytes) [bytes, lastGrowthMs] = [now, performance.now()];
      if (performance.now() - lastGrowthMs < STALL_LIMIT_MS || isOver()) return;
      stalled = true;
      giveUp();
    }, LOOK_EVERY_MS);
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
    child.once('error', (error) => (errors = error.message));
    child.once('close', (code) => {
      clearInterval(timer);
      signal?.removeEventListener('abort', giveUp);
      if (stalled) resolve(`nothing arrived for ${STALL_LIMIT_MS / 1000} s (no network?)`);
      else resolve(code === 0 ? undefined : innermost(lastLine(errors)) || `it ended with code ${code ?? '?'}`);
    });
  });
}

/** The SDK's own download, into the cache. A reason instead where it failed; never hangs without a network; ends at the signal. */
export async function download(
  cacheDir: string,
  signal?: AbortSignal,
): Promise<{ ok: true; file: string } | { ok: false; reason: string }> {
  if (signal?.aborted) return { ok: false, reason: 'it was given up' };
  const folder = mkdtempSync(path.join(cacheFolder(cacheDir), 'download-'));
  try {
    const reason = await runDownload(folder, signal);
    if (reason !== undefined) return { ok: false, reason };
    const file = largestIn(folder);
    return file === undefined ? { ok: false, reason: 'the SDK left no file' } : await putInCache(cacheDir, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
