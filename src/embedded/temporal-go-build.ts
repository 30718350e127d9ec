import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config';
import { compiledEntry } from './compiled-folder';
import { TEMPORAL_CLI_VERSION } from './temporal-binary';
import { cacheFolder, putInCache } from './temporal-cache';

const SAY_EVERY_MS = 10_000;
const BUILD_LIMIT_MS = 60 * 60_000;
const PACKAGE = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`;

/** Go's version text; undefined where there is no Go. */
export async function goVersion(): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('go', ['version'], { timeout: 20_000 })).stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * Modules and build results go into our cache, not into the user's GOPATH; modules that the user has already are read from
 * there first, as if from a proxy.
 */
async function goEnvironment(workFolder: string, binFolder: string): Promise<Record<string, string | undefined>> {
  const { stdout } = await promisify(execFile)('go', ['env', 'GOMODCACHE', 'GOPROXY', 'GOFLAGS'], { timeout: 20_000 });
  const [moduleCache = '', proxy = '', goFlags = ''] = stdout.split('\n').map((line) => line.trim());
  return childEnvironment({
    CGO_ENABLED: '0',
    GOOS: undefined,
    GOARCH: undefined,
    GOBIN: binFolder,
    GOMODCACHE: path.join(workFolder, 'modules'),
    GOCACHE: path.join(workFolder, 'build'),
    GOPROXY: [
      moduleCache === '' ? '' : `file://${moduleCache}/cache/download`,
      proxy || 'https://proxy.golang.org,direct',
    ]
      .filter(Boolean)
      .join(','),
    // Go makes modules read-only, and then the folder could not be removed afterwards.
    GOFLAGS: `${goFlags} -modcacherw`.trim(),
  });
}

function runBuild(
  environment: Record<string, string | undefined>,
  folder: string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    // Under a guard whose standard input is the pipe to us: a build must not go on for minutes when we are gone.
    const guard = compiledEntry('run-while-parent');
    const child = spawn(process.execPath, [guard, 'go', 'install', '-v', PACKAGE], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const giveUp = () => child.stdin.end();
    signal?.addEventListener('abort', giveUp, { once: true });
    let output = '';
    let modules = 0;
    let packages = 0;
    const seconds = () => Math.round((performance.now() - startedMs) / 1000);
    const timer = setInterval(() => {
      say(
        `Temporal server: building with Go … ${seconds()} s, ${modules} modules fetched, ${packages} packages compiled`,
      );
      if (seconds() * 1000 > BUILD_LIMIT_MS) child.stdin.end();
    }, SAY_EVERY_MS);
    child.stderr.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      for (const line of text.split('\n')) {
        if (line.startsWith('go: downloading ')) modules += 1;
        else if (/^[a-z0-9][\w.\-/]+$/i.test(line)) packages += 1;
      }
      output = (output + text).slice(-4_000);
    });
    child.once('error', (error) => (output = error.message));
    child.once('close', (code, endedBy) => {
      clearInterval(timer);
      signal?.removeEventListener('abort', giveUp);
      if (code === 0) return resolve(undefined);
      resolve(
        `go install ended with ${endedBy ?? `code ${code ?? '?'}`} after ${seconds()} s: ${output.trim().split('\n').slice(-2).join(' ')}`,
      );
    });
  });
}

/** Builds Temporal's command line with Go, into the cache; says every few seconds that it is alive; ends at the signal. A reason where it failed. */
export async function buildWithGo(
  cacheDir: string,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<{ ok: true; file: string } | { ok: false; reason: string }> {
  const workFolder = path.join(cacheDir, 'go');
  mkdirSync(workFolder, { recursive: true });
  const binFolder = mkdtempSync(path.join(cacheFolder(cacheDir), 'build-'));
  try {
    say(`Temporal server: building it with Go (${PACKAGE}). This takes some minutes, once.`);
    const environment = await goEnvironment(workFolder, binFolder);
    if (signal?.aborted) return { ok: false, reason: 'it was given up' };
    const reason = await runBuild(environment, binFolder, say, signal);
    if (reason !== undefined) return { ok: false, reason };
    const placed = await putInCache(cacheDir, path.join(binFolder, 'temporal'));
    // Gigabytes that nobody needs any more; kept after a failure, so that the next attempt goes on from there.
    if (placed.ok) rmSync(workFolder, { recursive: true, force: true });
    return placed;
  } finally {
    rmSync(binFolder, { recursive: true, force: true });
  }
}
