import type { RescanDependencies } from '../../src/operations/rescan/dependencies';
import { rescanStatus } from '../../src/operations/rescan/status';
import type { RescanStatus } from '../../src/workflows/rescan-contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { SETTINGS } from '../support/rescan';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const WAITING: RescanStatus = {
  paused: false,
  running: false,
  runNow: false,
  begun: 0,
  failed: 0,
  lastRound: null,
  nextDueAtMs: null,
  intervalMs: 300_000,
};

test("the rescan's link names the namespace that the loop is in", async () => {
  const deps = {
    db: database.db,
    deployment: 'main',
    rescan: { intervalMs: 300_000, ...SETTINGS },
    loop: { workflowId: 'rescan/main', status: () => Promise.resolve(WAITING) },
    temporalUi: { url: 'http://ui', namespace: 'cameras' },
  };
  const { loop } = await rescanStatus(deps as unknown as RescanDependencies);
  expect(loop?.url).toBe('http://ui/namespaces/cameras/workflows/rescan%2Fmain');
});
