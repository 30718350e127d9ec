import { AppError } from '../domain/errors';
import { parseProjectConfig, type ProjectConfig } from '../pipeline/project-config';

/**
 * What-if: `config.KEY=VALUE` in place of the stored settings (spec 40 "Plan"). Undefined where nothing is assumed. Throws
 * input.invalid, config.unknown_key, config.invalid.
 */
export function assumptionOf(assume: readonly string[]): ((config: ProjectConfig) => ProjectConfig) | undefined {
  if (assume.length === 0) return undefined;
  const settings = Object.fromEntries(assume.map(readAssumption));
  return (config) => parseProjectConfig({ ...config, ...settings });
}

function readAssumption(text: string): [string, unknown] {
  const match = /^config\.([A-Za-z.]+)=(.*)$/s.exec(text);
  if (!match) throw new AppError('input.invalid', `Cannot assume ${JSON.stringify(text.slice(0, 80))}; the form is config.KEY=VALUE.`);
  const [, key = '', value = ''] = match;
  return [key, key === 'offline.priceUsd' ? Number(value) : value];
}
