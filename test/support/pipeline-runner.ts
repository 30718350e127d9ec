import { STEP_IDS, type StepId } from '../../src/domain/steps';
import type { Json } from '../../src/domain/json';
import { hashOf, sha256 } from '../../src/hash';
import type { ArtifactProbe, ItemOutcome, StepCall, StepDefinition, StepInputs } from '../../src/pipeline/definition';
import { STEPS } from '../../src/pipeline/manifest';
import { parseProjectConfig } from '../../src/pipeline/project-config';
import { parseScreenplay } from '../../src/pipeline/screenplay/parse';
import type { Screenplay } from '../../src/pipeline/screenplay/screenplay';
import { editVictims, type Edit } from '../../src/pipeline/t2i-review/edit';
import { loadT2iReview } from '../../src/pipeline/t2i-review/schema';
import { answerOffline } from '../../src/providers/offline/text/answer';

/** The pipeline in memory: no database, no provider; images are names without content. */
export interface PipelineRun {
  readonly inputs: StepInputs;
  readonly bodies: Map<StepId, Json>;
  readonly calls: ReadonlyMap<StepId, readonly StepCall[]>;
  readonly items: ReadonlyMap<StepId, ReadonlyMap<string, ItemOutcome>>;
  /** What the editor changed; null where it did not run. */
  readonly edit: Edit | null;
  readonly artifacts: ArtifactProbe;
}

export interface RunOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly shotSwitches?: ReadonlyMap<string, boolean>;
  /** The last step to run; all by default. */
  readonly until?: StepId;
}

/** Runs every step that applies, in manifest order, with the offline writer's answers. */
export async function runPipeline(text: string, options: RunOptions = {}): Promise<PipelineRun> {
  return runScreenplay(parseScreenplay(text, 'Untitled'), options);
}

export async function runScreenplay(
  screenplay: Screenplay,
  { config = {}, shotSwitches = new Map(), until }: RunOptions,
): Promise<PipelineRun> {
  const bodies = new Map<StepId, Json>();
  const versions = new Map<StepId, number>();
  const calls = new Map<StepId, readonly StepCall[]>();
  const items = new Map<StepId, ReadonlyMap<string, ItemOutcome>>();
  const inputs: StepInputs = {
    screenplay,
    config: parseProjectConfig(config),
    contexts: [],
    shotSwitches,
    rawCheckpoint: (step) => bodies.get(step),
    checkpointVersion: (step) => versions.get(step) ?? 0,
  };
  const save = (step: StepId, body: Json): void => {
    bodies.set(step, JSON.parse(JSON.stringify(body)) as Json);
    versions.set(step, (versions.get(step) ?? 0) + 1);
  };
  let edit: Edit | null = null;
  for (const id of STEP_IDS) {
    const step = STEPS[id];
    if (!step.applies(inputs)) save(id, { not_applicable: true, reason: 'nothing to do' });
    else {
      calls.set(id, step.calls(inputs));
      items.set(id, await answerAll(step, calls.get(id)!));
      save(id, step.assemble(inputs, items.get(id)!));
      if (id === 't2i_review') {
        edit = editVictims(
          { entity_t2i: bodies.get('entity_t2i'), scene_detail: bodies.get('scene_detail') },
          loadT2iReview(inputs).corrections,
        );
        for (const victim of edit.changedSteps) save(victim, edit.bodies[victim as keyof Edit['bodies']]!);
      }
    }
    if (id === until) break;
  }
  return { inputs, bodies, calls, items, edit, artifacts: probeFor(items) };
}

async function answerAll(step: StepDefinition, calls: readonly StepCall[]): Promise<Map<string, ItemOutcome>> {
  const outcomes = new Map<string, ItemOutcome>();
  for (const call of calls)
    for (const [item, result] of Object.entries(await answerOne(step, call)))
      outcomes.set(item, { status: 'done', result, requestHash: hashOf(call.request) });
  return outcomes;
}

async function answerOne(step: StepDefinition, call: StepCall): Promise<Readonly<Record<string, Json>>> {
  const { request } = call;
  if (request.kind === 'image') {
    const { width, height } = request;
    return { [call.items[0]!]: { artifact: hashOf(request), width, height, contentType: 'image/png' } };
  }
  const read = await call.read(
    textAnswer(answerOffline(request.task, JSON.parse(JSON.stringify(request.input)) as Json)),
  );
  if (!read.ok) throw new Error(`${step.id}: ${read.reason}`);
  return read.results;
}

/** A text answer as the artifact store holds it. */
export function textAnswer(content: Json | string): { content: Uint8Array; contentType: string; artifact: string } {
  const bytes = new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  return { content: bytes, contentType: 'application/json', artifact: sha256(bytes) };
}

function probeFor(items: ReadonlyMap<StepId, ReadonlyMap<string, ItemOutcome>>): ArtifactProbe {
  const sizes = new Map<string, { width: number; height: number }>();
  for (const outcomes of items.values())
    for (const outcome of outcomes.values()) {
      const result =
        outcome.status === 'done' ? (outcome.result as { artifact?: string; width?: number; height?: number }) : {};
      if (typeof result.artifact === 'string')
        sizes.set(result.artifact, { width: result.width!, height: result.height! });
    }
  return {
    image: async (artifact) => (sizes.has(artifact) ? { state: 'ok', ...sizes.get(artifact)! } : { state: 'missing' }),
  };
}
