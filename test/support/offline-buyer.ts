import type { Json } from '../../src/domain/json';
import { hashOf } from '../../src/hash';
import type { ArtifactProbe, StepCall } from '../../src/pipeline/definition';
import { answerOffline } from '../../src/providers/offline/text/answer';
import type { BuyContext, BuyOutcome } from '../../src/purchases/outcome';
import { FakeBuyer } from './fake-buyer';
import { textAnswer } from './pipeline-runner';

/** Sells what the offline writer writes; images are names without content, which its probe knows. */
export class OfflineBuyer extends FakeBuyer {
  private readonly sizes = new Map<string, { readonly width: number; readonly height: number }>();

  readonly probe: ArtifactProbe = {
    image: (artifact) => {
      const size = this.sizes.get(artifact);
      return Promise.resolve(size ? { state: 'ok', ...size } : { state: 'missing' });
    },
  };

  protected override async resultsOf(_context: BuyContext, call: StepCall): Promise<Readonly<Record<string, Json>>> {
    const { request } = call;
    if (request.kind === 'text')
      return this.read(call, answerOffline(request.task, JSON.parse(JSON.stringify(request.input)) as Json));
    const { width, height } = request;
    const artifact = hashOf(request);
    this.sizes.set(artifact, { width, height });
    return { [call.items[0]!]: { artifact, width, height, contentType: 'image/png' } };
  }

  /** The same call with an answer of the test's own. */
  async sellText(context: BuyContext, call: StepCall, content: Json): Promise<BuyOutcome> {
    const bought = await this.sell(context, call);
    return bought.outcome === 'bought' ? { ...bought, results: await this.read(call, content) } : bought;
  }

  private async read(call: StepCall, content: Json): Promise<Readonly<Record<string, Json>>> {
    const read = await call.read(textAnswer(content));
    if (!read.ok) throw new Error(`${call.request.task}: ${read.reason}`);
    return read.results;
  }
}
