import type { Json } from '../domain/json';

/** A language call. Everything here shapes the answer, and so is part of the request's hash (spec 40). */
export interface TextRequest {
  readonly kind: 'text';
  readonly provider: string;
  readonly model: string;
  /** What is asked, for example `scene_detail`: the name of the JSON schema on the wire, too. */
  readonly task: string;
  readonly promptVersion: string;
  readonly instructions: string;
  /** What the model works on; goes out as the JSON text of the user's message. */
  readonly input: Json;
  /** JSON Schema of the answer. */
  readonly schema: Json;
}

/** An image call. `card` is the structured description that the prompt was written from; a model may use either. */
export interface ImageRequest {
  readonly kind: 'image';
  readonly provider: string;
  readonly model: string;
  /** `floor_plan`, `background` or `shot`. */
  readonly task: string;
  readonly promptVersion: string;
  readonly prompt: string;
  readonly card: Json;
  readonly style: string;
  readonly width: number;
  readonly height: number;
  /** Artifacts (sha256) given along as pictures: never another shot's image (spec 00). */
  readonly references: readonly string[];
}

export type ProviderRequest = TextRequest | ImageRequest;

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly images?: number;
}

/**
 * What came of one request that left, or did not (spec 40).
 * `answer`: charged. `refused`: the provider's words, not retried. `not_charged`: certainly not charged, may be tried again.
 * `rejected`: certainly not charged, and the same request would only be rejected again as things are; the next run asks anew.
 * `account`: not charged, and no further call will do better (empty account, bad key). `in_doubt`: may have been charged.
 */
export type ProviderReply =
  | {
      readonly outcome: 'answer';
      readonly content: Uint8Array;
      readonly contentType: string;
      readonly costUsd: number;
      readonly usage: Usage;
      readonly providerRequestId?: string;
      /** Set when the provider itself says that the answer is cut short or empty: charged, and not usable. */
      readonly unusable?: string;
    }
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly costUsd: number;
      readonly providerRequestId?: string;
    }
  | { readonly outcome: 'not_charged'; readonly code: string; readonly message: string; readonly retryAfterMs?: number }
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'account'; readonly message: string }
  | { readonly outcome: 'in_doubt'; readonly message: string; readonly providerRequestId?: string };

export interface ProviderLimits {
  readonly concurrentCalls: number;
  readonly callsPerMinute: number;
}

export interface SendOptions {
  /** Aborted at the call's deadline; the reply is then `in_doubt`. Never aborted by a cancel (spec 15). */
  readonly deadline: AbortSignal;
  /** Fixed by step, request hash and generation (spec 40). */
  readonly idempotencyKey: string;
  /** How many answers to this request could not be used before; an adapter may ask for more room then (cases C24). Absent: 0. */
  readonly ask?: number;
  /** For a till's line only: what the call is for. */
  readonly label: { readonly stepId: string; readonly itemId: string };
}

/** One provider behind the two kinds of request. Adapters never throw for what the outside does: they answer a reply. */
export interface Provider {
  readonly name: string;
  /** Same key: same answer, charged once. Its calls are never in doubt (spec 40). */
  readonly honoursIdempotencyKey: boolean;
  readonly limits: ProviderLimits;
  /** Upper estimate of what a request will cost, in US dollars. */
  estimateUsd(request: ProviderRequest): number;
  send(request: ProviderRequest, options: SendOptions): Promise<ProviderReply>;
}
