import type { SendEnd } from './send-request';
import type { RequestRow } from './read-request';

const dollars = (usd: number): string => `$${usd.toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

/** What an operator reads when a cap is reached. */
export function exhaustedMessage({ exhausted, estimateUsd }: Extract<SendEnd, { end: 'exhausted' }>): string {
  const whose = exhausted.cap.run === '*' ? 'the project' : `the run ${exhausted.cap.run}`;
  return `The cap of ${dollars(exhausted.cap.capUsd)} for ${whose} is reached: ${dollars(exhausted.committedUsd)} are spent, reserved or at risk, and the next call is estimated at ${dollars(estimateUsd)}.`;
}

/** What an operator reads when he is asked. */
export function doubtMessage(purchase: RequestRow): string {
  return `Purchase ${purchase.id} of ${purchase.item_id} may have been charged (${dollars(Number(purchase.estimated_cost_usd))} at risk): ${purchase.error_message ?? 'no answer came'}.`;
}
