import type { RestoreBody } from '../../bodies/restore';
import { counted } from '../figures';
import { plainLine } from '../plain-text';
import type { Terminal } from '../terminal';
import { decisionTable } from './decision-table';

/** What a restore did, what became stale, and what the next run would do. */
export function restoreLines(
  terminal: Terminal,
  { stepId, restored, version, changed, status, stale, decisions }: RestoreBody,
): string[] {
  const { bold, dim } = terminal.colours;
  const step = plainLine(stepId);
  if (!changed)
    return [`Version ${version} of ${step} holds the same as version ${restored} already; nothing has changed.`];
  const lines = Object.entries(stale).map(
    ([below, items]) =>
      `  ${plainLine(below)}: ${counted(items.length, 'item')} to look at again: ${items.map(plainLine).join(', ')}`,
  );
  return [
    bold(`Version ${restored} of ${step} counts again, as version ${version} (${plainLine(status)}).`),
    ...(lines.length === 0 ? ['Nothing downstream read what it changes.'] : ['Stale downstream:', ...lines]),
    '',
    dim('The next run would:'),
    ...decisionTable(terminal, decisions),
  ];
}
