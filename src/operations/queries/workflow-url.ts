import type { TemporalUi, WorkflowRef } from '../contract';

/** The run's page in Temporal's own UI; null where no UI is known. Ids hold slashes, so both are encoded. */
export function workflowUrl(ui: TemporalUi | undefined, ref: WorkflowRef): string | null {
  return ui === undefined
    ? null
    : `${workflowsOf(ui)}/${encodeURIComponent(ref.workflowId)}/${encodeURIComponent(ref.workflowRunId)}/history`;
}

/** The page of a workflow, whichever of its runs is open; null where no UI is known. */
export function newestRunUrl(ui: TemporalUi | undefined, workflowId: string): string | null {
  return ui === undefined ? null : `${workflowsOf(ui)}/${encodeURIComponent(workflowId)}`;
}

function workflowsOf({ url, namespace }: TemporalUi): string {
  return `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
