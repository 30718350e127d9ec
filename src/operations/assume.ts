import { AppError } from '../domain/errors';
import { checkStep } from '../domain/ids';
import type { StepId } from '../domain/steps';
import type { StepDefinition } from '../pipeline/definition';
import { parseProjectConfig, type ProjectConfig } from '../pipeline/project-config';

/** What a what-if assumes (spec 40 "Plan"). */
export interface Assumptions {
  /** In place of the stored settings; undefined: nothing of them is assumed. */
  readonly config: ((config: ProjectConfig) => ProjectConfig) | undefined;
  readonly promptVersions: ReadonlyMap<StepId, string>;
}

/**
 * Reads `config.KEY=VALUE` and `step.STEP.promptVersion=VALUE`. Throws input.invalid, step.unknown; config.unknown_key and
 * config.invalid where the settings are read.
 */
export function assumptionsOf(assume: readonly string[]): Assumptions {
  const settings = new Map<string, unknown>();
  const promptVersions = new Map<StepId, string>();
  for (const text of assume) {
    const [, key, value = ''] = /^config\.([A-Za-z.]+)=(.*)$/s.exec(text) ?? [];
    const [, step, version = ''] = /^step\.([A-Za-z0-9_]+)\.promptVersion=(.+)$/s.exec(text) ?? [];
    if (key !== undefined) settings.set(key, key === 'offline.priceUsd' ? Number(value) : value);
    else if (step !== undefined) promptVersions.set(checkStep(step), version);
    else
      throw new AppError(
        'input.invalid',
        `Cannot assume ${JSON.stringify(text.slice(0, 80))}; the forms are config.KEY=VALUE and step.STEP.promptVersion=VALUE.`,
      );
  }
  const config =
    settings.size === 0
      ? undefined
      : (stored: ProjectConfig) => parseProjectConfig({ ...stored, ...Object.fromEntries(settings) });
  return { config, promptVersions };
}

/** The steps as they would be under other prompt versions: every request of theirs is another one. */
export function withPromptVersions(
  steps: Readonly<Record<StepId, StepDefinition>>,
  versions: ReadonlyMap<StepId, string>,
): Readonly<Record<StepId, StepDefinition>> {
  const changed = [...versions].map(([stepId, promptVersion]) => {
    const step = steps[stepId];
    const calls: StepDefinition['calls'] = (inputs) =>
      step.calls(inputs).map((call) => ({ ...call, request: { ...call.request, promptVersion } }));
    return [stepId, { ...step, promptVersion, calls }] as const;
  });
  return { ...steps, ...Object.fromEntries(changed) };
}
