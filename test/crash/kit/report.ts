import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Tally } from './tally';
import { VARIANTS, type VariantName } from './variant';

const BEGIN = '<!-- result: written by npm run crash -- --report docs/crash.md -->';
const END = '<!-- end of the result -->';

/** Puts a run's result into the Markdown file, between its two marks. Throws where they are missing. */
export function writeReport(
  file: string,
  run: { readonly tally: Tally; readonly tookSeconds: number; readonly plans: number },
): void {
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the result: ${BEGIN} … ${END}`);
  writeFileSync(file, `${text.slice(0, begin + BEGIN.length)}\n\n${resultOf(run)}\n${text.slice(end)}`);
}

function resultOf({
  tally,
  tookSeconds,
  plans,
}: {
  readonly tally: Tally;
  readonly tookSeconds: number;
  readonly plans: number;
}): string {
  const rows = [...tally.byVariant].map(
    ([name, { points, kills, repeats, losses }]) =>
      `| ${VARIANTS[name as VariantName].about} | ${points} | ${kills} | ${repeats} | ${losses} |`,
  );
  return [
    `${new Date().toISOString().slice(0, 10)}, ${os.availableParallelism()} cores, Node ${process.version}: ${tally.points} of ${plans} points in ${Math.round(tookSeconds / 60)} minutes.`,
    '',
    '| provider | points | kills | repeats | losses |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `\`${tally.toString()}\``,
    '',
  ].join('\n');
}
