import type { ProcessIdentity } from '../domain/identity';
import type { RequestRow } from './read-request';

/** Through whose eyes a purchase is judged. `holds` and `pidExists` are asked after the row was read, never before. */
export interface Eyes {
  readonly identity: ProcessIdentity;
  /** Does this process have that call in flight? */
  holds(purchaseId: string): boolean;
  pidExists(pid: number): boolean;
}

/** Every probe error but ESRCH (EPERM too) means that a process has that pid (spec 10 "The verdict"). */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Same host name and, where both sides know it, the same fingerprint (spec 10). */
function sameHost(row: RequestRow, identity: ProcessIdentity): boolean {
  if (row.owner_host !== identity.host) return false;
  return row.owner_host_id === null || identity.hostId === null || row.owner_host_id === identity.hostId;
}

/** Proof that the sender can send nothing any more: my own process holds no such call, or the pid is gone (branch 3). */
export function senderGone(row: RequestRow, eyes: Eyes): boolean {
  if (row.owner_boot_id === eyes.identity.bootId) return !eyes.holds(row.id);
  return sameHost(row, eyes.identity) && row.owner_pid > 0 && !eyes.pidExists(row.owner_pid);
}

/** No answer is to be expected any more: the sender is gone, or send window and deadline have passed by the database's clock. */
export function isPast(row: RequestRow, eyes: Eyes): boolean {
  if (senderGone(row, eyes)) return true;
  return row.expired && row.owner_boot_id !== eyes.identity.bootId;
}
