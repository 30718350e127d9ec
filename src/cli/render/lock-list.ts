import type { LockBody, LocksBody } from '../../bodies/locks';
import { measured } from '../figures';
import { plainLine } from '../plain-text';
import { placeOf } from '../place';
import { noteLines, tableLines } from '../table';
import type { Terminal } from '../terminal';
import { ownerText } from './owner';
import { verdictPaint } from './status-words';

/** Running rows with owner, verdict and ages; why, and what to do, below each (spec 10 "Locks"). */
export function lockLines(
  terminal: Terminal,
  locks: readonly LockBody[],
  options: { readonly withPlace: boolean },
): string[] {
  const { colours } = terminal;
  return tableLines(
    terminal,
    [
      { title: 'STEP', shrinksTo: 12 },
      { title: 'VERDICT' },
      { title: 'BEAT', align: 'right' },
      { title: 'STARTED', align: 'right' },
      { title: 'TAKEN', align: 'right' },
      { title: 'OWNER', shrinksTo: 12 },
    ],
    locks.map((lock) => ({
      cells: [
        lock.stepId,
        { text: lock.verdict, paint: verdictPaint(colours, lock.verdict) },
        measured(lock.ages.heartbeatSeconds),
        measured(lock.ages.startedSeconds),
        `${lock.recoveryCount}x`,
        ownerText(lock.owner),
      ],
      notes: [
        ...(options.withPlace
          ? [
              {
                text: `project ${lock.projectId ?? '(none)'} · episode ${lock.episodeId ?? '(none)'} · row ${lock.id}`,
                paint: colours.dim,
              },
            ]
          : []),
        { text: `run ${lock.runId ?? '(none)'}`, paint: colours.dim },
        ...(lock.cancelRequestedAt === null
          ? []
          : [{ text: `cancel requested at ${lock.cancelRequestedAt}`, paint: colours.yellow }]),
        { text: `branch ${lock.branch} (${lock.proof}): ${lock.reason}` },
        { text: `next: ${whatToDo(lock)}`, paint: colours.dim },
      ],
    })),
  );
}

/** Who judged, and when: another process may see the same row differently (spec 10). */
export function seenByLines(terminal: Terminal, { seenBy, now }: LocksBody): string[] {
  const text = `Seen at ${now} by ${seenBy.role} process ${seenBy.pid} on ${seenBy.host}.`;
  return noteLines(terminal, { text, paint: terminal.colours.dim }, '');
}

/** The command that fits the verdict. */
export function whatToDo(lock: LockBody): string {
  const release = `callsheet release --row ${lock.id}`;
  switch (lock.verdict) {
    case 'alive':
      return lock.cancelRequestedAt === null
        ? `leave it; to stop it, callsheet cancel ${plainLine(lock.stepId)} ${placeOf(lock)}.`
        : 'wait: it ends at its next safe point.';
    case 'dead':
      return `a run of the step takes it over; or ${release}`;
    case 'unknown':
      return `find out whether ${ownerText(lock.owner)} lives; if you have ended it: ${release} --force --reason WHY --run ${lock.runId ?? lock.id}`;
  }
}
