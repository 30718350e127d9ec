import type { ProviderRequest } from '../port';

export interface HttpPrices {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  readonly imageUsd: number;
}

export function textCostUsd(prices: HttpPrices, inputTokens: number, outputTokens: number): number {
  return (inputTokens * prices.inputUsdPerMillion + outputTokens * prices.outputUsdPerMillion) / 1_000_000;
}

/** At most one token for two bytes of UTF-8 goes in; so many come out, of a long scene. */
const BYTES_PER_TOKEN = 2;
const OUTPUT_TOKENS = 8_192;

/** What a request will cost at most, but for answers of unusual length. */
export function estimateUsd(prices: HttpPrices, request: ProviderRequest): number {
  if (request.kind === 'image') return prices.imageUsd;
  const bytes = Buffer.byteLength(
    request.instructions + JSON.stringify(request.input) + JSON.stringify(request.schema),
  );
  return textCostUsd(prices, Math.ceil(bytes / BYTES_PER_TOKEN), OUTPUT_TOKENS);
}
