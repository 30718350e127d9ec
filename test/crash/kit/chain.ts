import { STEP_IDS, type StepId } from '../../../src/domain/steps';
import type { Plan } from './plan';

/** Steps that follow each other in every run; those of one place run side by side, and only one of them is killed in one episode. */
const PLACES: readonly (readonly StepId[])[] = [
  ['world_guide'],
  ['shot_selection', 'entity_t2i'],
  ...STEP_IDS.filter((step) => !['world_guide', 'shot_selection', 'entity_t2i'].includes(step)).map((step) => [step]),
];

/** Of an activity: of a step, or of the decision before it, in the point's state or in what it does. */
const ACTIVITY = /(?:runStep|refreshStep|announceStep|activity) ([a-z0-9_]+)/;

/** Where in a run the one kill of this plan comes about; null: at no place of a step, or it has kills of its own order. */
export function placeInRun({ kills }: Plan): number | null {
  const [name, ...more] = kills;
  const step = ACTIVITY.exec(name!.split(' | ').reverse().join(' | '))?.[1];
  const place = PLACES.findIndex((steps) => steps.some((one) => one === step));
  return more.length > 0 || place < 0 ? null : place;
}

/**
 * The same plans, with one episode for several kills, each in another step: a worker is killed, the next one resumes and is killed in a
 * later step, and so on. Keeps the order: a chain stands where its first plan stood, and takes the first ones that fit.
 */
export function chained(plans: readonly Plan[]): readonly Plan[] {
  const queues = new Map<string, Plan[]>();
  const keyOf = (plan: Plan, place: number): string => `${plan.variant} ${place}`;
  for (const plan of plans) {
    const place = placeInRun(plan);
    if (place === null) continue;
    const key = keyOf(plan, place);
    queues.set(key, [...(queues.get(key) ?? []), plan]);
  }
  const taken = new Set<Plan>();
  return plans.flatMap((plan) => {
    if (taken.has(plan)) return [];
    if (placeInRun(plan) === null) return [plan];
    const parts = PLACES.flatMap((_, place) => queues.get(keyOf(plan, place))?.shift() ?? []);
    for (const part of parts) taken.add(part);
    return parts.length === 1 ? [...parts] : [chainOf(plan, parts)];
  });
}

function chainOf({ variant, stratum }: Plan, parts: readonly Plan[]): Plan {
  return { variant, stratum, kills: parts.flatMap((part) => part.kills), parts };
}
