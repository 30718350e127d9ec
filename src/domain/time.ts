/**
 * Times as the ledger holds them: text (spec 10 "Times"). Read are ISO 8601 with `T` or a space, with or without a fraction,
 * and with a zone: `Z`, `+00`, `+00:00`, `+0000`. Anything else, a time without a zone too, is unparsable, never guessed.
 */
const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)$/;

/** Milliseconds since 1970 with fractions of one, or null where the text is not a time. Pure. */
export function parseTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', , sign, zoneHour = '0', zoneMinute = '0'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(zoneHour) > 15 || Number(zoneMinute) > 59) return null;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(midnight);
  date.setUTCFullYear(Number(year)); // Date.UTC reads years below 100 as 19xx
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  return date.getTime() + seconds * 1000 + Number(`0.${fraction || '0'}`) * 1000 - offsetMinutes * 60_000;
}
