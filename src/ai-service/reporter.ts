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

/**
 * Reports over HTTP. An API that is away is tried again a few times; what cannot be told then is lost, which is what the rescan
 * is for.
 */
export function createReporter({ url, token, log, waitsMs = [500, 2_000, 5_000] }: ReporterOptions): Reporter {
  const attempt = async (request: WorkRequest, stage: Stage, report: Report): Promise<'taken' | 'refused' | 'away'> => {
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
      if (response.ok) return 'taken';
      return response.status >= 500 ? 'away' : 'refused';
    } catch (error) {
      log.warn({ requestId, contextId, stage, status: report.status, err: error }, 'the API does not answer');
      return 'away';
    }
  };
  return {
    report: async (request, stage, report) => {
      for (const waitMs of [...waitsMs, null]) {
        const outcome = await attempt(request, stage, report);
        if (outcome !== 'away') return outcome === 'taken';
        if (waitMs !== null) await delay(waitMs);
      }
      log.error(
        { requestId: request.requestId, contextId: request.contextId, stage, status: report.status },
        'a report is lost: the API was not reached',
      );
      return false;
    },
  };
}
