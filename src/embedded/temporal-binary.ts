import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What the caches and the download bring; `go install` builds the same (spec 50 "Setting up"). */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';
const LEAST_SERVER = [1, 28] as const;
const CHECK_LIMIT_MS = 20_000;

export type BinaryCheck =
  { readonly ok: true; readonly version: string } | { readonly ok: false; readonly reason: string };

/** Runs `--version`: a half-downloaded, foreign or too old program is found out before a server is started with it. */
export async function checkTemporal(file: string): Promise<BinaryCheck> {
  let output: string;
  try {
    output = (
      await promisify(execFile)(file, ['--version'], { timeout: CHECK_LIMIT_MS, killSignal: 'SIGKILL' })
    ).stdout.trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const signal =
      error instanceof Error && 'signal' in error && typeof error.signal === 'string' ? error.signal : undefined;
    if (code === 'ENOENT') return { ok: false, reason: 'there is no such file' };
    if (code === 'EACCES') return { ok: false, reason: 'it is not executable' };
    return {
      ok: false,
      reason: `--version ended with ${signal ?? String(code ?? error)}: not a program for this machine, or a broken download`,
    };
  }
  const server = /Server (\d+)\.(\d+)/.exec(output);
  if (!server)
    return {
      ok: false,
      reason: `it is not Temporal's command line with a server (it says "${(output.split('\n')[0] ?? '').slice(0, 80)}")`,
    };
  const [major, minor] = [Number(server[1]), Number(server[2])];
  if (major < LEAST_SERVER[0] || (major === LEAST_SERVER[0] && minor < LEAST_SERVER[1]))
    return { ok: false, reason: `its server ${major}.${minor} is older than ${LEAST_SERVER.join('.')}` };
  return { ok: true, version: output };
}
