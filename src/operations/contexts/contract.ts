import type { ContextBody, ContextsBody, StageReportBody, WholeContextBody } from '../../bodies/contexts';

export interface ContextInput {
  readonly title: string;
  readonly body: string;
  readonly by: string;
}

/** So many contexts are listed where no other limit is given. */
export const CONTEXTS_LISTED = 10_000;

/** What all doors call about contexts (spec 30). Ids are those of core.context, as text. */
export interface ContextOperations {
  /** Throws id.invalid, input.invalid. The AI service is asked after the answer's transaction, and not waited for. */
  create(input: ContextInput & { readonly projectId: string }): Promise<ContextBody>;
  /** Other content in place of the old, which is asked about anew. Throws context.unknown, input.invalid. */
  replace(input: ContextInput & { readonly id: string }): Promise<ContextBody>;
  /** Throws context.unknown. */
  remove(input: { readonly id: string; readonly by: string }): Promise<ContextBody>;
  /** Live contexts, in order of their ids; of one project, or of all. The first CONTEXTS_LISTED, unless `limit` says otherwise. */
  list(filter: {
    readonly projectId?: string;
    readonly failedOnly?: boolean;
    readonly limit?: number;
  }): Promise<ContextsBody>;
  /** Throws context.unknown. */
  read(id: string): Promise<WholeContextBody>;
  /** What the AI service says of a stage; `report` is stageReportInput. Throws context.unknown, input.invalid. */
  report(input: { readonly id: string; readonly stage: string; readonly report: unknown }): Promise<StageReportBody>;
}
