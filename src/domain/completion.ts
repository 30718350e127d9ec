/** Where an integrity finding led (spec 20 "Completion report"). */
export type Origin = 'clean' | 'artifact_missing' | 'contract_drift' | 'invariant_drift' | 'verify_crashed';

export type Severity = 'clean' | 'partial' | 'missing';

/** One piece of evidence: which key, which hash, which file. */
export interface Evidence {
  readonly what: string;
  readonly where?: string;
  readonly expected?: string | null;
  readonly found?: string | null;
}

/** What a step's verify says of its checkpoint (spec 20). */
export interface CompletionReport {
  readonly isComplete: boolean;
  /** What is missing or wrong, by item or position; short texts for people. */
  readonly missing: readonly string[];
  readonly severity: Severity;
  readonly metadata: { readonly evidence: readonly Evidence[] };
  readonly origin: Origin;
}

/** Nothing is missing. */
export const CLEAN: CompletionReport = {
  isComplete: true,
  missing: [],
  severity: 'clean',
  metadata: { evidence: [] },
  origin: 'clean',
};

/** Something is missing or wrong. `usable`: whether anything of the checkpoint can be used at all. */
export function incomplete(
  origin: Exclude<Origin, 'clean'>,
  missing: readonly string[],
  evidence: readonly Evidence[],
  usable: boolean,
): CompletionReport {
  return { isComplete: false, missing, severity: usable ? 'partial' : 'missing', metadata: { evidence }, origin };
}
