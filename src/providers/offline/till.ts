import { fstatSync, readSync, writeSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** One line of the till: what a paid provider's own books would say (spec 40 "Offline"). */
export interface Charge {
  readonly key: string;
  readonly step: string;
  readonly item: string;
  readonly usd: number;
  /** UTC, ISO 8601. */
  readonly at: string;
}

export interface Till {
  /** Charges a key once, whoever asks and however often; the line is on the disk before this returns. False: it was charged before. Throws what the file system throws. */
  charge(charge: Charge): Promise<boolean>;
}

/**
 * The till in a file of JSON lines that outlives its processes; several may append. Within a process charges go one after the
 * other; between processes a line is one append, and each looks for the key in all that others have written right before it
 * writes: in one go, so that nothing of this process, however long it computes, can come between the look and the line.
 */
export function openTill(file: string): Till {
  const keys = new Set<string>();
  /** Up to where whole lines have been read, in bytes. */
  let readBytes = 0;
  /** How long the file was when this process last looked, in bytes. */
  let seenBytes = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function chargeOnce(charge: Charge): Promise<boolean> {
    await mkdir(path.dirname(path.resolve(file)), { recursive: true });
    const handle = await open(file, 'a+', 0o600);
    try {
      if (!bookOnce(handle, charge)) return false;
      await handle.sync();
      return true;
    } finally {
      await handle.close();
    }
  }

  /** Synchronous on purpose. */
  function bookOnce({ fd }: FileHandle, charge: Charge): boolean {
    const { size } = fstatSync(fd);
    // Shorter than before: someone emptied or replaced it, so what is known of it counts no more.
    if (size < seenBytes) {
      keys.clear();
      readBytes = 0;
    }
    const fresh = Buffer.alloc(size - readBytes);
    const bytesRead = readSync(fd, fresh, 0, fresh.length, readBytes);
    const text = fresh.subarray(0, bytesRead);
    const whole = text.lastIndexOf(0x0a) + 1;
    for (const line of text.subarray(0, whole).toString('utf8').split('\n')) {
      const key = keyIn(line);
      if (key !== undefined) keys.add(key);
    }
    readBytes += whole;
    seenBytes = size;
    if (keys.has(charge.key)) return false;
    // A line that was cut by a crash was never charged for sure; the new one must not be glued to it.
    const separator = whole === bytesRead ? '' : '\n';
    const line = Buffer.from(`${separator}${JSON.stringify(charge)}\n`);
    const bytesWritten = writeSync(fd, line);
    if (bytesWritten !== line.length)
      throw new Error(`Only ${bytesWritten} of ${line.length} bytes fitted into ${file}.`);
    seenBytes += line.length;
    keys.add(charge.key);
    return true;
  }

  return {
    charge(charge) {
      const turn = queue.then(() => chargeOnce(charge));
      // The next in line waits for this one, whether it works out or not; its own caller gets the error.
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The key of a line; undefined for a torn one. */
function keyIn(line: string): string | undefined {
  try {
    const parsed = JSON.parse(line) as unknown;
    const key = typeof parsed === 'object' && parsed !== null ? (parsed as Partial<Charge>).key : undefined;
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
