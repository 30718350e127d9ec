import type { WorkflowRef } from '../contract';

/** The run's page in Temporal's own UI; null where no UI is known. Ids hold slashes, so both are encoded. */
export function workflowUrl(uiUrl: string | undefined, ref: WorkflowRef, namespace = 'default'): string | null {
  if (uiUrl === undefined) return null;
  const part = encodeURIComponent;
  return `${uiUrl.replace(/\/+$/, '')}/namespaces/${part(namespace)}/workflows/${part(ref.workflowId)}/${part(ref.workflowRunId)}/history`;
}
