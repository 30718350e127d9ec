'use strict';

/**
 * The house law: what each room of src may import of the others (docs/architecture.md shows the same table; a test holds the two
 * together). A room may always import itself. A room that is not listed may import nothing, and nobody may import it.
 *
 * `files` is a folder (ends with /) or one file. `typesOf`: only `import type` from these.
 */
const ROOMS = {
  domain: { files: 'src/domain/', imports: [] },
  hash: { files: 'src/hash.ts', imports: ['domain'] },
  config: { files: 'src/config.ts', imports: ['domain'] },
  observability: { files: 'src/observability/', imports: [] },
  db: { files: 'src/db/', imports: ['domain'] },
  ledger: { files: 'src/ledger/', imports: ['domain', 'db'] },
  store: { files: 'src/store/', imports: ['domain', 'hash', 'db', 'ledger'] },
  providers: { files: 'src/providers/', imports: ['domain', 'hash'] },
  images: { files: 'src/images/', imports: ['domain', 'hash'], typesOf: ['pipeline'] },
  pipeline: { files: 'src/pipeline/', imports: ['domain', 'hash', 'store', 'providers'] },
  purchases: {
    files: 'src/purchases/',
    imports: ['domain', 'hash', 'db', 'ledger', 'store', 'providers'],
    typesOf: ['pipeline', 'observability'],
  },
  execution: {
    files: 'src/execution/',
    imports: ['domain', 'hash', 'db', 'ledger', 'store', 'pipeline', 'purchases'],
    typesOf: ['providers', 'observability'],
  },
  heartbeat: { files: 'src/heartbeat/', imports: ['domain', 'db', 'ledger'], typesOf: ['observability'] },
  rescan: { files: 'src/rescan/', imports: ['domain', 'db'], typesOf: ['observability'] },
  bodies: { files: 'src/bodies/', imports: ['domain'] },
  operations: {
    files: 'src/operations/',
    imports: ['domain', 'hash', 'db', 'ledger', 'store', 'pipeline', 'purchases', 'bodies', 'client'],
    typesOf: ['config', 'observability', 'execution', 'export'],
  },
  export: { files: 'src/export/', imports: ['domain', 'hash', 'images'] },
  client: { files: 'src/client.ts', imports: ['domain'], typesOf: ['config', 'workflows'] },
  workflows: { files: 'src/workflows/', imports: ['domain'], typesOf: ['activities'] },
  activities: {
    files: 'src/activities/',
    imports: ['domain', 'db', 'ledger', 'execution', 'rescan', 'operations'],
    typesOf: ['config', 'observability', 'heartbeat'],
  },
  embedded: { files: 'src/embedded/', imports: ['domain', 'hash', 'config', 'db'], typesOf: ['observability'] },
  wiring: {
    files: 'src/wiring.ts',
    imports: [
      'domain',
      'hash',
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
      'heartbeat',
      'rescan',
      'operations',
      'client',
    ],
    typesOf: ['activities'],
  },
  worker: {
    files: 'src/worker.ts',
    imports: ['domain', 'config', 'observability', 'db', 'wiring', 'heartbeat', 'execution', 'activities', 'embedded'],
  },
  cli: {
    files: 'src/cli/',
    imports: ['domain', 'hash', 'config', 'db', 'operations', 'bodies', 'export', 'embedded', 'wiring', 'worker'],
    typesOf: ['observability'],
  },
  http: {
    files: 'src/http/',
    imports: ['domain', 'config', 'db', 'operations', 'bodies', 'wiring', 'embedded', 'observability'],
  },
};

/** Where SQL is written. Everybody else calls what these rooms offer. */
const SQL_ROOMS = ['db', 'ledger', 'store', 'purchases', 'rescan', 'operations'];

/** What of the ledger changes no status and no owner, and so is open to rooms that make no transition. */
const LEDGER_READERS = '^src/ledger/(held|key|fence|share-run|matches|row|read-[^/]*|beat[^/]*|lock-[^/]*)[.]ts$';

/** Who moves a step from one status to another. */
const TRANSITION_ROOMS = ['ledger', 'execution', 'operations', 'rescan'];

/** What a vendor publishes for its models. Their code lives in src/providers only. */
const VENDOR_SDKS = ['openai', '@google/genai', '@google/generative-ai', '@google-cloud/aiplatform', '@reve/sdk'];

/** What draws or decodes pictures. */
const IMAGE_LIBRARIES = ['sharp', '@napi-rs/canvas'];
const IMAGE_ROOMS = ['providers', 'images', 'export'];

module.exports = { ROOMS, SQL_ROOMS, LEDGER_READERS, TRANSITION_ROOMS, VENDOR_SDKS, IMAGE_LIBRARIES, IMAGE_ROOMS };
