import type { CompletionReport } from '../domain/completion';
import type { Json } from '../domain/json';
import type { StepId } from '../domain/steps';
import type { ProviderRequest } from '../providers/port';
import type { ProjectConfig, ProjectConfigKey } from './project-config';
import type { Screenplay } from './screenplay/screenplay';

/** A step's contract (spec 20 "Contract"). */
export interface StepManifest {
  readonly id: StepId;
  readonly needs: readonly StepId[];
  readonly kind: 'text' | 'image';
  readonly schemaVersion: number;
  readonly promptVersion: string;
  /** Only these keys of the project's config count for resume. */
  readonly resumeConfigKeys: readonly ProjectConfigKey[];
  readonly allowAutoRerunOnSchemaBump: boolean;
  /** Steps whose checkpoints this one may change: an editor step. */
  readonly modifiesCheckpoints: readonly StepId[];
  readonly staleOnShotSelectionChange: boolean;
}

/** All that a step's requests and checkpoint are made from. Reading is by value; nothing here has I/O. */
export interface StepInputs {
  readonly screenplay: Screenplay;
  readonly config: ProjectConfig;
  /** Finished summaries of the project's contexts, in order of their ids. */
  readonly contexts: readonly string[];
  /** A person's switches by shot; they outweigh the selection (spec 00). */
  readonly shotSwitches: ReadonlyMap<string, boolean>;
  /** The newest checkpoint body of another step, unparsed; undefined where there is none. Read it through the step's loader. */
  rawCheckpoint(step: StepId): unknown;
  /** The version number of that checkpoint; 0 where there is none. */
  checkpointVersion(step: StepId): number;
}

/** What a provider sent back, as the artifact store keeps it. */
export interface ProviderAnswer {
  readonly content: Uint8Array;
  readonly contentType: string;
  /** SHA-256 of the content: the name it is stored under. */
  readonly artifact: string;
}

export type ReadAnswer =
  | { readonly ok: true; readonly results: Readonly<Record<string, Json>> }
  /** Charged, stored, never reused; asked again a bounded number of times (spec 40). `unknownItem`: it named an id that is not in the map. */
  | { readonly ok: false; readonly reason: string; readonly unknownItem?: boolean };

/** One paid call and the items it serves. Pure data and a pure reader, so that plan can count calls without running. */
export interface StepCall {
  /** The items that this call brings, in order; at least one. */
  readonly items: readonly string[];
  readonly request: ProviderRequest;
  /** Turns the answer into one JSON value for each item. For an image: `{ artifact, width, height, contentType }`. */
  read(answer: ProviderAnswer): Promise<ReadAnswer>;
}

/** What became of an item (spec 20 "Items"). */
export type ItemOutcome =
  | { readonly status: 'done'; readonly result: Json; readonly requestHash: string }
  | { readonly status: 'failed'; readonly code: string; readonly message: string };

/** What a verifier may look at besides the checkpoint itself. */
export interface VerifyContext {
  readonly inputs: StepInputs;
  readonly body: unknown;
  readonly artifacts: ArtifactProbe;
}

export type ArtifactFinding =
  | { readonly state: 'ok'; readonly width: number; readonly height: number }
  | { readonly state: 'missing' }
  /** Not a file, empty, unreadable, does not decode, or its hash is not its name. */
  | { readonly state: 'damaged'; readonly why: string };

export interface ArtifactProbe {
  image(artifact: string): Promise<ArtifactFinding>;
}

/**
 * A step of the pipeline. Everything but `verify` is pure and synchronous: the core's one loop over calls buys, keeps items
 * as they arrive, and is the safe point (spec 10, answer 3), so no step plants its own.
 */
export interface StepDefinition extends StepManifest {
  /** False: the step has nothing to do for this episode (for example no places). */
  applies(inputs: StepInputs): boolean;
  /** Every call of the step in order, whether its items are there already or not. The items over all calls are unique. */
  calls(inputs: StepInputs): readonly StepCall[];
  /** The checkpoint's body from the items that are done; failed items are left out or named, as the shape says. */
  assemble(inputs: StepInputs, items: ReadonlyMap<string, ItemOutcome>): Json;
  /** The inverse of `assemble`: what is kept of each item that a checkpoint's body holds. Throws step.contract_violation. */
  results(body: unknown): ReadonlyMap<string, Json>;
  /** Is what the checkpoint promises really there and right? Throws only for a bug of its own (then: verify_crashed). */
  verify(context: VerifyContext): Promise<CompletionReport>;
}
