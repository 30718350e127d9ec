import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { temporalAddress } from '../../support/settings';
import { makeNamespace } from '../../support/world';
import { attemptEpisode, type Attempt } from './attempt';
import { compare, type Comparison } from './compare';
import { readMade, type Made } from './compare-rows';
import { placeOf, readPoints, type Point } from './point';
import { planOf, planOfRecovery, type Plan } from './plan';
import type { VariantName } from './variant';

/** After a kill in the middle of the pictures, and after one in an editor's second activity: from there recoveries are recorded. */
const RECOVERIES = [/send image \| after \| runStep scene_image_pipeline/, /adopt-row\.ts.*\| after \|/];

/** The thread that beats is watched, too, or the kit sees less than it says. */
const HEARTBEAT = /^src\/ledger\/beat\.ts:.*\| heartbeat$/;

/** Attempts, each in a world of its own, in namespaces that attempts use one after the other. */
export class Kit {
  private readonly asked = new Map<VariantName, Made>();
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-points-'));
  private readonly free: string[];
  /** Attempts that wait for a namespace, first come, first served. */
  private readonly waiting: ((namespace: string) => void)[] = [];
  private attempts = 0;

  private constructor(namespaces: readonly string[]) {
    this.free = [...namespaces];
  }

  static async open(atOnce: number): Promise<Kit> {
    const connection = await Connection.connect({ address: temporalAddress(), connectTimeout: '10s' });
    try {
      return new Kit(await Promise.all(Array.from({ length: atOnce }, () => makeNamespace(connection))));
    } finally {
      await connection.close();
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** One undisturbed run: what is asked of all others, and the points at which they are killed. Throws where it fails. */
  async record(variant: VariantName): Promise<readonly Point[]> {
    const record = path.join(this.folder, `${variant}.jsonl`);
    await this.attempt({ variant, kills: [], record }, async (attempt) => {
      const { losses } = await compare(attempt, null);
      if (losses.length > 0) throw new Error(`The undisturbed run of ${variant} fails: ${losses.join('; ')}`);
      this.asked.set(variant, await readMade(attempt.world.db, variant === 'offline'));
    });
    return readPoints(record);
  }

  /** The plans of a variant: every point, and for offline the points of recoveries besides. */
  async plans(variant: VariantName): Promise<readonly Plan[]> {
    const points = await this.record(variant);
    if (variant !== 'offline') return planOf(variant, points);
    if (!points.some(({ name }) => HEARTBEAT.test(name)))
      throw new Error('The thread of the heartbeat shows no point.');
    const plans = [...planOf(variant, points)];
    const known = [...points];
    for (const pattern of RECOVERIES) {
      const first = points.find((point) => pattern.test(point.name));
      if (!first) throw new Error(`No point fits ${String(pattern)}: the recoveries cannot be recorded.`);
      const record = path.join(this.folder, `recovery-${plans.length}.jsonl`);
      await this.attempt({ variant, kills: [first.name], record }, async () => undefined);
      const recovery = readPoints(record);
      plans.push(...planOfRecovery(variant, first, recovery, known));
      known.push(...recovery.filter((point) => !known.some((other) => placeOf(other) === placeOf(point))));
    }
    return plans;
  }

  /** Kills where the plan says, resumes, and compares. */
  async try(plan: Plan): Promise<{ readonly attempt: Attempt; readonly comparison: Comparison }> {
    const asked = this.asked.get(plan.variant);
    if (!asked) throw new Error(`${plan.variant} was not recorded.`);
    return this.attempt(plan, async (attempt) => ({ attempt, comparison: await compare(attempt, asked) }));
  }

  private async attempt<T>(
    options: { readonly variant: VariantName; readonly kills: readonly string[]; readonly record?: string },
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const namespace = this.free.pop() ?? (await new Promise<string>((resolve) => this.waiting.push(resolve)));
    this.attempts += 1;
    try {
      const attempt = await attemptEpisode({
        ...options,
        namespace,
        projectId: `crash-${process.pid}-${this.attempts}`,
      });
      try {
        return await work(attempt);
      } finally {
        await attempt.close();
      }
    } finally {
      const next = this.waiting.shift();
      if (next) next(namespace);
      else this.free.push(namespace);
    }
  }
}
