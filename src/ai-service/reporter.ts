import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/logger';
import type { Stage, WorkRequest } from './request';

export type Report =
  | { readonly status: 'PROCESSING' }
  | { readonly status: 'COMPLETED'; readonly result: unknown }
  | { readonly status: 'FAILED'; readonly reason: string };

export interface Reporter {
  /** Answers whether it was taken. Never rejects. */
  report(request: WorkRequest, stage: Stage, report: Report): Promise<boolean>;
}

export interface ReporterOptions {
  /** Base address of the API. */
  readonly url: string;
  readonly token: string | undefined;
  readonly log: Logger;
  /** Waits before the second, third … try, in milliseconds. */
  readonly waitsMs?: readonly number[];
}

const TIMEOUT_MS = 10_000;
/** An API that asks for a longer wait than this has lost the report: the rescan asks anew by then. */
const LONGEST_WAIT_MS = 300_000;
/** The API is there and has no time for this report now. */
const NOT_NOW = new Set([408, 429]);

type Attempt = { readonly outcome: 'taken' | 'refused' } | { readonly outcome: 'away'; readonly askedToWaitMs: number };

const away = (askedToWaitMs = 0): Attempt => ({ outcome: 'away', askedToWaitMs });

/**
 * Reports over HTTP. An API that is away or too busy is tried again a few times, never sooner than its Retry-After says; what
 * cannot be told then is lost, which is what the rescan is for.
 */
export function createReporter({ url, token, log, waitsMs = [500, 2_000, 5_000] }: ReporterOptions): Reporter {
  const attempt = async (request: WorkRequest, stage: Stage, report: Report): Promise<Attempt> => {
    const { requestId, contentHash, contextId } = request;
    try {
      const response = await fetch(
        new URL(
          `api/v1/contexts/${encodeURIComponent(contextId)}/stages/${stage}`,
          url.endsWith('/') ? url : `${url}/`,
        ),
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-request-id': requestId,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify({ ...report, contentHash, requestId }),
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      const text = (await response.text()).slice(0, 300);
      log.info({ requestId, contextId, stage, status: report.status, http: response.status, answer: text }, 'reported');
      if (response.ok) return { outcome: 'taken' };
      const isAway = response.status >= 500 || NOT_NOW.has(response.status);
      return isAway ? away(waitOf(response.headers.get('retry-after'))) : { outcome: 'refused' };
    } catch (error) {
      log.warn({ requestId, contextId, stage, status: report.status, err: error }, 'the API does not answer');
      return away();
    }
  };
  return {
    report: async (request, stage, report) => {
      for (const waitMs of [...waitsMs, null]) {
        const attempted = await attempt(request, stage, report);
        if (attempted.outcome !== 'away') return attempted.outcome === 'taken';
        if (waitMs === null || attempted.askedToWaitMs > LONGEST_WAIT_MS) break;
        await delay(Math.max(waitMs, attempted.askedToWaitMs));
      }
      log.error(
        { requestId: request.requestId, contextId: request.contextId, stage, status: report.status },
        'a report is lost: the API was not reached, or had no time for it',
      );
      return false;
    },
  };
}

/** Milliseconds that a Retry-After asks for: seconds, or a date. What is neither asks for nothing. */
function waitOf(retryAfter: string | null): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}
