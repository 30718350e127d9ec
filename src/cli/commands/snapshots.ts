import { diffSnapshots } from '../../operations/queries/snapshot-diff';
import { listSnapshots, showSnapshot } from '../../operations/queries/snapshots';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { operatorName } from '../context';
import { EXIT } from '../exit-codes';
import { wholeNumber } from '../option-values';
import { restoreLines } from '../render/restore-lines';
import { contentLines, diffLines, snapshotLines } from '../render/snapshot-list';
import { UsageError } from '../report-error';
import { checkedStepText } from '../step-text';
import type { Registration } from './command';

/** How many versions each act is about. */
const NUMBERS_OF: ReadonlyMap<string, number> = new Map([
  ['show', 1],
  ['diff', 2],
  ['restore', 1],
]);

/** `callsheet snapshots STEP [show N | diff N M | restore N]`: versions of a step's checkpoint (spec 20 "Snapshots"). */
export function registerSnapshots({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('snapshots')
      .description("versions of a step's checkpoint")
      .argument('<step>')
      .argument('[act]', 'show N, diff N M, or restore N; without: list')
      .argument('[versions...]', 'version numbers'),
  ).action(
    action(async (step: string, act: string | undefined, numbers: string[], options: EpisodeOptions) => {
      const versions = numbers.map(wholeNumber);
      const [one, other] = versions;
      const wanted = act === undefined ? 0 : NUMBERS_OF.get(act);
      if (wanted !== versions.length)
        throw new UsageError('Say snapshots STEP, or snapshots STEP with show N, diff N M or restore N.');
      return atDesk(context, 'database', async (session) => {
        const { terminal } = context;
        const episode = await episodeOf(session, options);
        const { db } = session.operations;
        const stepId = checkedStepText(step);
        const print = (body: unknown, lines: readonly string[]) => {
          terminal.body(body);
          for (const line of lines) terminal.line(line);
        };
        if (one === undefined) {
          const list = await listSnapshots(db, episode, stepId);
          print(list, snapshotLines(terminal, list));
        } else if (act === 'restore') {
          const restored = await session.operations.restoreSnapshot({
            ...episode,
            stepId,
            version: one,
            by: operatorName(),
          });
          print(restored, restoreLines(terminal, restored));
        } else if (other === undefined) {
          const shown = await showSnapshot(db, episode, stepId, one);
          print(shown, contentLines(terminal, shown));
        } else {
          const diff = await diffSnapshots(db, episode, stepId, one, other);
          print(diff, diffLines(terminal, diff));
        }
        return EXIT.done;
      });
    }),
  );
}
