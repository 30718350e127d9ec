import type { ContextBody } from '../../bodies/contexts';
import { tableLines, type Cell } from '../table';
import type { Colours, Terminal } from '../terminal';

type Status = ContextBody['stages']['summary'];

/** Contexts with the state of their AI work; why one failed below it (spec 30). */
export function contextLines(
  terminal: Terminal,
  contexts: readonly ContextBody[],
  options: { readonly withProject: boolean },
): string[] {
  const { colours } = terminal;
  const status = (text: Status): Cell => ({ text, paint: stagePaint(colours, text) });
  return tableLines(
    terminal,
    [
      { title: 'ID' },
      { title: 'TITLE', shrinksTo: 12 },
      { title: 'EMBEDDING' },
      { title: 'SUMMARY' },
      { title: 'RETRIES', align: 'right' },
      { title: 'CHANGED' },
    ],
    contexts.map((context) => ({
      cells: [
        context.id,
        context.title,
        status(context.stages.embedding),
        status(context.stages.summary),
        String(context.retryCount),
        context.updatedAt.slice(0, 19),
      ],
      notes: [
        ...(options.withProject ? [{ text: `project ${context.projectId}`, paint: colours.dim }] : []),
        ...(context.lastFailure === null || isFinished(context)
          ? []
          : [{ text: context.lastFailure, paint: colours.yellow }]),
        ...(hasFailed(context) ? [{ text: `next: callsheet rescan retry ${context.id}`, paint: colours.dim }] : []),
      ],
    })),
  );
}

/** What failed once and came right needs no reader. */
function isFinished({ stages }: ContextBody): boolean {
  return stages.embedding === 'COMPLETED' && stages.summary === 'COMPLETED';
}

export function hasFailed({ stages }: ContextBody): boolean {
  return stages.embedding === 'FAILED' || stages.summary === 'FAILED';
}

function stagePaint(colours: Colours, status: Status): (text: string) => string {
  switch (status) {
    case 'COMPLETED':
      return colours.green;
    case 'PROCESSING':
      return colours.cyan;
    case 'FAILED':
      return colours.red;
    case 'PENDING':
      return colours.yellow;
    case 'CANCELLED':
      return colours.dim;
  }
}
