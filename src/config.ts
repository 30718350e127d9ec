import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { parseDurationMs } from './domain/duration';
import { AppError } from './domain/errors';
import { ID_PATTERN } from './domain/ids';

/** The only reader of process.env (shared rule). Read once, validated, frozen. Units stand in the names. */

const positive = z.coerce.number().int().positive();

/** A duration in its one written form, within what makes sense for it (spec 30 "Settings"). */
const durationMs = (least: string, most: string) => (text: string, context: z.RefinementCtx) => {
  const ms = parseDurationMs(text);
  if (ms !== null && ms >= parseDurationMs(least)! && ms <= parseDurationMs(most)!) return ms;
  context.addIssue({
    code: 'custom',
    message:
      ms === null
        ? 'a duration is a whole number and ms, s, m or h, for example 5m'
        : `must be from ${least} to ${most}`,
  });
  return z.NEVER;
};
const wholeUpTo = (most: number) => z.coerce.number().int().positive().max(most);

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
  CALLSHEET_DEPLOYMENT: z.string().regex(ID_PATTERN, 'letters, digits, _ and -, at most 64').default('default'),
  RESCAN_INTERVAL: z.string().default('5m').transform(durationMs('1s', '24h')),
  RESCAN_PENDING_EXPIRY: z.string().default('5m').transform(durationMs('1s', '168h')),
  RESCAN_PROCESSING_EXPIRY: z.string().default('10m').transform(durationMs('1s', '168h')),
  RESCAN_MAX_RETRIES: wholeUpTo(100).default(3),
  RESCAN_BATCH_SIZE: wholeUpTo(10_000).default(100),
  AI_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_SECRET: z.string().min(1).optional(),
  AI_TIMEOUT: z.string().default('10s').transform(durationMs('100ms', '10m')),
  AI_CONCURRENT: wholeUpTo(1_000).default(8),
  AI_QUEUE_LENGTH: wholeUpTo(100_000).default(1000),
  AI_SERVICE_HOST: z.string().min(1).default('127.0.0.1'),
  AI_SERVICE_PORT: z.coerce.number().int().min(0).max(65_535).default(7466),
  AI_SERVICE_REPORT_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_SERVICE_REPORT_TOKEN: z.string().min(1).optional(),
  CALLSHEET_API_HOST: z.string().min(1).default('127.0.0.1'),
  CALLSHEET_API_PORT: z.coerce.number().int().min(0).max(65_535).default(7460),
  CALLSHEET_API_TOKENS: z.string().min(1).optional(),
  CALLSHEET_API_TOKENS_FILE: z.string().min(1).optional(),
  CALLSHEET_API_REQUESTS_PER_MINUTE: wholeUpTo(1_000_000).default(1_200),
  CALLSHEET_API_EVENT_STREAMS: wholeUpTo(100_000).default(1_000),
  CALLSHEET_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Where Temporal's own UI is, for links to it. */
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Instead of the system's host name, for tests of other hosts. */
  CALLSHEET_HOST_NAME: z.string().min(1).optional(),
  CALLSHEET_HOST_ID: z.string().min(1).optional(),
  /** Set by the embedded stack for its worker and API: the descriptor of the pipe to their parent. */
  CALLSHEET_PARENT_FD: z.coerce.number().int().min(0).optional(),
  /** Set by the embedded stack for its worker and API: TEMPORAL_ADDRESS is its own server, which has no TLS, key or namespace. */
  CALLSHEET_TEMPORAL_EMBEDDED: z.enum(['true', 'false']).default('false'),
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
  readonly prices: {
    readonly inputUsdPerMillion: number;
    readonly outputUsdPerMillion: number;
    readonly imageUsd: number;
  };
}

/** When AI work counts as lost, and how often it is asked for again (spec 30 "Settings"). */
export interface RescanSettings {
  readonly intervalMs: number;
  readonly pendingExpiryMs: number;
  readonly processingExpiryMs: number;
  readonly maxRetries: number;
  readonly batchSize: number;
}

/** How the AI service is reached (spec 30): a group of its own, since it changes for other reasons. */
export interface AiSettings {
  /** Undefined: there is no AI service, and every request says so. */
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly timeoutMs: number;
  readonly concurrentRequests: number;
  readonly queueLength: number;
}

/** The AI service that ships, as a process of its own (spec 30). */
export interface AiServiceSettings {
  readonly host: string;
  readonly port: number;
  /** What callers must show; the same as AI_SECRET on their side. */
  readonly secret: string | undefined;
  /** Base address of the API that it reports to. */
  readonly reportUrl: string | undefined;
  readonly reportToken: string | undefined;
}

/** The HTTP API (spec 50). */
export interface ApiSettings {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** False: it is the default, and the embedded stack chooses a free one. */
  readonly portIsNamed: boolean;
  /** `NAME:ROLE:TOKEN`, separated by commas; secret. */
  readonly tokens: string | undefined;
  /** A file with the same, one a line. */
  readonly tokensFile: string | undefined;
  /** Of one token, or of one address without a valid token. */
  readonly requestsPerMinute: number;
  /** Streams of events at once. */
  readonly eventStreams: number;
}

export interface Config {
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly temporalAddress: string | undefined;
  readonly temporalCliPath: string | undefined;
  readonly temporalUiUrl: string | undefined;
  readonly temporalIsEmbedded: boolean;
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
  /** Names this installation's rescan, where several share a Temporal namespace. */
  readonly deployment: string;
  readonly rescan: RescanSettings;
  readonly ai: AiSettings;
  readonly aiService: AiServiceSettings;
  readonly api: ApiSettings;
  /** A worker's metrics, on loopback; undefined: none are served. */
  readonly metricsPort: number | undefined;
  readonly hostName: string;
  /** Overrides the fingerprint; undefined: read it from the system. */
  readonly hostId: string | undefined;
  readonly logLevel: string;
  /** Descriptor of the pipe to the parent (spec 50 "Setting up"); undefined where nobody's life is tied to it. */
  readonly parentFd: number | undefined;
}

/** This process's environment for a child, with changes; undefined removes a variable. */
export function childEnvironment(
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** Throws config.invalid, naming the variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = issue?.path.join('.') ?? '?';
    throw new AppError(
      'config.invalid',
      `Environment variable ${name}=${JSON.stringify(present[name])}: ${issue?.message ?? 'invalid'}.`,
    );
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
    temporalUiUrl: env.TEMPORAL_UI_URL,
    temporalIsEmbedded: env.CALLSHEET_TEMPORAL_EMBEDDED === 'true',
    home,
    cacheDir: path.resolve(
      env.CALLSHEET_CACHE ?? path.join(env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'callsheet'),
    ),
    artifactDir: path.resolve(env.ARTIFACT_DIR ?? path.join(home, 'artifacts')),
    times: Object.freeze({
      stepRunningTimeoutSeconds: env.STEP_RUNNING_TIMEOUT_SECONDS,
      leaseSeconds: env.STEP_LEASE_SECONDS,
      heartbeatSeconds: env.STEP_HEARTBEAT_SECONDS,
      sweepSeconds: env.STEP_SWEEP_SECONDS,
      stallSeconds: env.STEP_STALL_SECONDS,
    }),
    callDeadlineSeconds: Object.freeze({
      text: env.CALL_DEADLINE_TEXT_SECONDS,
      image: env.CALL_DEADLINE_IMAGE_SECONDS,
    }),
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
    deployment: env.CALLSHEET_DEPLOYMENT,
    rescan: Object.freeze({
      intervalMs: env.RESCAN_INTERVAL,
      pendingExpiryMs: env.RESCAN_PENDING_EXPIRY,
      processingExpiryMs: env.RESCAN_PROCESSING_EXPIRY,
      maxRetries: env.RESCAN_MAX_RETRIES,
      batchSize: env.RESCAN_BATCH_SIZE,
    }),
    ai: Object.freeze({
      url: env.AI_URL,
      secret: env.AI_SECRET,
      timeoutMs: env.AI_TIMEOUT,
      concurrentRequests: env.AI_CONCURRENT,
      queueLength: env.AI_QUEUE_LENGTH,
    }),
    aiService: Object.freeze({
      host: env.AI_SERVICE_HOST,
      port: env.AI_SERVICE_PORT,
      secret: env.AI_SECRET,
      reportUrl: env.AI_SERVICE_REPORT_URL,
      reportToken: env.AI_SERVICE_REPORT_TOKEN,
    }),
    api: Object.freeze({
      host: env.CALLSHEET_API_HOST,
      port: env.CALLSHEET_API_PORT,
      portIsNamed: present.CALLSHEET_API_PORT !== undefined,
      tokens: env.CALLSHEET_API_TOKENS,
      tokensFile: env.CALLSHEET_API_TOKENS_FILE,
      requestsPerMinute: env.CALLSHEET_API_REQUESTS_PER_MINUTE,
      eventStreams: env.CALLSHEET_API_EVENT_STREAMS,
    }),
    metricsPort: env.CALLSHEET_METRICS_PORT,
    hostName: env.CALLSHEET_HOST_NAME ?? os.hostname(),
    hostId: env.CALLSHEET_HOST_ID,
    logLevel: env.LOG_LEVEL,
    parentFd: env.CALLSHEET_PARENT_FD,
  });
}
