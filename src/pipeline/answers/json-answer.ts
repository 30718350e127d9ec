import type { z } from 'zod';
import type { ProviderAnswer } from '../definition';

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/**
 * A text answer as JSON of the given shape. Written rules, so that nothing is guessed (spec 40: answers that do not parse are asked
 * again): UTF-8; one JSON object and nothing after it, at most inside one code fence around the whole; no repair of cut or trailing
 * text. U+0000 is taken out of every string and key and a lone surrogate becomes U+FFFD, since PostgreSQL stores neither.
 */
export function readJsonAnswer<T>(answer: ProviderAnswer, schema: z.ZodType<T>): Parsed<T> {
  const json = parseJson(answer.content);
  if (!json.ok) return json;
  if (isTooDeep(json.value)) return { ok: false, reason: `The answer is nested deeper than ${MAX_DEPTH} levels.` };
  const parsed = schema.safeParse(storable(json.value));
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    reason: `The answer does not fit its schema at ${issue?.path.join('.') || 'the top'}: ${issue?.message ?? 'invalid'}.`,
  };
}

/** Lists and objects within each other; no answer of ours has ten. */
const MAX_DEPTH = 100;

/** Level by level, and not by recursion: a model that only opens brackets must not end the process's stack. */
function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : []));
  }
  return false;
}

function parseJson(content: Uint8Array): Parsed<unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content).trim();
  } catch (error) {
    return { ok: false, reason: `The answer is not UTF-8: ${(error as Error).message}` };
  }
  if (text === '') return { ok: false, reason: 'The answer is empty.' };
  const direct = tryParse(text);
  if (direct.ok) return direct;
  // A fence counts only if it opens the text's first JSON: backticks inside a string are text.
  const fenced = /^[^`{[]{0,200}```(?:json)?[^\S\n]*\n([\s\S]*)\n[^\S\n]*```[^`{}[\]]{0,200}$/i.exec(text);
  const inner = fenced ? tryParse(fenced[1]!) : direct;
  return inner.ok ? inner : direct;
}

function tryParse(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: `The answer is not one JSON value: ${(error as Error).message}`.slice(0, 300) };
  }
}

/** See readJsonAnswer: what PostgreSQL can store. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), storable(entry)]));
}

function storableText(text: string): string {
  return text
    .replaceAll('\u0000', '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
