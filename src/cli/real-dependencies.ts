/* eslint-disable @typescript-eslint/no-require-imports -- loaded when a command needs it: `--help` and a typing error answer at once */
import { readConfig } from '../config';
import { findLiveStack } from '../embedded/live-stack';
import type * as StackModule from '../embedded/stack';
import type * as ExportModule from '../export/contact-sheet';
import type * as WiringModule from '../wiring';
import type * as WorkerModule from '../worker';
import type * as ApiModule from './commands/api';
import type * as DoctorModule from './commands/doctor';
import type * as UpModule from './commands/up';
import type { Dependencies } from './dependencies';

const load = {
  stack: () => require('../embedded/stack') as typeof StackModule,
  wiring: () => require('../wiring') as typeof WiringModule,
  worker: () => require('../worker') as typeof WorkerModule,
  contactSheet: () => require('../export/contact-sheet') as typeof ExportModule,
  up: () => require('./commands/up') as typeof UpModule,
  api: () => require('./commands/api') as typeof ApiModule,
  doctor: () => require('./commands/doctor') as typeof DoctorModule,
};

/** The real things; Temporal's SDK and the stack come in only where they are used. */
export const realDependencies: Dependencies = {
  readConfig: () => readConfig(),
  keeperOfLiveStack: (config) => findLiveStack(config.home)?.keptBy,
  openStack: (options) => load.stack().openStack(options),
  openOperations: (options) => load.wiring().openOperations(options),
  up: (config, out) => load.up().up(config, out),
  doctor: (config) => load.doctor().doctor(config),
  runWorker: (config) => load.worker().runWorker(config),
  runApi: () => load.api().runApiProcess(),
  writeContactSheet: (contents, directory) => load.contactSheet().writeContactSheet(contents, directory),
};
