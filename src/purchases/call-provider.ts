import type { Provider, ProviderReply, ProviderRequest, SendOptions } from '../providers/port';
import { LONGEST_TIMER_MS } from './back-off';

export type Called =
  | { readonly called: 'replied'; readonly reply: ProviderReply }
  /** Nobody waits for it any more; should it come all the same, it is kept. */
  | { readonly called: 'abandoned'; readonly why: string; readonly late: Promise<ProviderReply> };

/** An adapter that does not answer its aborted deadline is left alone after so long. */
const HANG_MS = 2_000;

/** Adapters do not throw; if one has a bug, the request may have left all the same. */
async function replyOf(provider: Provider, request: ProviderRequest, options: SendOptions): Promise<ProviderReply> {
  try {
    return await provider.send(request, options);
  } catch (error) {
    return {
      outcome: 'in_doubt',
      message: `The adapter of ${provider.name} failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/**
 * Sends one request, and waits for the reply until the call's deadline (ms). A cancel never cuts it (spec 15 "Cancel"); only
 * the deadline and the end of a shutdown's grace do.
 */
export async function callProvider(
  provider: Provider,
  request: ProviderRequest,
  options: Omit<SendOptions, 'deadline'>,
  deadlineMs: number,
  graceOver: AbortSignal | undefined,
): Promise<Called> {
  const deadline = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void): void =>
    void timers.push(setTimeout(act, Math.min(ms, LONGEST_TIMER_MS)));
  let onGraceOver: () => void = () => undefined;
  const abandoned = new Promise<string>((resolve) => {
    onGraceOver = () => resolve('the process ends, and the grace is over');
    after(deadlineMs, () => deadline.abort(new Error(`no answer within ${deadlineMs / 1000} s`)));
    after(deadlineMs + HANG_MS, () => resolve(`no answer within ${deadlineMs / 1000} s, and the adapter hangs`));
    if (graceOver?.aborted) onGraceOver();
    graceOver?.addEventListener('abort', onGraceOver, { once: true });
  });
  const late = replyOf(provider, request, { ...options, deadline: deadline.signal });
  try {
    return await Promise.race([
      late.then((reply) => ({ called: 'replied', reply }) as const),
      abandoned.then((why) => ({ called: 'abandoned', why, late }) as const),
    ]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    graceOver?.removeEventListener('abort', onGraceOver);
  }
}
