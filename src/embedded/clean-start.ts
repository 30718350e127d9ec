import { rmSync } from 'node:fs';
import { ChildrenRecord, readChildren, removeChildrenFile } from './children-file';
import type { Home } from './home';
import { startKeeper } from './keeper-process';
import { endLeftovers } from './leftovers';
import { removeStackFile } from './stack-file';
import { supervise, type Supervised } from './supervisor';

/** Ends what a killed stack of this home left, and removes its files. Only for who holds the home's lock. */
export async function endKilledStack(home: Home, say: (line: string) => void): Promise<void> {
  removeStackFile(home.stack);
  rmSync(home.wanted, { force: true });
  const ended = await endLeftovers(readChildren(home.children), true);
  const others = ended.filter((name) => name !== 'keeper');
  if (others.length > 0) say(`A stack that was killed here had left ${others.join(', ')} running: ended.`);
  removeChildrenFile(home.children);
}

/** The record of this stack's children, and the keeper that ends them if we are killed; it comes before all of them. */
export async function startRecord(
  home: Home,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<{ record: ChildrenRecord; keeper: Supervised }> {
  const record = new ChildrenRecord(home.children, say);
  try {
    const keeper = await supervise({
      name: 'keeper',
      start: (spawned) => startKeeper(record, spawned),
      record,
      say,
      signal,
    });
    return { record, keeper };
  } catch (error) {
    record.close();
    throw error;
  }
}
