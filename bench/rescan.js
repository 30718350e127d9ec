'use strict';
/**
 * What a claim costs with 10,000 and with 1,000,000 rows in the table (`npm run bench:rescan`): median time and pages read of a
 * claim of a hundred, of which as many are expired in both. Exits 1 where the larger table costs more than 1.3 times as much, or
 * where the claim does not read the partial index. BENCH_DATABASE_URL names a server; without it the embedded one is started.
 */
const { randomBytes } = require('node:crypto');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const compiled = (name) => require(path.join(root, 'dist', 'src', name));

const SIZES = [10_000, 1_000_000];
const BATCH = 100;
const CLAIMS = 60;
const MOST = 1.3;
const SETTINGS = { pendingExpiryMs: 300_000, processingExpiryMs: 600_000, maxRetries: 3, batchSize: BATCH };

/** Finished rows of all ages, some that are fresh and owed, and enough that are lost for every claim. */
async function fill(db, sql, size) {
  const lost = BATCH * (CLAIMS + 5);
  await sql`TRUNCATE ai.context_ai_state`.execute(db);
  await sql`
    INSERT INTO ai.context_ai_state (context_id, embedding_status, summary_status, retry_count, updated_at)
    SELECT n, CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, 'COMPLETED', n % 4, now() - random() * interval '90 days'
    FROM generate_series(1, ${size - lost - 500}::int) AS n`.execute(db);
  await sql`
    INSERT INTO ai.context_ai_state (context_id, embedding_status, summary_status, updated_at)
    SELECT -n, 'PENDING', CASE WHEN n % 2 = 0 THEN 'PROCESSING' ELSE 'COMPLETED' END, now() - interval '1 day' - n * interval '1 second'
    FROM generate_series(1, ${lost}::int) AS n`.execute(db);
  await sql`
    INSERT INTO ai.context_ai_state (context_id, updated_at)
    SELECT -1000000 - n, now() + interval '1 hour' FROM generate_series(1, 500) AS n`.execute(db);
  await sql`VACUUM ANALYZE ai.context_ai_state`.execute(db);
  await sql`CHECKPOINT`.execute(db);
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

async function claims(db) {
  const { claimExpired } = compiled('rescan/claim');
  const times = [];
  for (let index = 0; index < CLAIMS; index += 1) {
    const begun = performance.now();
    const rows = await claimExpired(db, SETTINGS);
    times.push(performance.now() - begun);
    if (rows.length !== BATCH) throw new Error(`A claim took ${rows.length} rows.`);
  }
  return times;
}

/** How the claim finds its rows, and the pages that it reads for that. */
async function planOf(db, sql) {
  const { expired } = compiled('rescan/expired');
  const { rows } = await sql`
    EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT context_id FROM ai.context_ai_state WHERE retry_count < 3 AND ${expired(SETTINGS)}
    ORDER BY updated_at, context_id LIMIT ${BATCH}`.execute(db);
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
  return {
    usesIndex: JSON.stringify(plan).includes('context_ai_state_unfinished'),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

async function openServer() {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-bench-'));
  const { readConfig } = compiled('config');
  const stack = await compiled('embedded/stack').openStack({
    config: readConfig({ CALLSHEET_HOME: home }),
    need: 'database',
    say: console.error,
  });
  const stop = async () => {
    await stack.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
  return { url: stack.databaseUrl, stop };
}

/** A database of its own, dropped in the end. */
async function withDatabase(serverUrl, work) {
  const { openDatabase } = compiled('db/pool');
  // A million rows are written in one statement.
  const { WITHOUT_LIMITS } = compiled('db/answer-limit');
  const { sql } = require('kysely');
  const name = `callsheet_bench_${process.pid}_${randomBytes(4).toString('hex')}`;
  const server = openDatabase(serverUrl, 1, () => {}, WITHOUT_LIMITS);
  await sql.raw(`CREATE DATABASE ${name}`).execute(server.db);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const own = openDatabase(url.toString(), 1, () => {}, WITHOUT_LIMITS);
  try {
    await compiled('db/migrate').migrate(own.db);
    return await work(own.db, sql);
  } finally {
    await own.close();
    await sql.raw(`DROP DATABASE ${name} WITH (FORCE)`).execute(server.db);
    await server.close();
  }
}

async function measure(db, sql) {
  const results = [];
  for (const size of SIZES) {
    await fill(db, sql, size);
    await claims(db).then((warm) => warm.length);
    await fill(db, sql, size);
    const plan = await planOf(db, sql);
    const ms = median(await claims(db));
    results.push({ size, ms, ...plan });
    console.log(
      `${size.toLocaleString('en')} rows: a claim of ${BATCH} takes ${ms.toFixed(2)} ms (median of ${CLAIMS}), finds them in ${plan.pages} pages, ${plan.usesIndex ? 'by the partial index' : 'NOT by the partial index'}`,
    );
  }
  return results;
}

async function main() {
  execFileSync(process.execPath, [path.join(root, 'setup', 'build.js')], { stdio: 'inherit' });
  const server = await openServer();
  try {
    const [small, large] = await withDatabase(server.url, measure);
    const ratio = large.ms / small.ms;
    console.log(`1 M rows cost ${ratio.toFixed(2)} times what 10 k cost; at most ${MOST} is allowed.`);
    process.exitCode = ratio <= MOST && small.usesIndex && large.usesIndex ? 0 : 1;
  } finally {
    await server.stop();
  }
}

main().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
