import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { shortTransaction } from '../../../src/db/transaction';
import type { ProcessIdentity } from '../../../src/domain/identity';
import { adoptRow } from '../../../src/ledger/adopt-row';
import { beatRows } from '../../../src/ledger/beat';
import { claimRow, type ActivityIdentity } from '../../../src/ledger/claim-row';
import { endRow } from '../../../src/ledger/end-row';
import { failDeadRow } from '../../../src/ledger/fail-dead-row';
import { shareHeldRow } from '../../../src/ledger/fence';
import type { Held } from '../../../src/ledger/held';
import { readRow } from '../../../src/ledger/read-rows';
import { shareRun } from '../../../src/ledger/share-run';
import { writeCancel } from '../../../src/runs/record-cancel';
import type { TestDatabase } from '../database';
import { createTestEpisode, type TestEpisode } from '../test-episode';
import type { ClaimTry, End, Ledger, Seen, SeenRow } from './ledger';

const STEP = 'world_guide';
const NO_ACTIVITY: ActivityIdentity = { workflowId: null, workflowRunId: null, activityId: null, taskToken: null };

/** The same through the real functions, against a real database: an episode of its own, one connection for all heartbeats. */
export class PostgresLedger implements Ledger {
  private readonly runs = new Map<string, string>();
  private lastBeat: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly database: TestDatabase,
    private readonly episode: TestEpisode,
    private readonly beats: Client,
  ) {}

  static async open(database: TestDatabase): Promise<PostgresLedger> {
    const beats = new Client({ connectionString: database.url });
    await beats.connect();
    return new PostgresLedger(database, await createTestEpisode(database.db), beats);
  }

  async close(): Promise<void> {
    await this.beats.end();
  }

  async read(): Promise<Seen> {
    return readRow(this.database.db, this.episode.key(STEP));
  }

  async claim({ owner, runId, workflowRunId, expected, isSteal }: ClaimTry): Promise<boolean> {
    const run = await this.runOf(workflowRunId);
    return shortTransaction(this.database.db, 'claiming', async (tx) => {
      const { open, cancelled } = await shareRun(tx, run, STEP);
      if (!open || cancelled) return false;
      return claimRow(tx, {
        key: this.episode.key(STEP),
        newId: randomUUID(),
        runId,
        owner,
        activity: NO_ACTIVITY,
        expected,
        stealReason: isSteal ? 'steal' : null,
        promptVersion: '1',
      });
    });
  }

  /** One after the other, as a heartbeat's own loop does it. */
  beat(owner: ProcessIdentity, runId: string): Promise<boolean> {
    const beat = this.lastBeat.then(async () => (await beatRows(this.beats, owner.bootId, [runId])).written.has(runId));
    this.lastBeat = beat;
    return beat;
  }

  mayWrite(owner: ProcessIdentity, runId: string): Promise<boolean> {
    return shortTransaction(this.database.db, 'the fence', (tx) => shareHeldRow(tx, this.held(owner, runId)));
  }

  end(owner: ProcessIdentity, runId: string, status: End): Promise<boolean> {
    return shortTransaction(this.database.db, 'ending', (tx) =>
      endRow(tx, this.held(owner, runId), {
        status,
        applicableCount: 1,
        completedCount: 1,
        failedCount: 0,
        errorMessage: null,
        resultSummary: null,
        resolvedModel: null,
        inputHash: null,
        upstreamRevision: null,
        recoveryReason: null,
      }),
    );
  }

  async reclaim(seen: SeenRow): Promise<boolean> {
    const row = await this.episode.row(STEP);
    return failDeadRow(this.database.db, { ...row, ...seen }, 'sweep: owner process gone');
  }

  adopt(owner: ProcessIdentity, token: string, newRunId: string): Promise<boolean> {
    const adoption = { token, newRunId, owner, activity: NO_ACTIVITY };
    return shortTransaction(this.database.db, 'adopting', (tx) => adoptRow(tx, this.episode.key(STEP), adoption));
  }

  async cancel(workflowRunId: string): Promise<void> {
    const run = await this.runOf(workflowRunId);
    await shortTransaction(this.database.db, 'cancelling', (tx) =>
      writeCancel(tx, { workflowRunId: run, steps: [STEP], by: 'test' }),
    );
  }

  private held(owner: ProcessIdentity, runId: string): Held {
    return { ...this.episode.key(STEP), runId, bootId: owner.bootId, workflowRunId: null };
  }

  /** Runs of the driver have short names; the ledger's are opened as they are named. */
  private async runOf(name: string): Promise<string> {
    const known = this.runs.get(name) ?? (await this.episode.openRun(`workflow/${this.episode.projectId}/${name}`));
    this.runs.set(name, known);
    return known;
  }
}
