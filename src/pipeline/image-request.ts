import type { ImageRequest } from '../providers/port';
import type { StepInputs } from './definition';
import { imageSize } from './project-config';

/** An image step's request: provider, model, style and size come from the project's config, the rest from the step. */
export function imageRequest(
  inputs: StepInputs,
  picture: Pick<ImageRequest, 'task' | 'promptVersion' | 'prompt' | 'card' | 'references'>,
): ImageRequest {
  return {
    kind: 'image',
    provider: inputs.config['provider.image'],
    model: inputs.config['model.image'],
    style: inputs.config.style,
    ...imageSize(inputs.config),
    ...picture,
  };
}
