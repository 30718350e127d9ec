import { createServer, type Server } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { freePorts, isPortFree, LOOPBACK } from '../../src/embedded/free-port';
import { rememberedPorts, type PortSource } from '../../src/embedded/remembered-ports';
import { ServerPorts, type StartAttempt } from '../../src/embedded/server-ports';
import type { StartedChild } from '../../src/embedded/started-child';

let folder: string;
let squatters: Server[];
let lines: string[];
const say = (line: string) => void lines.push(line);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-ports-'));
  squatters = [];
  lines = [];
});
afterEach(() => {
  for (const squatter of squatters) squatter.close();
  rmSync(folder, { recursive: true, force: true });
});

async function squat(port: number): Promise<void> {
  const squatter = createServer().listen(port, LOOPBACK);
  squatters.push(squatter);
  await once(squatter, 'listening');
}

const child = { name: 'temporal' } as StartedChild;
const failed = (said: string): StartAttempt => ({ started: false, error: new Error('it ended'), said });

/** A source whose ports are 1, 2, 3 …: a real choice of ports is not what is looked at. */
function counting(): PortSource {
  let last = 0;
  const next = () => Promise.resolve([(last += 1)]);
  return { first: next, others: next };
}

test('chosen ports differ from each other and lie outside of those of outgoing connections', async () => {
  const ports = await freePorts(8);
  expect(new Set(ports).size).toBe(8);
  expect(ports.filter((port) => port < 20_000 || port > 29_999)).toEqual([]);
});

test('a home has its ports again, but not one that another program has by then', async () => {
  const file = path.join(folder, 'ports.json');
  const source = rememberedPorts(file, ['temporal', 'temporalUi']);
  const [api = 0, ui = 0] = await source.first();
  expect(await source.first()).toEqual([api, ui]);
  await squat(ui);
  const [sameApi, otherUi = 0] = await source.first();
  expect(sameApi).toBe(api);
  expect(otherUi).not.toBe(ui);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ temporal: api, temporalUi: otherUi });
});

test('what is chosen instead of taken ports is remembered, beside the ports of other servers', async () => {
  const file = path.join(folder, 'ports.json');
  const [database] = await rememberedPorts(file, ['postgres']).first();
  const source = rememberedPorts(file, ['api']);
  await source.first();
  const [api] = await source.others();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ postgres: database, api });
});

test.each([
  ['PostgreSQL', 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use'],
  ['Temporal', 'failed listening for HTTP API on 127.0.0.1:44845: bind: address already in use'],
  ['Node.js', 'Error: listen EADDRINUSE: address already in use 127.0.0.1:7460'],
  ['our API', 'error stack.port_in_use: Port 7460 of 127.0.0.1 is taken'],
])(
  'a first start that %s ends for a taken port is made again on another one, and said in one line',
  async (_, said) => {
    const ports = await ServerPorts.choose('It', counting(), say);
    const tried: number[] = [];
    const started = await ports.start(([port = 0]) => {
      tried.push(port);
      return Promise.resolve(port < 3 ? failed(said) : { started: true, child });
    });
    expect(started).toBe(child);
    expect(tried).toEqual([1, 2, 3]);
    expect(ports.all).toEqual([3]);
    expect(lines).toEqual([expect.stringContaining('of 1) meanwhile'), expect.stringContaining('of 2) meanwhile')]);
  },
);

test('a port that somebody has now is enough of a reason, whatever the log says', async () => {
  const ports = await ServerPorts.choose('It', rememberedPorts(path.join(folder, 'ports.json'), ['api']), say);
  const [first = 0] = ports.all;
  await squat(first);
  await ports.start(([port]) => Promise.resolve(port === first ? failed('') : { started: true, child }));
  expect(ports.all).not.toEqual([first]);
});

test('a start that fails for another reason is made once, and its ports stay', async () => {
  const ports = await ServerPorts.choose('It', { ...counting(), first: () => freePorts(1) }, say);
  const before = ports.all;
  let attempts = 0;
  await expect(ports.start(() => ((attempts += 1), Promise.resolve(failed('the disk is full'))))).rejects.toThrow(
    'it ended',
  );
  expect({ attempts, ports: ports.all, lines }).toEqual({ attempts: 1, ports: before, lines: [] });
});

test('ports that others know already are kept, even where somebody has taken one: clients wait at that address', async () => {
  const ports = await ServerPorts.choose('It', counting(), say);
  await ports.start(() => Promise.resolve({ started: true, child }));
  await expect(ports.start(() => Promise.resolve(failed('address already in use')))).rejects.toThrow('it ended');
  expect(ports.all).toEqual([1]);
});

test('a machine where every port is taken is told after a few attempts', async () => {
  const ports = await ServerPorts.choose('It', counting(), say);
  let attempts = 0;
  const endless = ports.start(() => ((attempts += 1), Promise.resolve(failed('EADDRINUSE'))));
  await expect(endless).rejects.toThrow('it ended');
  expect(attempts).toBe(6);
});

test('a port with a listener is not free, and is again when that has gone', async () => {
  const [port = 0] = await freePorts(1);
  expect(await isPortFree(port)).toBe(true);
  await squat(port);
  expect(await isPortFree(port)).toBe(false);
});
