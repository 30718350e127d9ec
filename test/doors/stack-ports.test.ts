import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { requireAnswer } from '../../src/embedded/external';
import { homeAt, logFileOf, makeHome } from '../../src/embedded/home';
import { preparePostgres } from '../../src/embedded/postgres-server';
import type { StartedChild } from '../../src/embedded/started-child';
import { prepareTemporal } from '../../src/embedded/temporal-server';
import { HomeMaker, openDatabaseOnly, query, stackFiles, StackCommand, temporalForTests } from './stack-commands';

/** Wide enough for a busy machine; nothing here is measured by it. */
jest.setTimeout(10 * 60_000);

let maker: HomeMaker;
let home: string;
let squatters: Server[];
let children: StartedChild[];
let lines: string[];
const say = (line: string) => void lines.push(line);

beforeAll(async () => {
  await temporalForTests();
  maker = await HomeMaker.prepare();
}, 30 * 60_000);
afterAll(() => maker.remove());
beforeEach(() => {
  home = maker.make();
  squatters = [];
  children = [];
  lines = [];
});
afterEach(async () => {
  for (const child of children) await child.end();
  for (const squatter of squatters) squatter.close();
  rmSync(home, { recursive: true, force: true });
});

/** Another program that takes a port. */
async function squat(port: number): Promise<Server> {
  const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  squatters.push(squatter);
  await once(squatter, 'listening');
  return squatter;
}

function portsOf(at: string): Record<string, number> {
  return JSON.parse(readFileSync(path.join(at, 'ports.json'), 'utf8')) as Record<string, number>;
}

test.each(['temporal', 'temporalUi', 'temporalHttp', 'temporalMetrics'])(
  'Temporal whose port for %s is taken between choice and start comes up on others; the other program keeps its own',
  async (name) => {
    const places = homeAt(home);
    makeHome(places);
    const service = await prepareTemporal({
      executable: await temporalForTests(),
      portsFile: places.ports,
      logFile: logFileOf(places, 'temporal'),
      say,
    });
    const taken = portsOf(home)[name] ?? 0;
    const squatter = await squat(taken);
    children.push(await service.start());
    await requireAnswer(service.address);
    expect(Object.values(portsOf(home))).not.toContain(taken);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^Temporal server: another program.*\\b${taken}\\b`))]);
    expect(squatter.listening).toBe(true);
  },
);

test('PostgreSQL whose port is taken between choice and start comes up on another; the other program keeps its own', async () => {
  const service = await preparePostgres(homeAt(home), say);
  const taken = Number(new URL(service.databaseUrl).port);
  const squatter = await squat(taken);
  children.push(await service.start());
  expect(await query(service.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(portsOf(home).postgres).not.toBe(taken);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^PostgreSQL: another program.*\\b${taken}\\b`))]);
  expect(squatter.listening).toBe(true);
});

test('a home keeps its addresses from one stack to the next, unless another program has a port by then', async () => {
  const stack = await openDatabaseOnly(home);
  await stack.stop();
  const again = await openDatabaseOnly(home);
  await again.stop();
  expect(again.databaseUrl).toBe(stack.databaseUrl);
  await squat(Number(new URL(stack.databaseUrl).port));
  const third = await openDatabaseOnly(home);
  try {
    expect(await query(third.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(third.databaseUrl).not.toBe(stack.databaseUrl);
  } finally {
    await third.stop();
  }
});

test('a port for the API that the user names and another program has is an error, and nothing is started for it', async () => {
  const squatter = await squat(0);
  const address = squatter.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const command = await StackCommand.start(home, { CALLSHEET_API_PORT: String(port) });
  expect(await command.event((event) => event.error !== undefined)).toMatchObject({
    error: 'stack.port_in_use',
    message: expect.stringContaining(String(port)) as string,
  });
  await command.end('SIGTERM');
  expect(stackFiles(home)).toEqual([]);
  expect(squatter.listening).toBe(true);
});
