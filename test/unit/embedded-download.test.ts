import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { download } from '../../src/embedded/temporal-download';
import { identify, isAlive } from '../../src/embedded/process-identity';
import { cacheFolder } from '../../src/embedded/temporal-cache';
import { eventually } from '../support/eventually';

jest.mock('@temporalio/testing', () => ({
  TestWorkflowEnvironment: { createLocal: () => new Promise(() => undefined) },
}));

let folder: string;
jest.mock('../../src/embedded/compiled-folder', () => ({ compiledEntry: () => path.join(folder, 'helper.cjs') }));

/** In the place of the SDK: it has fetched everything, and tries the server, which shares its standard error. */
const HELPER = `
const { spawn } = require('node:child_process');
const server = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'inherit'] });
require('node:fs').writeFileSync(require('node:path').join(__dirname, 'server-pid'), String(server.pid));
process.stdin.resume();
process.stdin.once('close', () => process.exit(1));
`;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-download-'));
  fs.writeFileSync(path.join(folder, 'helper.cjs'), HELPER);
});
afterEach(() => {
  jest.useRealTimers();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function serverThatIsTried() {
  const file = path.join(folder, 'server-pid');
  await eventually('the server is tried', () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') !== '');
  const server = identify(Number(fs.readFileSync(file, 'utf8')));
  if (!server) throw new Error('The server is gone already.');
  return server;
}

function begun(signal?: AbortSignal) {
  const cache = path.join(folder, 'cache');
  fs.mkdirSync(cacheFolder(cache), { recursive: true });
  return download(cache, signal);
}

test('a download that is given up takes the server with it that was being tried', async () => {
  const asked = new AbortController();
  const ended = begun(asked.signal);
  const server = await serverThatIsTried();
  asked.abort();
  expect(await ended).toMatchObject({ ok: false });
  await eventually('the server is gone', () => !isAlive(server));
});

test('so does one in which nothing arrives any more', async () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask', 'Date'],
  });
  const ended = begun();
  const server = await serverThatIsTried();
  jest.advanceTimersByTime(22_000);
  expect(await ended).toEqual({ ok: false, reason: 'nothing arrived for 20 s (no network?)' });
  await eventually('the server is gone', () => !isAlive(server));
});

test('the one that downloads ends with all that it has started when its parent is gone', () => {
  const order: unknown[] = [];
  let parentGone: () => void = () => undefined;
  jest.spyOn(process.stdin, 'resume').mockReturnThis();
  jest.spyOn(process.stdin, 'once').mockImplementation((_event, gone: () => void) => {
    parentGone = gone;
    return process.stdin;
  });
  jest.spyOn(process, 'kill').mockImplementation((...args) => {
    order.push(args);
    return true;
  });
  jest.spyOn(process, 'exit').mockImplementation((code) => order.push(code) as never);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a program that starts when it is loaded
    jest.isolateModules(() => require('../../src/embedded/sdk-download') as unknown);
    parentGone();
    expect(order).toEqual([[-process.pid, 'SIGKILL'], 1]);
  } finally {
    jest.restoreAllMocks();
  }
});
