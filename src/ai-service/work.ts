import type { Logger } from '../observability/logger';
import { EMBEDDING_MODEL, embed } from './embed';
import type { Fault } from './faults';
import type { Reporter } from './reporter';
import type { Stage, WorkRequest } from './request';
import { SUMMARY_MODEL, summarize } from './summarize';

/** Works on a request that was answered with 202: each stage in turn, with a report before and after. Never rejects. */
export async function work(
  request: WorkRequest,
  fault: Fault | null,
  { reporter, log }: { readonly reporter: Reporter; readonly log: Logger },
): Promise<void> {
  const { requestId, contextId } = request;
  if (fault?.fault === 'lose') return log.warn({ requestId, contextId }, 'told to lose this request');
  for (const stage of request.stages) {
    await reporter.report(request, stage, { status: 'PROCESSING' });
    if (fault?.fault === 'stall' || (fault?.fault === 'half' && stage === 'summary')) {
      log.warn({ requestId, contextId, stage, fault: fault.fault }, 'told to leave this stage unfinished');
      continue;
    }
    if (fault?.fault === 'fail') {
      await reporter.report(request, stage, { status: 'FAILED', reason: fault.reason });
      continue;
    }
    await finish(request, stage, { reporter, log });
  }
}

async function finish(
  request: WorkRequest,
  stage: Stage,
  { reporter, log }: { readonly reporter: Reporter; readonly log: Logger },
): Promise<void> {
  try {
    await reporter.report(request, stage, { status: 'COMPLETED', result: resultOf(request, stage) });
  } catch (error) {
    log.error({ requestId: request.requestId, contextId: request.contextId, stage, err: error }, 'a stage failed');
    await reporter.report(request, stage, {
      status: 'FAILED',
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

function resultOf({ title, body }: WorkRequest, stage: Stage): unknown {
  switch (stage) {
    case 'embedding':
      return { model: EMBEDDING_MODEL, vector: embed(`${title}\n${body}`) };
    case 'summary':
      return { model: SUMMARY_MODEL, text: summarize(title, body) };
  }
}
