/** The one written form of a duration: a whole number and its unit, `500ms`, `10s`, `5m`, `2h` (spec 30 "Settings"). */
const FORM = /^([1-9]\d{0,8})(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds, or null where the text has another form. Pure. */
export function parseDurationMs(text: string): number | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const [, count, unit] = match;
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
