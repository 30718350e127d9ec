import { incomplete, type CompletionReport } from '../domain/completion';
import { AppError } from '../domain/errors';
import type { Logger } from '../observability/logger';
import type { ArtifactProbe, StepDefinition, StepInputs } from '../pipeline/definition';

/**
 * Runs a step's verifier. A loader that finds a wrong shape is contract drift; anything else that it throws is a crash, with
 * the stack in the log: fail fast, never a forced rerun (spec 20 "Completion report").
 */
export async function verifyStep(
  { artifacts, log }: { readonly artifacts: ArtifactProbe; readonly log: Logger },
  step: StepDefinition,
  inputs: StepInputs,
  body: unknown,
): Promise<CompletionReport> {
  try {
    return await step.verify({ inputs, body, artifacts });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof AppError && error.code === 'step.contract_violation')
      return incomplete('contract_drift', [message], [{ what: 'shape', where: step.id, found: message }], false);
    log.error({ step: step.id, err: error }, 'step.verify_crashed');
    return incomplete('verify_crashed', [message], [{ what: 'verifier', where: step.id, found: message }], false);
  }
}
