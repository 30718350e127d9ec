/**
 * The one place where the tests read and write the environment. The set-up of a jest project writes the addresses of what it
 * started; the worker processes of jest inherit them.
 *
 * For development on a server of one's own: TEST_DATABASE_URL (a PostgreSQL superuser) and TEST_TEMPORAL_ADDRESS.
 */
const DATABASE = 'TEST_DATABASE_URL';
const TEMPLATE = 'TEST_DATABASE_TEMPLATE';
const TEMPORAL = 'TEST_TEMPORAL_ADDRESS';

function read(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

function needed(name: string, startedBy: string): string {
  const value = read(name);
  if (value === undefined)
    throw new Error(`${name} is not set: it is set by the ${startedBy} project of jest.config.js.`);
  return value;
}

/** The server that the developer named; undefined: one is started for the tests. */
export function givenDatabaseUrl(): string | undefined {
  return read(DATABASE);
}

export function givenTemporalAddress(): string | undefined {
  return read(TEMPORAL);
}

export function publishDatabase(url: string, template: string): void {
  process.env[DATABASE] = url;
  process.env[TEMPLATE] = template;
}

export function publishTemporal(address: string): void {
  process.env[TEMPORAL] = address;
}

/** Withdraws what `publishDatabase` set, unless the developer named the server. */
export function withdrawDatabase(given: boolean): void {
  if (!given) delete process.env[DATABASE];
  delete process.env[TEMPLATE];
}

export function withdrawTemporal(given: boolean): void {
  if (!given) delete process.env[TEMPORAL];
}

/** Address of the PostgreSQL server that this test run uses (its maintenance database). */
export function databaseServerUrl(): string {
  return needed(DATABASE, 'postgres or temporal');
}

/** Name of the migrated database that tests clone. */
export function databaseTemplate(): string {
  return needed(TEMPLATE, 'postgres or temporal');
}

/** host:port of the Temporal server that this test run uses. */
export function temporalAddress(): string {
  return needed(TEMPORAL, 'temporal');
}

/** The time-skipping server's program, as setup/test-time.js found it; undefined: the SDK has its own. */
export function timeServer(): string | undefined {
  return read('TEST_TIME_SERVER');
}

/** True: tests with a snapshot of their own write it instead of comparing. */
export function updateSnapshots(): boolean {
  return read('UPDATE_SNAPSHOTS') === '1';
}
