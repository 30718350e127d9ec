import { RUNNING_ACTIONS, type Action } from '../domain/decision';
import { STEP_IDS, upstreamOf, type StepId } from '../domain/steps';
import { hashOf } from '../hash';
import type { EpisodeView } from './episode-view';
import type { RunChoice } from './forecast';
import type { PlannedStep } from './planned-step';
import { viewSources } from './view-digest';

/** What a plan was made from besides its steps, as a token names it, in the order of its digests. */
const SOURCES = ['what was chosen', 'the screenplay', 'the settings', 'the switches of shots', 'the contexts'] as const;

const LETTERS: Readonly<Record<Action, string>> = {
  skip: 's',
  rerun_self: 'r',
  force_explicit: 'f',
  stale_running_recovery: 't',
  block: 'b',
  not_applicable: 'n',
};
const NOT_CHOSEN = 'x';

/** Hexadecimal digits of one digest, and of the whole plan's. */
const PART_DIGITS = 6;
const WHOLE_DIGITS = 16;

/**
 * The token of a plan: hashes of its decisions and of what they read, without times, owners and dollars (spec 40 "Plan"). A run
 * started with it is refused if anything that matters has changed; one digest for each source and step, so that the refusal can
 * say what.
 */
export function planToken(view: EpisodeView, choice: RunChoice, planned: readonly PlannedStep[]): string {
  const byStep = new Map(planned.map((step) => [step.stepId, step]));
  const read = new Set(planned.flatMap((step) => upstreamOf(step.stepId)));
  const { screenplay, settings, switches, contexts } = viewSources(view);
  const sources: Readonly<Record<(typeof SOURCES)[number], unknown>> = {
    'what was chosen': { chosen: [...choice.chosen], force: [...choice.force], items: choice.items },
    'the screenplay': screenplay,
    'the settings': settings,
    'the switches of shots': switches,
    'the contexts': contexts,
  };
  const parts = [
    ...SOURCES.map((source) => sources[source]),
    ...STEP_IDS.map((step) => readsOf(view, step, byStep.get(step), read.has(step))),
  ];
  const letters = STEP_IDS.map((step) => letterOf(byStep.get(step))).join('');
  const digests = parts.map((part) => hashOf(part).slice(0, PART_DIGITS)).join('');
  return `${hashOf([letters, parts]).slice(0, WHOLE_DIGITS)}-${letters}-${digests}`;
}

function letterOf(step: PlannedStep | undefined): string {
  return step ? LETTERS[step.decision.action] : NOT_CHOSEN;
}

/** Of a step that is not chosen: the version of its checkpoint, where a chosen one reads it. */
function readsOf(view: EpisodeView, stepId: StepId, step: PlannedStep | undefined, isRead: boolean): unknown {
  const checkpoint = view.checkpoints.get(stepId)?.version;
  if (!step) return isRead ? { checkpoint } : null;
  const { decision } = step;
  // What a skipped step keeps stands in the plan for people; what it stands for is the version of its checkpoint.
  const isAsked = RUNNING_ACTIONS.has(decision.action) || step.estimated;
  return {
    code: decision.code,
    origin: decision.origin,
    status: decision.expected?.status,
    checkpoint,
    items: isAsked ? step.items.map(({ itemId, action }) => [itemId, action]) : [],
    requests: step.requestHashes,
  };
}

/** What has changed from the plan that a token names to the one that is made now; empty: nothing. Sentences for people. */
export function planDifferences(token: string, now: string): readonly string[] {
  if (token === now) return [];
  const [then, current] = [partsOf(token), partsOf(now)];
  if (!then || !current) return ['The token is none of this release: make a new plan.'];
  const differences: string[] = SOURCES.flatMap((source, at) =>
    then.digests[at] === current.digests[at] ? [] : [`Changed: ${source}.`],
  );
  for (const [at, step] of STEP_IDS.entries()) {
    const [before, after] = [actionOf(then.letters[at]), actionOf(current.letters[at])];
    if (before !== after) differences.push(`${step}: ${before} then, ${after} now.`);
    else if (then.digests[SOURCES.length + at] !== current.digests[SOURCES.length + at])
      differences.push(`${step}: ${after} as then, but what it reads or buys has changed.`);
  }
  return differences.length > 0 ? differences : ['Something that the plan read has changed.'];
}

function partsOf(token: string): { readonly letters: string; readonly digests: readonly string[] } | null {
  const match = /^[0-9a-f]{16}-([a-z]+)-([0-9a-f]+)$/.exec(token);
  const [letters, digits] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (letters.length !== STEP_IDS.length || digits.length !== PART_DIGITS * (SOURCES.length + STEP_IDS.length))
    return null;
  return { letters, digests: digits.match(/.{6}/g) ?? [] };
}

function actionOf(letter: string | undefined): string {
  return Object.entries(LETTERS).find(([, one]) => one === letter)?.[0] ?? 'not chosen';
}
