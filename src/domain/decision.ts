import type { CompletionReport, Evidence, Origin } from './completion';
import type { ErrorCode } from './errors';
import { meetsNeed } from './status';
import type { StepId } from './steps';
import type { Verdict } from './verdict';

export type Action = 'skip' | 'rerun_self' | 'force_explicit' | 'stale_running_recovery' | 'block' | 'not_applicable';

/** The three actions that a claim follows. */
export const RUNNING_ACTIONS: ReadonlySet<Action> = new Set(['rerun_self', 'force_explicit', 'stale_running_recovery']);

/** What the row was when it was read; the claim matches it, NULL-safe (spec 10 "Still exactly"). null: there was no row. */
export interface Expected {
  readonly status: string;
  readonly run_id: string | null;
  readonly owner_boot_id: string | null;
  readonly started_at: string | null;
  readonly heartbeat_at: string | null;
}

export interface ResumeDecision {
  readonly action: Action;
  readonly code?: ErrorCode;
  /** A sentence for a person. */
  readonly reason: string;
  readonly origin?: Origin;
  readonly evidence: readonly Evidence[];
  readonly expected: Expected | null;
}

export type Mode = 'resume' | 'force';

/** What is stored with a checkpoint of its contract. */
export interface CheckpointContract {
  readonly schemaVersion: number;
  readonly configHashes: Readonly<Record<string, string>>;
}

export interface NeedFinding {
  readonly step: StepId;
  readonly status: string | undefined;
  /** In plan and run-all: it is going to run itself, which counts as met. */
  readonly willRun: boolean;
}

/** All that the one judge looks at (spec 20 "One judge"). Gathered by I/O elsewhere; here is none. */
export interface DecisionFacts {
  readonly step: StepId;
  readonly mode: Mode;
  readonly row: (Expected & { readonly error_message: string | null }) | null;
  /** Of the row, where it is running. */
  readonly verdict: Verdict | null;
  readonly needs: readonly NeedFinding[];
  readonly applies: boolean;
  /** What a needed checkpoint's loader found wrong, where the step's inputs cannot be read at all. */
  readonly inputsBroken: string | null;
  /** In plan and run-all: a step upstream that is going to run, and so replaces what a verify of this one would look at. */
  readonly upstreamRuns: StepId | null;
  /** Steps downstream that are running, with their verdicts. */
  readonly downstreamRunning: readonly { readonly step: StepId; readonly verdict: Verdict }[];
  /** For an editor step: every step whose checkpoint it changes. `report` null: there is no checkpoint. */
  readonly victims: readonly {
    readonly step: StepId;
    readonly status: string | undefined;
    readonly willRun: boolean;
    readonly report: CompletionReport | null;
  }[];
  readonly checkpoint: CheckpointContract | null;
  readonly contract: CheckpointContract & { readonly allowAutoRerunOnSchemaBump: boolean };
  /** Verify on entry, run only where it would be asked for; null: not run. */
  readonly report: CompletionReport | null;
}

/** Whether the decision will ask for verify: completed, in mode resume, with a checkpoint whose contract matches (order 9). */
export function asksForVerify(facts: Omit<DecisionFacts, 'report'>): boolean {
  const { mode, row, checkpoint, upstreamRuns } = facts;
  return (
    mode === 'resume' &&
    row?.status === 'completed' &&
    checkpoint !== null &&
    upstreamRuns === null &&
    contractDrift(facts) === null
  );
}

/**
 * What resume says of a step: the one judge for run, run-all, CLI, API, plan and the activity alike (spec 20). Pure; the
 * first rule of the spec's order that applies decides.
 */
export function decide(facts: DecisionFacts): ResumeDecision {
  const { row, step } = facts;
  const expected: Expected | null = row && {
    status: row.status,
    run_id: row.run_id,
    owner_boot_id: row.owner_boot_id,
    started_at: row.started_at,
    heartbeat_at: row.heartbeat_at,
  };
  const answer = (action: Action, reason: string, more: Partial<ResumeDecision> = {}): ResumeDecision => ({
    action,
    reason,
    evidence: [],
    expected,
    ...more,
  });
  const block = (
    code: ErrorCode,
    reason: string,
    origin?: Origin,
    evidence: readonly Evidence[] = [],
  ): ResumeDecision => answer('block', origin ? `${reason} (origin=${origin})` : reason, { code, origin, evidence });

  // 1. running and alive, or unknown: for force too
  if (facts.verdict?.verdict === 'alive')
    return block('step.already_running', `${step} is running: ${facts.verdict.reason}.`);
  if (facts.verdict?.verdict === 'unknown')
    return block('step.resume_blocked', `${step} is running, and its owner cannot be judged: ${facts.verdict.reason}.`);

  // 2. a need is not met
  const unmet = facts.needs.find((need) => !need.willRun && !meetsNeed(need.status));
  if (unmet)
    return block(
      'step.gate_blocked',
      `${step} needs ${unmet.step}, which is ${unmet.status ?? 'not run yet'}.`,
      undefined,
      [{ what: 'need', where: unmet.step, expected: 'completed or not_applicable', found: unmet.status ?? null }],
    );

  // 3. it does not apply
  if (facts.inputsBroken !== null)
    return block('step.resume_blocked', `${step} cannot read what it needs: ${facts.inputsBroken}.`, 'contract_drift');
  if (!facts.applies) return answer('not_applicable', `${step} has nothing to do for this episode.`);

  // 4. force under a running step downstream
  if (facts.mode === 'force') {
    const runs = facts.downstreamRunning.find((below) => below.verdict.verdict !== 'dead');
    if (runs)
      return block('step.downstream_running', `${step} feeds ${runs.step}, which is running: ${runs.verdict.reason}.`);
  }

  // 5. an editor that would run never signs over earlier damage
  const later = decideRunOrSkip(facts, answer, block);
  const victim = RUNNING_ACTIONS.has(later.action) ? damagedVictim(facts) : null;
  return victim ? block(victim.code, victim.reason, victim.origin, victim.evidence) : later;
}

/** Rules 6 to 9 of the spec's order. */
function decideRunOrSkip(facts: DecisionFacts, answer: Answer, block: Block): ResumeDecision {
  const { step } = facts;
  const running = runningAction(facts);
  if (running) return answer(running.action, running.reason);
  if (!facts.checkpoint)
    return answer('rerun_self', `${step} says completed, but its checkpoint is gone.`, {
      origin: 'artifact_missing',
      evidence: [{ what: 'checkpoint', where: step, expected: 'present', found: null }],
    });
  const drift = contractDrift(facts);
  if (!drift && facts.upstreamRuns !== null)
    return answer('skip', `${step} is done; it is decided again when ${facts.upstreamRuns} has run.`);
  if (!drift) return ofReport(facts, answer, block);
  const mayRerun = drift.kind === 'schema' && facts.contract.allowAutoRerunOnSchemaBump && drift.storedIsLower;
  return mayRerun
    ? answer('rerun_self', `${drift.reason}; this step may rerun by itself.`, {
        origin: 'contract_drift',
        evidence: drift.evidence,
      })
    : block(
        'step.resume_blocked',
        `${drift.reason}; force ${step} if its result may be replaced.`,
        'contract_drift',
        drift.evidence,
      );
}

/** Rules 6, 7, 8: what would run without a look at contract and verify; null: completed, in mode resume. */
function runningAction({ row, step, mode, verdict }: DecisionFacts): { action: Action; reason: string } | null {
  if (verdict?.verdict === 'dead')
    return {
      action: 'stale_running_recovery',
      reason: `the owner of ${step} is dead: ${verdict.reason}; taking over${mode === 'force' ? ' by force' : ''}.`,
    };
  if (mode === 'force') return { action: 'force_explicit', reason: `${step} is forced: a person said so.` };
  if (!row || row.status === 'pending')
    return { action: 'rerun_self', reason: row ? `${step} is pending.` : `${step} has not run yet.` };
  if (row.status === 'completed') return null;
  if (row.status === 'not_applicable')
    return { action: 'rerun_self', reason: `${step} was not applicable and applies now.` };
  const why = row.error_message ? ` (${shorten(row.error_message)})` : '';
  return { action: 'rerun_self', reason: `${step} is ${row.status}${why}; finished items are reused.` };
}

/** Cuts at 160 characters, never inside a surrogate pair. */
function shorten(text: string): string {
  const characters = [...text];
  return characters.length > 160 ? `${characters.slice(0, 157).join('')}…` : text;
}

function damagedVictim(facts: DecisionFacts) {
  for (const victim of facts.victims) {
    if (victim.willRun) continue;
    if (victim.status !== 'completed' && victim.status !== 'not_applicable')
      return {
        code: 'step.gate_blocked' as const,
        reason: `${facts.step} edits ${victim.step}, which is ${victim.status ?? 'not run yet'}.`,
        origin: undefined,
        evidence: [],
      };
    if (victim.status === 'not_applicable') continue;
    const { report } = victim;
    if (!report)
      return {
        code: 'step.resume_blocked' as const,
        reason: `${facts.step} edits ${victim.step}, whose checkpoint is gone.`,
        origin: 'artifact_missing' as const,
        evidence: [],
      };
    if (report.isComplete) continue;
    const code =
      report.origin === 'verify_crashed' ? ('step.verify_crashed' as const) : ('step.resume_blocked' as const);
    return {
      code,
      reason: `${facts.step} edits ${victim.step}, which does not verify: ${report.missing.slice(0, 3).join('; ')}.`,
      origin: report.origin,
      evidence: report.metadata.evidence,
    };
  }
  return null;
}

/** How a checkpoint differs from what this release would write under today's settings. */
export interface Drift {
  readonly kind: 'schema' | 'config';
  readonly storedIsLower: boolean;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/**
 * Schema version, then config keys (spec 20, order 9): the one check for a step and for an editor's victim. A key that the
 * checkpoint does not have (a release listed it later) is no drift. null: it matches, or there is no checkpoint.
 */
export function contractDrift({
  step,
  checkpoint,
  contract,
}: Pick<DecisionFacts, 'step' | 'checkpoint' | 'contract'>): Drift | null {
  if (!checkpoint) return null;
  if (checkpoint.schemaVersion !== contract.schemaVersion) {
    const [stored, ours] = [checkpoint.schemaVersion, contract.schemaVersion];
    return {
      kind: 'schema',
      storedIsLower: stored < ours,
      reason: `the checkpoint of ${step} has schema version ${stored}, this release writes ${ours}`,
      evidence: [{ what: 'schema_version', where: step, expected: String(ours), found: String(stored) }],
    };
  }
  const moved = Object.entries(contract.configHashes).filter(
    ([key, hash]) => checkpoint.configHashes[key] !== undefined && checkpoint.configHashes[key] !== hash,
  );
  if (moved.length === 0) return null;
  return {
    kind: 'config',
    storedIsLower: false,
    reason: `the setting ${moved.map(([key]) => key).join(', ')} has changed since ${step} was made`,
    evidence: moved.map(([key, hash]) => ({
      what: 'config',
      where: key,
      expected: hash,
      found: checkpoint.configHashes[key] ?? null,
    })),
  };
}

type Answer = (action: Action, reason: string, more?: Partial<ResumeDecision>) => ResumeDecision;
type Block = (code: ErrorCode, reason: string, origin?: Origin, evidence?: readonly Evidence[]) => ResumeDecision;

function ofReport({ step, report }: DecisionFacts, answer: Answer, block: Block): ResumeDecision {
  if (!report) throw new TypeError(`The decision of ${step} needs a completion report, and none was made.`);
  const { evidence } = report.metadata;
  const found = report.missing.slice(0, 3).join('; ');
  switch (report.origin) {
    case 'clean':
      return answer('skip', `${step} is done, and verifies.`, { origin: 'clean', evidence });
    case 'artifact_missing':
      return answer('rerun_self', `${step} is done, but something is gone: ${found}.`, {
        origin: 'artifact_missing',
        evidence,
      });
    case 'contract_drift':
    case 'invariant_drift':
      return block(
        'step.resume_blocked',
        `${step} does not verify: ${found}; force it if its result may be replaced.`,
        report.origin,
        evidence,
      );
    case 'verify_crashed':
      return block('step.verify_crashed', `The verifier of ${step} crashed: ${found}.`, 'verify_crashed', evidence);
  }
}
