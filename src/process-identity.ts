import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessIdentity } from './domain/identity';
import { sha256 } from './hash';

/**
 * Fingerprint of the kernel's boot and this process's pid namespace: two containers that share a host name differ in it
 * (spec 10 "Same host"). Null where the system does not tell.
 */
function readHostId(): string | null {
  try {
    const kernelBoot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return sha256(`${kernelBoot} ${readlinkSync('/proc/self/ns/pid')}`).slice(0, 32);
  } catch {
    return null; // no /proc: macOS, or a locked-down container; the host name alone then tells
  }
}

/** This process's identity; made once at start, with a new boot id. `hostId` undefined: read it from the system. */
export function createProcessIdentity(host: string, hostId: string | undefined): ProcessIdentity {
  return Object.freeze({ host, pid: process.pid, bootId: randomUUID(), hostId: hostId ?? readHostId() });
}

/** `kill(pid, 0)`: false only where no process has that pid (ESRCH); EPERM and the like mean that one has (spec 10). */
export function pidExists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true; // 0 and negatives address groups: proves nothing
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
