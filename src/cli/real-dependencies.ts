import { readConfig } from '../config';
import { findLiveStack } from '../embedded/live-stack';
import type { Dependencies } from './dependencies';

/**
 * The real things. What is heavy (Temporal's SDK, the stack) is loaded when a command needs it: `--help` and a typing error
 * answer at once.
 */
export const realDependencies: Dependencies = {
  readConfig: () => readConfig(),
  stackLives: (config) => findLiveStack(config.home) !== undefined,
  openStack: async (options) => (await import('../embedded/stack')).openStack(options),
  openOperations: async (options) => (await import('../wiring')).openOperations(options),
  up: async (config, out) => (await import('./commands/up')).up(config, out),
  doctor: async (config) => (await import('./commands/doctor')).doctor(config),
  runWorker: async (config) => (await import('../worker')).runWorker(config),
};
