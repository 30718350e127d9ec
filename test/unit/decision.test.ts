import { CLEAN, incomplete, type CompletionReport, type Origin } from '../../src/domain/completion';
import {
  asksForVerify,
  decide,
  RUNNING_ACTIONS,
  type CheckpointContract,
  type DecisionFacts,
} from '../../src/domain/decision';
import { STEP_STATUSES } from '../../src/domain/status';
import type { Verdict } from '../../src/domain/verdict';

const verdictOf = (verdict: Verdict['verdict']): Verdict => ({
  verdict,
  branch: 5,
  proof: 'lease',
  ages: { startedSeconds: 1, heartbeatSeconds: 1 },
  reason: 'because',
});
const reportOf = (origin: Origin): CompletionReport =>
  origin === 'clean' ? CLEAN : incomplete(origin, ['something'], [{ what: 'x' }], true);
const contract = (schemaVersion: number, style: string): CheckpointContract => ({
  schemaVersion,
  configHashes: { style },
});

const STATES = [
  null,
  ...STEP_STATUSES.filter((status) => status !== 'running').map((status) => ({ status, verdict: null })),
  ...(['alive', 'dead', 'unknown'] as const).map((verdict) => ({ status: 'running', verdict })),
  { status: 'set by another tool', verdict: null },
];
const MODES = ['resume', 'force'] as const;
const CHECKPOINTS: Record<string, CheckpointContract | null> = {
  none: null,
  same: contract(2, 'ink'),
  older: contract(1, 'ink'),
  'older, and another style': contract(1, 'oil'),
  newer: contract(3, 'ink'),
  'another style': contract(2, 'oil'),
  'before the key was listed': { schemaVersion: 2, configHashes: {} },
};
const ORIGINS: readonly Origin[] = ['clean', 'artifact_missing', 'contract_drift', 'invariant_drift', 'verify_crashed'];
const NEEDS = {
  met: ['completed', false],
  aside: ['not_applicable', false],
  absent: [undefined, false],
  stale: ['stale', false],
  'will run': ['failed', true],
} as const;
const APPLIES = { yes: [true, null], no: [false, null], broken: [true, 'it has a wrong shape'] } as const;
const BELOW = [null, 'alive', 'dead', 'unknown'] as const;
const VICTIMS = {
  none: null,
  clean: ['completed', false, 'clean'],
  aside: ['not_applicable', false, null],
  'not completed': ['partial', false, null],
  'will run': ['failed', true, null],
  gone: ['completed', false, null],
  drifted: ['completed', false, 'invariant_drift'],
  crashed: ['completed', false, 'verify_crashed'],
} as const;

interface Case {
  readonly state: (typeof STATES)[number];
  readonly mode: (typeof MODES)[number];
  readonly checkpoint: string;
  readonly origin: Origin;
  readonly need: keyof typeof NEEDS;
  readonly applies: keyof typeof APPLIES;
  readonly below: (typeof BELOW)[number];
  readonly victim: keyof typeof VICTIMS;
  readonly mayRerunOnSchemaBump: boolean;
  readonly upstreamRuns: boolean;
}

function factsOf(one: Case): DecisionFacts {
  const { state, need, applies, below, victim } = one;
  const [status, willRun] = NEEDS[need];
  const hurt = VICTIMS[victim];
  const facts: Omit<DecisionFacts, 'report'> = {
    step: 't2i_review',
    mode: one.mode,
    row: state && {
      status: state.status,
      run_id: 'r',
      owner_boot_id: 'b',
      started_at: 's',
      heartbeat_at: 'h',
      error_message: null,
    },
    verdict: state?.verdict ? verdictOf(state.verdict) : null,
    needs: [{ step: 'shot_dependency_t2i', status, willRun }],
    applies: APPLIES[applies][0],
    inputsBroken: APPLIES[applies][1],
    upstreamRuns: one.upstreamRuns ? 'world_guide' : null,
    downstreamRunning: below ? [{ step: 'floor_plan_render', verdict: verdictOf(below) }] : [],
    victims: hurt
      ? [{ step: 'scene_detail', status: hurt[0], willRun: hurt[1], report: hurt[2] ? reportOf(hurt[2]) : null }]
      : [],
    checkpoint: CHECKPOINTS[one.checkpoint]!,
    contract: { ...contract(2, 'ink'), allowAutoRerunOnSchemaBump: one.mayRerunOnSchemaBump },
  };
  return { ...facts, report: asksForVerify(facts) ? reportOf(one.origin) : null };
}

/** Spec 20 "Order", sentence by sentence; independent of the code. Answers action, code and origin. */
function order(one: Case): string {
  const { state, mode, checkpoint, origin } = one;
  // 1
  if (state?.verdict === 'alive') return 'block step.already_running';
  if (state?.verdict === 'unknown') return 'block step.resume_blocked';
  // 2
  if (one.need === 'absent' || one.need === 'stale') return 'block step.gate_blocked';
  // 3
  if (one.applies === 'broken') return 'block step.resume_blocked contract_drift';
  if (one.applies === 'no') return 'not_applicable';
  // 4
  if (mode === 'force' && (one.below === 'alive' || one.below === 'unknown')) return 'block step.downstream_running';
  // 6 to 9: what would happen
  const would = ((): string => {
    if (state?.verdict === 'dead') return 'stale_running_recovery';
    if (mode === 'force') return 'force_explicit';
    if (state?.status !== 'completed') return 'rerun_self';
    if (checkpoint === 'none') return 'rerun_self artifact_missing';
    if (checkpoint.startsWith('older'))
      return one.mayRerunOnSchemaBump ? 'rerun_self contract_drift' : 'block step.resume_blocked contract_drift';
    if (checkpoint === 'newer' || checkpoint === 'another style') return 'block step.resume_blocked contract_drift';
    if (one.upstreamRuns) return 'skip';
    if (origin === 'clean') return 'skip clean';
    if (origin === 'artifact_missing') return 'rerun_self artifact_missing';
    if (origin === 'verify_crashed') return 'block step.verify_crashed verify_crashed';
    return `block step.resume_blocked ${origin}`;
  })();
  // 5: an editor that would run
  const runs = ['stale_running_recovery', 'force_explicit', 'rerun_self'].some((action) => would.startsWith(action));
  if (runs && one.victim === 'not completed') return 'block step.gate_blocked';
  if (runs && one.victim === 'gone') return 'block step.resume_blocked artifact_missing';
  if (runs && one.victim === 'drifted') return 'block step.resume_blocked invariant_drift';
  if (runs && one.victim === 'crashed') return 'block step.verify_crashed verify_crashed';
  return would;
}

/** Dimensions that the decision cannot look at are left out: reports without a verify, the flag without an older checkpoint. */
function* cases(): Generator<Case> {
  for (const state of STATES)
    for (const mode of MODES)
      for (const checkpoint of Object.keys(CHECKPOINTS))
        for (const need of Object.keys(NEEDS) as (keyof typeof NEEDS)[])
          for (const applies of Object.keys(APPLIES) as (keyof typeof APPLIES)[])
            for (const below of BELOW)
              for (const victim of Object.keys(VICTIMS) as (keyof typeof VICTIMS)[])
                for (const upstreamRuns of [false, true])
                  for (const origin of mode === 'resume' && state?.status === 'completed'
                    ? ORIGINS
                    : (['clean'] as const))
                    for (const mayRerunOnSchemaBump of checkpoint.startsWith('older') ? [false, true] : [false])
                      yield {
                        state,
                        mode,
                        checkpoint,
                        origin,
                        need,
                        applies,
                        below,
                        victim,
                        mayRerunOnSchemaBump,
                        upstreamRuns,
                      };
}

/** Whether the spec's order looks at a verify at all. */
function looks({ state, mode, checkpoint, upstreamRuns }: Case): boolean {
  return (
    mode === 'resume' &&
    state?.status === 'completed' &&
    (checkpoint === 'same' || checkpoint.startsWith('before')) &&
    !upstreamRuns
  );
}

/** What is wrong with the decision of a case; undefined: nothing. */
function faultOf(one: Case): string | undefined {
  const facts = factsOf(one);
  const { action, code, origin, reason, expected } = decide(facts);
  const said = [action, code, origin].filter((part) => part !== undefined).join(' ');
  if (said !== order(one)) return `decides ${said}, the order says ${order(one)}`;
  if (!/[.)]$/.test(reason) || /undefined|null/.test(reason)) return `gives as its reason ${reason}`;
  if ((expected?.status ?? null) !== (one.state?.status ?? null)) return `expects ${String(expected?.status)}`;
  if (one.mode === 'resume' && action === 'force_explicit') return 'forces, and no person has said so';
  if (one.state?.verdict && one.state.verdict !== 'dead' && RUNNING_ACTIONS.has(action))
    return 'runs over what lives or cannot be judged';
  if (asksForVerify(facts) !== looks(one)) return 'asks for a verify that it does not look at, or the other way round';
  return undefined;
}

describe('the one judge', () => {
  it('decides every combination as the order of the spec says; no finding of integrity forces, and nothing runs over the living', () => {
    let count = 0;
    const faults: unknown[] = [];
    for (const one of cases()) {
      count += 1;
      const fault = faultOf(one);
      if (fault !== undefined && faults.length < 5) faults.push([fault, one]);
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(200_000);
  });

  it('is a bug of its caller without the report that it asked for', () => {
    const facts = factsOf({
      state: { status: 'completed', verdict: null },
      mode: 'resume',
      checkpoint: 'same',
      origin: 'clean',
      need: 'met',
      applies: 'yes',
      below: null,
      victim: 'none',
      mayRerunOnSchemaBump: false,
      upstreamRuns: false,
    });
    expect(() => decide({ ...facts, report: null })).toThrow(TypeError);
  });

  it('names the setting that moved, the need that is not met, and the message of what failed, cut between characters', () => {
    const plain: Case = {
      state: { status: 'completed', verdict: null },
      mode: 'resume',
      checkpoint: 'another style',
      origin: 'clean',
      need: 'met',
      applies: 'yes',
      below: null,
      victim: 'none',
      mayRerunOnSchemaBump: false,
      upstreamRuns: false,
    };
    expect(decide(factsOf(plain))).toMatchObject({
      reason: expect.stringContaining('style'),
      evidence: [{ what: 'config', where: 'style', expected: 'ink', found: 'oil' }],
    });
    expect(decide(factsOf({ ...plain, need: 'stale' }))).toMatchObject({
      reason: expect.stringContaining('shot_dependency_t2i, which is stale'),
    });
    const failed = factsOf({ ...plain, state: { status: 'failed', verdict: null } });
    const { reason } = decide({ ...failed, row: { ...failed.row!, error_message: '😀'.repeat(500) } });
    expect(reason).toContain(`${'😀'.repeat(157)}…`);
    expect(reason.isWellFormed()).toBe(true);
  });
});
