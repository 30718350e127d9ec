import { CLEAN, incomplete, type CompletionReport, type Evidence, type Origin } from '../domain/completion';
import { AppError } from '../domain/errors';

/** Something a verifier found. */
export interface Finding {
  /** Lower ranks are judged first: the lowest one names the origin (spec 20, table of `scene_detail`). */
  readonly rank: number;
  readonly origin: Exclude<Origin, 'clean'>;
  /** The item it concerns; absent: the whole checkpoint. */
  readonly item?: string;
  readonly evidence: Evidence;
}

/**
 * The report of all findings: `missing` names the items (or, for the whole, what it says), worst rank first, each once; the details are
 * evidence in the same order. `usable`: whether anything of the checkpoint can be used.
 */
export function reportOf(findings: readonly Finding[], usable: boolean): CompletionReport {
  if (findings.length === 0) return CLEAN;
  const sorted = [...findings].sort((a, b) => a.rank - b.rank);
  const missing = [...new Set(sorted.map((finding) => finding.item ?? finding.evidence.what))];
  return incomplete(
    sorted[0]!.origin,
    missing,
    sorted.map((finding) => finding.evidence),
    usable,
  );
}

/** Runs a loader: its AppError is a finding of contract drift; anything else is a bug and is thrown on. */
export function attempt<T>(rank: number, load: () => T): { value: T } | { finding: Finding } {
  try {
    return { value: load() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { finding: { rank, origin: 'contract_drift', evidence: { what: error.message } } };
  }
}

export function missingItem(rank: number, item: string, what: string, where?: string): Finding {
  return { rank, origin: 'artifact_missing', item, evidence: { what, ...(where === undefined ? {} : { where }) } };
}
