import { postgres, temporal } from '../../support/services';
import { Kit } from './kit';
import { readOptions, type KitOptions } from './options';
import { chained } from './chain';
import type { Plan } from './plan';
import { writeReport } from './report';
import { fairOrder } from './sample';
import { Tally } from './tally';

/** A sample tries so many points however slow the machine is. */
const FEWEST_POINTS = 8;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** yyyymmdd of today, UTC. */
function today(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
}

/** The money-safety kit (`npm run crash`). Answers the exit code: 1 where something was lost. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, today());
  try {
    await Promise.all([postgres.use(), temporal.use()]);
    return await run(options);
  } finally {
    await Promise.all([postgres.leave(), temporal.leave()]);
  }
}

async function run(options: KitOptions): Promise<number> {
  const begunMs = performance.now();
  const kit = await Kit.open(options.atOnce);
  try {
    const plans = await planAll(kit, options);
    say(`${plans.length} points at which a worker can be killed`);
    if (options.list) {
      for (const plan of plans) say(`${plan.variant}  ${plan.kills.join('  then  ')}`);
      return 0;
    }
    const tally = new Tally();
    // In a fair order in any case: a run that is ended before its end has tried a sample, too.
    const order = chained(fairOrder(plans, options.seed));
    if (options.sample)
      say(
        `a fair sample of them for ${options.sampleMs / 1_000} s, seed ${options.seed} (--seed ${options.seed} draws it again)`,
      );
    const endMs = options.sample ? begunMs + options.sampleMs : Infinity;
    const queue = [...order];
    process.once('SIGINT', () => {
      say('asked to end: the attempts at hand are the last');
      queue.length = 0;
    });
    await Promise.all(Array.from({ length: options.atOnce }, () => work(kit, queue, endMs, tally, plans.length)));
    const tookSeconds = Math.round((performance.now() - begunMs) / 1_000);
    for (const loss of tally.losses)
      say(`LOST at ${loss.plan.variant}: ${loss.plan.kills.join(' then ')}\n  ${loss.losses.join('\n  ')}`);
    if (options.report !== null) writeReport(options.report, { tally, tookSeconds, plans: plans.length });
    say(`took ${tookSeconds} s`);
    say(tally.toString());
    return tally.losses.length > 0 || tally.kills === 0 ? 1 : 0;
  } finally {
    kit.close();
  }
}

async function planAll(kit: Kit, { variants, only }: KitOptions): Promise<readonly Plan[]> {
  const plans = (await Promise.all(variants.map((variant) => kit.plans(variant)))).flat();
  return only === null ? plans : plans.filter((plan) => plan.kills.some((kill) => kill.includes(only)));
}

async function work(kit: Kit, queue: Plan[], endMs: number, tally: Tally, total: number): Promise<void> {
  for (;;) {
    if (performance.now() >= endMs && tally.points >= FEWEST_POINTS) return;
    const plan = queue.shift();
    if (!plan) return;
    const before = tally.points;
    let tried = await kit.try(plan);
    const { killed } = tried.attempt;
    if (plan.parts && killed < plan.kills.length && tried.comparison.losses.length === 0) {
      // The others took another turn: what was not reached is tried alone.
      queue.unshift(...plan.parts.slice(killed));
      if (killed === 0) continue;
      const parts = plan.parts.slice(0, killed);
      tally.add({ ...plan, parts, kills: parts.flatMap((part) => part.kills) }, tried.attempt, tried.comparison);
      continue;
    }
    // Steps side by side may take turns otherwise than they did: once more, before the point counts as not reached.
    if (!plan.parts && killed < plan.kills.length && tried.comparison.losses.length === 0) tried = await kit.try(plan);
    tally.add(plan, tried.attempt, tried.comparison);
    const { losses } = tried.comparison;
    if (losses.length > 0) say(`LOST at ${plan.kills.join(' then ')}: ${losses.join('; ')}`);
    if (Math.floor(before / 10) < Math.floor(tally.points / 10))
      say(`${tally.points} of ${total}: ${tally.toString()}`);
  }
}
