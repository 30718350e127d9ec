import type { SnapshotContentBody, SnapshotDiffBody, SnapshotsBody } from '../../bodies/snapshots';
import { plainLine, plainLines } from '../plain-text';
import { noteLines, tableLines } from '../table';
import type { Terminal } from '../terminal';
import { statusPaint } from './status-words';

/** All versions, newest first; the one that counts is marked. */
export function snapshotLines(terminal: Terminal, { stepId, snapshots }: SnapshotsBody): string[] {
  if (snapshots.length === 0) return [`${plainLine(stepId)} has no checkpoint yet.`];
  return tableLines(
    terminal,
    [
      { title: 'VERSION', align: 'right' },
      { title: 'STATUS' },
      { title: 'WRITTEN BY', shrinksTo: 10 },
      { title: 'SCHEMA', align: 'right' },
      { title: 'SIZE', align: 'right' },
      { title: 'AT' },
    ],
    snapshots.map((snapshot) => ({
      cells: [
        `${snapshot.current ? '* ' : ''}${snapshot.version}`,
        { text: snapshot.status, paint: statusPaint(terminal.colours, snapshot.status) },
        snapshot.writtenBy,
        String(snapshot.schemaVersion),
        String(snapshot.characters),
        snapshot.createdAt.slice(0, 19),
      ],
      notes:
        snapshot.archivedAt === null
          ? []
          : [{ text: `archived at ${snapshot.archivedAt}`, paint: terminal.colours.dim }],
    })),
  );
}

/** What a version holds, as JSON. */
export function contentLines(
  terminal: Terminal,
  { stepId, version, writtenBy, createdAt, body }: SnapshotContentBody,
): string[] {
  const head = plainLine(`${stepId} version ${version}, written by ${writtenBy} at ${createdAt}`);
  return [terminal.colours.dim(head), ...plainLines(JSON.stringify(body, null, 2))];
}

/** Where two versions differ, prompt by prompt, before and after. */
export function diffLines(terminal: Terminal, { stepId, from, to, changes }: SnapshotDiffBody): string[] {
  const { bold, red, green, dim } = terminal.colours;
  if (changes.length === 0) return [`Versions ${from} and ${to} of ${plainLine(stepId)} hold the same.`];
  return changes.flatMap((change) => [
    `${bold(plainLine(titleOf(change)))} ${dim(plainLine(change.item === undefined ? change.kind : `${change.kind} · ${change.path}`))}`,
    ...(change.kind === 'added'
      ? []
      : noteLines(terminal, { text: `- ${valueText(change.before)}`, paint: red }, '  ')),
    ...(change.kind === 'removed'
      ? []
      : noteLines(terminal, { text: `+ ${valueText(change.after)}`, paint: green }, '  ')),
  ]);
}

/** A prompt is known by its shot or entity, not by where it stands. */
function titleOf({ item, path }: SnapshotDiffBody['changes'][number]): string {
  return item === undefined ? path || '/' : `${item} ${path.split('/').slice(-1).join('')}`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
