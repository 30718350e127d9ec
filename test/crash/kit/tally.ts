import type { Attempt } from './attempt';
import type { Comparison } from './compare';
import type { Plan } from './plan';

export interface Loss {
  readonly plan: Plan;
  readonly losses: readonly string[];
}

/** What the kit has seen so far. */
export class Tally {
  points = 0;
  kills = 0;
  repeats = 0;
  /** Points that a run did not come by a second time: the machine took another turn. */
  notReached = 0;
  readonly losses: Loss[] = [];
  /** Variant → points tried and repeats. */
  readonly byVariant = new Map<string, { points: number; kills: number; repeats: number; losses: number }>();

  add(plan: Plan, attempt: Pick<Attempt, 'killed'>, { losses, repeats }: Comparison): void {
    const points = plan.parts?.length ?? 1;
    const of = this.byVariant.get(plan.variant) ?? { points: 0, kills: 0, repeats: 0, losses: 0 };
    this.byVariant.set(plan.variant, of);
    this.points += points;
    of.points += points;
    this.kills += attempt.killed;
    of.kills += attempt.killed;
    this.repeats += repeats;
    of.repeats += repeats;
    if (attempt.killed < plan.kills.length) this.notReached += 1;
    if (losses.length === 0) return;
    of.losses += 1;
    this.losses.push({ plan, losses });
  }

  /** The last line of the kit. */
  toString(): string {
    const missed = this.notReached === 0 ? '' : `, ${this.notReached} not reached`;
    return `${this.points} points, ${this.kills} kills, ${this.repeats} repeats, ${this.losses.length} losses${missed}`;
  }
}
