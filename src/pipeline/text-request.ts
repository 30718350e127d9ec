import type { Json } from '../domain/json';
import type { TextRequest } from '../providers/port';
import type { StepInputs } from './definition';

/** A text step's request: provider and model come from the project's config, the rest from the step's prompt. */
export function textRequest(
  inputs: StepInputs,
  prompt: Pick<TextRequest, 'task' | 'promptVersion' | 'instructions' | 'schema'> & { input: Json },
): TextRequest {
  return { kind: 'text', provider: inputs.config['provider.text'], model: inputs.config['model.text'], ...prompt };
}
