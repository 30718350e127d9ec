import { parseArgs } from 'node:util';
import { VARIANTS, type VariantName } from './variant';

export interface KitOptions {
  /** Not all points, but a fair sample of them, until the time is over. */
  readonly sample: boolean;
  /** How long a sample takes, with all that it needs, in ms. */
  readonly sampleMs: number;
  /** Of the sample's drawing. */
  readonly seed: number;
  readonly variants: readonly VariantName[];
  /** Only points whose name holds this text. */
  readonly only: string | null;
  /** Attempts at once. */
  readonly atOnce: number;
  /** List the points, kill nobody. */
  readonly list: boolean;
  /** A Markdown file whose result is replaced by this run's. */
  readonly report: string | null;
}

export const USAGE = `npm run crash -- [--sample [--seconds N]] [--seed N] [--variant NAME]… [--only TEXT] [--at-once N] [--list] [--report FILE]
variants: ${Object.keys(VARIANTS).join(', ')}`;

/** Throws an error whose message is for people. `today`: the seed where none is given, as yyyymmdd. */
export function readOptions(args: readonly string[], today: number): KitOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sample: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '180' },
      seed: { type: 'string' },
      variant: { type: 'string', multiple: true },
      only: { type: 'string' },
      'at-once': { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      report: { type: 'string' },
    },
  });
  return {
    sample: values.sample,
    sampleMs: wholeNumber('seconds', values.seconds) * 1_000,
    seed: values.seed === undefined ? today : wholeNumber('seed', values.seed),
    variants: (values.variant ?? Object.keys(VARIANTS)).map(variantOf),
    only: values.only ?? null,
    atOnce: wholeNumber('at-once', values['at-once']),
    list: values.list,
    report: values.report ?? null,
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} ${text}: a positive whole number is needed.\n${USAGE}`);
}

function variantOf(name: string): VariantName {
  const known = (Object.keys(VARIANTS) as VariantName[]).find((variant) => variant === name);
  if (known) return known;
  throw new Error(`There is no variant "${name}".\n${USAGE}`);
}
