import type { AuditBody } from '../../bodies/audit';
import type { LockBody, LocksBody } from '../../bodies/locks';
import { parseTime } from '../../domain/time';

/**
 * Sorts running rows by what is to be done about them (spec 20 "Before the first deployment"): alive is healthy, dead is
 * stale; what nobody can judge lacks a start, or has a time that cannot be read. Each row stands in one list, oldest first.
 */
export function auditOf({ locks }: Pick<LocksBody, 'locks'>): AuditBody {
  const body: AuditBody = { healthy: [], stale: [], unparsable: [], withoutStart: [] };
  for (const lock of [...locks].sort(oldestFirst)) body[listOf(lock)].push(lock);
  return body;
}

function listOf(lock: LockBody): keyof AuditBody {
  switch (lock.verdict) {
    case 'alive':
      return 'healthy';
    case 'dead':
      return 'stale';
    case 'unknown':
      return lock.startedAt === null || lock.startedAt === '' ? 'withoutStart' : 'unparsable';
  }
}

/** By start; rows whose start cannot be read come before all others, in order of their ids. */
function oldestFirst(one: LockBody, other: LockBody): number {
  const [a, b] = [startOf(one), startOf(other)];
  return a === b ? one.id.localeCompare(other.id) : a - b;
}

function startOf(lock: LockBody): number {
  return (lock.startedAt === null ? null : parseTime(lock.startedAt)) ?? -Infinity;
}
