'use strict';

/**
 * The house law: what each room of src may import of the others (docs/architecture.md shows the same table; a test holds the two
 * together). A room may always import itself. A room that is not listed may import nothing, and nobody may import it.
 *
 * `files`: folders (end with /) and files; the first one is the room's own. `typesOf`: only `import type` from these.
 */
const ROOMS = {
  domain: { files: ['src/domain/'], imports: [] },
  hash: { files: ['src/hash.ts'], imports: ['domain'] },
  identity: { files: ['src/process-identity.ts'], imports: ['domain', 'hash'] },
  clock: { files: ['src/clock.ts'], imports: [] },
  config: { files: ['src/config.ts'], imports: ['domain'] },
  observability: { files: ['src/observability/'], imports: [] },
  db: { files: ['src/db/'], imports: ['domain'] },
  ledger: { files: ['src/ledger/'], imports: ['domain', 'db'] },
  providers: { files: ['src/providers/'], imports: ['domain', 'hash', 'images'], typesOf: ['config', 'observability'] },
  images: { files: ['src/images/'], imports: ['domain', 'hash'], typesOf: ['pipeline', 'store'] },
  pipeline: { files: ['src/pipeline/'], imports: ['domain', 'hash', 'images'], typesOf: ['providers'] },
  store: { files: ['src/store/'], imports: ['domain', 'hash', 'db', 'ledger', 'pipeline'] },
  purchases: {
    files: ['src/purchases/'],
    imports: ['domain', 'hash', 'db', 'ledger', 'store'],
    typesOf: ['providers', 'pipeline', 'config', 'observability'],
  },
  execution: {
    files: ['src/execution/'],
    imports: ['domain', 'hash', 'identity', 'db', 'ledger', 'store', 'pipeline', 'purchases', 'contexts'],
    typesOf: ['config', 'providers', 'observability'],
  },
  runs: {
    files: ['src/runs/'],
    imports: ['domain', 'hash', 'db', 'ledger', 'store', 'pipeline', 'execution'],
    typesOf: ['workflows', 'observability'],
  },
  heartbeat: {
    files: ['src/heartbeat/'],
    imports: ['domain', 'clock', 'db', 'ledger'],
    typesOf: ['config', 'execution', 'observability'],
  },
  contexts: {
    files: ['src/contexts/'],
    imports: ['domain', 'hash', 'db', 'store'],
    typesOf: ['config', 'observability'],
  },
  rescan: { files: ['src/rescan/'], imports: ['domain', 'db', 'contexts'], typesOf: ['config', 'observability'] },
  ai: { files: ['src/ai-service/'], imports: ['domain', 'config', 'observability'] },
  bodies: { files: ['src/bodies/'], imports: ['domain', 'pipeline'] },
  operations: {
    files: ['src/operations/'],
    imports: [
      'domain',
      'hash',
      'identity',
      'db',
      'ledger',
      'store',
      'pipeline',
      'purchases',
      'execution',
      'runs',
      'contexts',
      'rescan',
      'bodies',
      'temporal',
    ],
    typesOf: ['config', 'providers', 'workflows', 'export', 'observability'],
  },
  export: { files: ['src/export/'], imports: ['domain', 'hash', 'images'] },
  temporal: {
    files: ['src/temporal/', 'src/client.ts'],
    imports: ['domain', 'identity'],
    typesOf: ['db', 'config', 'workflows', 'observability'],
  },
  workflows: { files: ['src/workflows/'], imports: ['domain'] },
  activities: {
    files: ['src/activities/'],
    imports: ['domain', 'db', 'ledger', 'store', 'execution', 'runs', 'rescan'],
    typesOf: ['config', 'workflows', 'contexts', 'heartbeat', 'observability'],
  },
  embedded: { files: ['src/embedded/'], imports: ['domain', 'hash', 'config', 'db'], typesOf: ['observability'] },
  wiring: {
    files: ['src/wiring.ts'],
    imports: [
      'domain',
      'hash',
      'identity',
      'clock',
      'config',
      'observability',
      'db',
      'ledger',
      'store',
      'providers',
      'images',
      'pipeline',
      'purchases',
      'execution',
      'runs',
      'heartbeat',
      'contexts',
      'rescan',
      'operations',
      'temporal',
    ],
    typesOf: ['activities'],
  },
  worker: {
    files: ['src/worker.ts', 'src/rescan-worker.ts', 'src/worker-stop.ts'],
    imports: [
      'domain',
      'identity',
      'config',
      'observability',
      'db',
      'wiring',
      'heartbeat',
      'execution',
      'runs',
      'activities',
      'rescan',
      'embedded',
      'temporal',
    ],
    typesOf: ['workflows'],
  },
  cli: {
    files: ['src/cli/'],
    imports: [
      'domain',
      'hash',
      'config',
      'db',
      'pipeline',
      'operations',
      'bodies',
      'export',
      'embedded',
      'wiring',
      'worker',
    ],
    typesOf: ['observability'],
  },
  http: {
    files: ['src/http/'],
    imports: ['domain', 'config', 'db', 'pipeline', 'operations', 'bodies', 'wiring', 'embedded', 'observability'],
  },
};

/** Where SQL is written. Everybody else calls what these rooms offer. */
const SQL_ROOMS = ['db', 'ledger', 'store', 'purchases', 'runs', 'contexts', 'rescan', 'operations', 'heartbeat'];

/** What of the ledger changes no status and no owner, and so is open to rooms that make no transition. */
const LEDGER_READERS = '^src/ledger/(held|key|fence|share-run|matches|row|read-[^/]*|beat[^/]*|lock-[^/]*)[.]ts$';

/** Who moves a step from one status to another. */
const TRANSITION_ROOMS = ['ledger', 'execution', 'runs', 'operations', 'rescan'];

/** What a vendor publishes for its models. Their code lives in src/providers only. */
const VENDOR_SDKS = ['openai', '@google/genai', '@google/generative-ai', '@google-cloud/aiplatform', '@reve/sdk'];

/** What draws or decodes pictures. */
const IMAGE_LIBRARIES = ['sharp', '@napi-rs/canvas'];
const IMAGE_ROOMS = ['providers', 'images', 'export'];

module.exports = { ROOMS, SQL_ROOMS, LEDGER_READERS, TRANSITION_ROOMS, VENDOR_SDKS, IMAGE_LIBRARIES, IMAGE_ROOMS };
