import path from 'node:path';
import { AppError } from '../../domain/errors';
import { readStatus } from '../../operations/queries/status';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { sheetLines, writeSheet } from '../run/export-sheet';
import type { Registration } from './command';

/** `callsheet export DIR`: the contact sheet as HTML with images, and as one PNG (spec 50). */
export function registerExport({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('export')
      .description('write the contact sheet: one HTML file and one PNG')
      .argument('<dir>', 'the folder; made where absent'),
  ).action(
    action(async (directory: string, options: EpisodeOptions) =>
      atDesk(context, 'database', async (session) => {
        const episode = await episodeOf(session, options);
        const reading = await readStatus(session.operations.db, episode, session.operations.temporalUi);
        const sheet = await writeSheet(context, session, episode, reading, path.resolve(directory));
        if (sheet === null)
          throw new AppError(
            'artifact.missing',
            `${episode.episodeId} has no shot list yet, so there is nothing to export.`,
          );
        context.terminal.body({ html: sheet.htmlPath, png: sheet.pngPath });
        for (const line of sheetLines(sheet)) context.terminal.line(line);
        return EXIT.done;
      }),
    ),
  );
}
