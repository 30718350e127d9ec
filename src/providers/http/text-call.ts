import { z } from 'zod';
import type { ProviderReply, TextRequest, Usage } from '../port';
import type { HttpPrices } from './prices';
import { textCostUsd } from './prices';
import { stripFence } from './strip-fence';

/** Room for an answer, in tokens; each further ask has twice as much, as an answer cut short would be cut short again (cases C24). */
const FIRST_ROOM_TOKENS = 16_384;
const LARGEST_ROOM_TOKENS = 131_072;

/** The body of POST /v1/chat/completions. */
export function textBody(request: TextRequest, ask: number): string {
  return JSON.stringify({
    model: request.model,
    messages: [
      { role: 'system', content: request.instructions },
      { role: 'user', content: JSON.stringify(request.input) },
    ],
    response_format: { type: 'json_schema', json_schema: { name: request.task, schema: request.schema, strict: true } },
    max_completion_tokens: Math.min(LARGEST_ROOM_TOKENS, FIRST_ROOM_TOKENS * 2 ** ask),
  });
}

const completion = z.object({
  id: z.string().optional(),
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** A 200 of the vendor's protocol → a reply; anything else is unreadable, and so in doubt (spec 40). */
export function readTextReply(
  body: unknown,
  request: TextRequest,
  prices: HttpPrices,
  estimateUsd: number,
): ProviderReply {
  const parsed = completion.safeParse(body);
  if (!parsed.success)
    return {
      outcome: 'in_doubt',
      message: `The reply is no chat completion: ${z.prettifyError(parsed.error).slice(0, 300)}`,
    };
  const { id, choices, usage } = parsed.data;
  const counted: Usage = usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : {};
  const costUsd = usage ? textCostUsd(prices, usage.prompt_tokens, usage.completion_tokens) : estimateUsd;
  const named = id === undefined ? {} : { providerRequestId: id };
  const choice = choices[0];
  const refusal = choice?.message?.refusal;
  if (refusal) return { outcome: 'refused', reason: refusal, costUsd, ...named };
  if (choice?.finish_reason === 'content_filter')
    return { outcome: 'refused', reason: 'The content filter of the provider stopped the answer.', costUsd, ...named };
  const text = choice?.message?.content ?? '';
  return {
    outcome: 'answer',
    content: Buffer.from(choice?.finish_reason === 'length' ? text : stripFence(text), 'utf8'),
    contentType: 'application/json',
    costUsd,
    usage: counted,
    ...named,
    ...unusable(choice?.finish_reason, text),
  };
}

function unusable(finishReason: string | null | undefined, text: string): { unusable?: string } {
  if (finishReason === 'length') return { unusable: 'truncated: the answer ends at the limit of its length' };
  if (text.trim() === '')
    return { unusable: `empty: no text in the answer${finishReason ? ` (finish reason ${finishReason})` : ''}` };
  return {};
}
