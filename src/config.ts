import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from './domain/errors';

/** The only reader of process.env (shared rule). Read once, validated, frozen. Units stand in the names. */

const positive = z.coerce.number().int().positive();

const environmentSchema = z.object({
  DATABASE_URL: z.string().min(1).optional(),
  TEMPORAL_ADDRESS: z.string().min(1).optional(),
  TEMPORAL_CLI_PATH: z.string().min(1).optional(),
  CALLSHEET_HOME: z.string().min(1).optional(),
  CALLSHEET_CACHE: z.string().min(1).optional(),
  XDG_CACHE_HOME: z.string().min(1).optional(),
  ARTIFACT_DIR: z.string().min(1).optional(),
  STEP_RUNNING_TIMEOUT_SECONDS: positive.default(3600),
  STEP_LEASE_SECONDS: positive.default(90),
  STEP_HEARTBEAT_SECONDS: positive.default(30),
  STEP_SWEEP_SECONDS: positive.default(5),
  STEP_STALL_SECONDS: positive.default(600),
  CALL_DEADLINE_TEXT_SECONDS: positive.default(120),
  CALL_DEADLINE_IMAGE_SECONDS: positive.default(300),
  SHUTDOWN_GRACE_SECONDS: positive.default(330),
  DATABASE_POOL_SIZE: positive.default(10),
  CALLSHEET_OFFLINE_DELAY_MS: z.coerce.number().int().min(0).max(3_600_000).default(0),
  CALLSHEET_OFFLINE_TILL: z.string().min(1).optional(),
  CALLSHEET_HTTP_PROVIDER_URL: z.url({ protocol: /^https?$/ }).optional(),
  CALLSHEET_HTTP_PROVIDER_KEY: z.string().min(1).optional(),
  CALLSHEET_HTTP_PROVIDER_IDEMPOTENT: z.enum(['true', 'false']).default('false'),
  CALLSHEET_HTTP_PROVIDER_CONCURRENT: positive.default(4),
  CALLSHEET_HTTP_PROVIDER_PER_MINUTE: positive.default(60),
  CALLSHEET_HTTP_PRICE_INPUT_USD: z.coerce.number().min(0).default(1.25),
  CALLSHEET_HTTP_PRICE_OUTPUT_USD: z.coerce.number().min(0).default(10),
  CALLSHEET_HTTP_PRICE_IMAGE_USD: z.coerce.number().min(0).default(0.04),
  /** Instead of the system's host name, for tests of other hosts. */
  CALLSHEET_HOST_NAME: z.string().min(1).optional(),
  CALLSHEET_HOST_ID: z.string().min(1).optional(),
  /** Set by the embedded stack for its worker and API: the descriptor of the pipe to their parent. */
  CALLSHEET_PARENT_FD: z.coerce.number().int().min(0).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
});

export interface StepTimes {
  readonly stepRunningTimeoutSeconds: number;
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  readonly sweepSeconds: number;
  readonly stallSeconds: number;
}

/** Provider `http`: a server that speaks the vendor's protocol (spec 40 "Offline"). */
export interface HttpProviderSettings {
  /** Undefined: there is no such provider. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** The server charges one Idempotency-Key once. */
  readonly honoursIdempotencyKey: boolean;
  readonly concurrentCalls: number;
  readonly callsPerMinute: number;
  readonly prices: { readonly inputUsdPerMillion: number; readonly outputUsdPerMillion: number; readonly imageUsd: number };
}

export interface Config {
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly temporalAddress: string | undefined;
  readonly temporalCliPath: string | undefined;
  /** `.callsheet/` of the working directory, or CALLSHEET_HOME; absolute. */
  readonly home: string;
  /** The user's cache directory for callsheet; absolute. */
  readonly cacheDir: string;
  readonly artifactDir: string;
  readonly times: StepTimes;
  readonly callDeadlineSeconds: { readonly text: number; readonly image: number };
  readonly shutdownGraceSeconds: number;
  readonly offline: { readonly delayMs: number; readonly till: string | undefined };
  readonly httpProvider: HttpProviderSettings;
  readonly hostName: string;
  /** Overrides the fingerprint; undefined: read it from the system. */
  readonly hostId: string | undefined;
  readonly logLevel: string;
  /** Descriptor of the pipe to the parent (spec 50 "Setting up"); undefined where nobody's life is tied to it. */
  readonly parentFd: number | undefined;
}

/** This process's environment for a child, with changes; undefined removes a variable. */
export function childEnvironment(changes: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** Throws config.invalid, naming the variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = issue?.path.join('.') ?? '?';
    throw new AppError('config.invalid', `Environment variable ${name}=${JSON.stringify(present[name])}: ${issue?.message ?? 'invalid'}.`);
  }
  const env = parsed.data;
  if (env.STEP_HEARTBEAT_SECONDS * 3 > env.STEP_LEASE_SECONDS)
    throw new AppError(
      'config.invalid',
      `STEP_HEARTBEAT_SECONDS=${env.STEP_HEARTBEAT_SECONDS} is above a third of STEP_LEASE_SECONDS=${env.STEP_LEASE_SECONDS}: a live owner could look dead.`,
    );
  const home = path.resolve(env.CALLSHEET_HOME ?? '.callsheet');
  return Object.freeze({
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    temporalAddress: env.TEMPORAL_ADDRESS,
    temporalCliPath: env.TEMPORAL_CLI_PATH,
    home,
    cacheDir: path.resolve(env.CALLSHEET_CACHE ?? path.join(env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'callsheet')),
    artifactDir: path.resolve(env.ARTIFACT_DIR ?? path.join(home, 'artifacts')),
    times: Object.freeze({
      stepRunningTimeoutSeconds: env.STEP_RUNNING_TIMEOUT_SECONDS,
      leaseSeconds: env.STEP_LEASE_SECONDS,
      heartbeatSeconds: env.STEP_HEARTBEAT_SECONDS,
      sweepSeconds: env.STEP_SWEEP_SECONDS,
      stallSeconds: env.STEP_STALL_SECONDS,
    }),
    callDeadlineSeconds: Object.freeze({ text: env.CALL_DEADLINE_TEXT_SECONDS, image: env.CALL_DEADLINE_IMAGE_SECONDS }),
    shutdownGraceSeconds: env.SHUTDOWN_GRACE_SECONDS,
    offline: Object.freeze({ delayMs: env.CALLSHEET_OFFLINE_DELAY_MS, till: env.CALLSHEET_OFFLINE_TILL }),
    httpProvider: Object.freeze({
      url: env.CALLSHEET_HTTP_PROVIDER_URL,
      apiKey: env.CALLSHEET_HTTP_PROVIDER_KEY,
      honoursIdempotencyKey: env.CALLSHEET_HTTP_PROVIDER_IDEMPOTENT === 'true',
      concurrentCalls: env.CALLSHEET_HTTP_PROVIDER_CONCURRENT,
      callsPerMinute: env.CALLSHEET_HTTP_PROVIDER_PER_MINUTE,
      prices: Object.freeze({
        inputUsdPerMillion: env.CALLSHEET_HTTP_PRICE_INPUT_USD,
        outputUsdPerMillion: env.CALLSHEET_HTTP_PRICE_OUTPUT_USD,
        imageUsd: env.CALLSHEET_HTTP_PRICE_IMAGE_USD,
      }),
    }),
    hostName: env.CALLSHEET_HOST_NAME ?? os.hostname(),
    hostId: env.CALLSHEET_HOST_ID,
    logLevel: env.LOG_LEVEL,
    parentFd: env.CALLSHEET_PARENT_FD,
  });
}
