import { createAiClient } from '../../src/contexts/ai-client';
import type { AiSettings } from '../../src/config';
import { openRound } from '../../src/rescan/open-round';
import { runRound } from '../../src/rescan/round';
import type { RoundCounts } from '../../src/rescan/round-counts';
import { createTestDatabase, type TestDatabase } from './database';
import { openFakeAiService, type FakeAiService } from './fake-ai-service';
import { SETTINGS, emptyContexts, keepingLog, letTimePass } from './rescan';

export interface RoundBench {
  readonly database: TestDatabase;
  readonly service: FakeAiService;
  round(changes?: Partial<typeof SETTINGS>, ai?: Partial<AiSettings>): Promise<RoundCounts>;
  /** Rounds with the time between them passed, until one finds nothing. Answers how many had something to do. */
  roundsUntilQuiet(ai?: Partial<AiSettings>): Promise<number>;
  /** Before and after each test: no row, and a service that answers well. */
  clean(): Promise<void>;
  close(): Promise<void>;
}

/** A database of its own, a service of its own, and rounds between the two. */
export async function openRoundBench(): Promise<RoundBench> {
  const [database, service] = await Promise.all([createTestDatabase(), openFakeAiService()]);
  const round: RoundBench['round'] = (changes = {}, ai = {}) => {
    const { log } = keepingLog();
    const settings = { ...SETTINGS, ...changes };
    const aiSettings = service.settings(ai);
    const steps = openRound({ db: database.db, client: createAiClient(aiSettings), log }, settings);
    const stop = new AbortController().signal;
    return runRound(steps, { ...settings, ...aiSettings, log, stop, monotonicMs: () => performance.now() });
  };
  return {
    database,
    service,
    round,
    roundsUntilQuiet: async (ai) => {
      for (let rounds = 1; rounds <= 10; rounds += 1) {
        await letTimePass(database.db);
        const { finalized, claimed } = await round({}, ai);
        if (finalized + claimed === 0) return rounds - 1;
      }
      throw new Error('After ten rounds there is still something to do.');
    },
    clean: async () => {
      await emptyContexts(database.db);
      service.reset();
    },
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}
