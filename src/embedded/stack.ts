import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config';
import { AppError } from '../domain/errors';
import { DatabaseStack } from './database-stack';
import { requireExternalDatabase } from './external';
import { takeLock, type LockHolder } from './file-lock';
import { keeperOf, type LockPurpose, type StackKeeper } from './lock-purpose';
import { homeAt, makeHome, type Home } from './home';
import { joinStack } from './joined-stack';
import { findLiveStack } from './live-stack';
import { startOwnStack } from './own-stack';
import type { OwnScripts } from './own-stack-options';
import type { Stack } from './open-stack';
import { requireReachableHome } from './postgres-reach';
import { requirePostgresUser } from './postgres-user';
import { readStackFile } from './stack-file';

export type { Stack };

export interface StackOptions {
  readonly config: Config;
  /** `database` for commands that only read or release; `everything` for the others. */
  readonly need: 'database' | 'everything';
  /** One line for a person: what is done, what failed, what was started again. */
  readonly say: (line: string) => void;
  /** For whose sake a stack that starts here lives; a run, unless said. Without meaning for `database`. */
  readonly keptBy?: StackKeeper;
  /** Gives up the start: what has started by then is ended first. Without meaning once the stack is open. */
  readonly signal?: AbortSignal;
  /** Instead of the compiled worker and API; for tests. */
  readonly scripts?: OwnScripts;
}

const POLL_MS = 100;
const SAY_AFTER_MS = 1_000;
/** A first start may build the Temporal server. */
const WAIT_LIMIT_MS = 20 * 60_000;
const FOLDER_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR']);

function asHomeError(home: Home, error: unknown): unknown {
  if (
    error instanceof AppError ||
    !(error instanceof Error) ||
    !('code' in error) ||
    !FOLDER_CODES.has(String(error.code))
  )
    return error;
  return new AppError(
    'stack.home_unusable',
    `The folder ${home.folder} cannot be used: ${error.message}. Set CALLSHEET_HOME to another one.`,
    undefined,
    { cause: error },
  );
}

function requireSameServers(
  config: Config,
  holder: LockHolder,
  found: { databaseUrl: string; temporalAddress: string },
): void {
  const different =
    config.databaseUrl !== undefined && config.databaseUrl !== found.databaseUrl
      ? 'DATABASE_URL'
      : config.temporalAddress !== undefined && config.temporalAddress !== found.temporalAddress
        ? 'TEMPORAL_ADDRESS'
        : undefined;
  if (different)
    throw new AppError(
      'config.invalid',
      `The stack that runs in ${config.home} (process ${holder.pid}) uses another server than ${different} names. Unset ${different}, end that stack, or set CALLSHEET_HOME.`,
    );
}

/** For a command on a named database alone: the Temporal that is named, or that of the stack which works on this database here. */
function temporalBeside(config: Config, databaseUrl: string): Pick<Stack, 'temporalAddress' | 'temporalUiUrl'> {
  const live = config.temporalAddress === undefined ? findLiveStack(config.home) : undefined;
  return live?.databaseUrl === databaseUrl
    ? { temporalAddress: live.temporalAddress, temporalUiUrl: live.temporalUiUrl ?? undefined }
    : { temporalAddress: config.temporalAddress, temporalUiUrl: undefined };
}

async function takeOrJoin(options: StackOptions, home: Home): Promise<Stack> {
  const { config, need, say, signal, keptBy = 'run', scripts } = options;
  const purpose: LockPurpose = need === 'database' ? 'database' : keptBy;
  const startedMs = performance.now();
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    const outcome = takeLock(home.lock, purpose);
    if (outcome.held) {
      const { lock } = outcome;
      if (need === 'database')
        return DatabaseStack.start({ home, lock, say, signal, temporalAddress: config.temporalAddress });
      return startOwnStack({ home, lock, config, say, signal, scripts });
    }
    const { holder } = outcome;
    const running = readStackFile(home.stack);
    if (holder && keeperOf(holder) !== undefined && running?.pid === holder.pid) {
      requireSameServers(config, holder, running);
      return joinStack(home, holder, running);
    }
    const waitedMs = performance.now() - startedMs;
    if (holder && waitedMs > WAIT_LIMIT_MS)
      throw new AppError(
        'stack.start_failed',
        `Process ${holder.pid} holds ${home.lock} but has no running stack after ${WAIT_LIMIT_MS / 60_000} minutes. End it, then try again.`,
      );
    if (holder && waitedMs > SAY_AFTER_MS && !told) {
      told = true;
      say(
        keeperOf(holder) !== undefined
          ? `Process ${holder.pid} is starting or stopping the stack in ${home.folder}; waiting for it …`
          : `Process ${holder.pid} is reading the database in ${home.folder}; waiting for it …`,
      );
      // A command that keeps the database open to watch it gives way.
      if (holder.purpose === 'database') writeFileSync(home.wanted, String(process.pid));
    }
    await delay(POLL_MS);
  }
}

/**
 * What a command needs to work on: servers that the user names, a stack that runs already in this home (joined, never
 * doubled), or one of our own. A database that is embedded is migrated; one that is named must have the schema.
 * Throws stack.*, temporal.*, db.* and config.invalid, each with the reason and what to do; and the signal's reason, when
 * nothing of ours is left running.
 */
export async function openStack(options: StackOptions): Promise<Stack> {
  const { config, need, say, signal } = options;
  const home = homeAt(config.home);
  signal?.throwIfAborted();
  if (config.databaseUrl !== undefined) await requireExternalDatabase(config.databaseUrl);
  if (need === 'database' && config.databaseUrl !== undefined)
    return {
      databaseUrl: config.databaseUrl,
      ...temporalBeside(config, config.databaseUrl),
      apiUrl: undefined,
      joined: false,
      onEnd: () => undefined,
      stop: () => Promise.resolve(),
    };
  try {
    // Before the home is made: one that cannot be used is not left behind.
    if (config.databaseUrl === undefined) requireReachableHome(home, requirePostgresUser(say));
    makeHome(home);
    return await takeOrJoin(options, home);
  } catch (error) {
    throw asHomeError(home, error);
  }
}
