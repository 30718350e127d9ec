import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Much more than pipes take. */
const BYTES = 2_000_000;
const repository = path.resolve(__dirname, '../..');
/** In place of the command line: prints much, to both, and answers 3. */
const PRINTS = `
  const Module = require('node:module');
  const load = Module._load;
  const main = async () => {
    for (const stream of [process.stdout, process.stderr]) stream.write('x'.repeat(${BYTES}));
    return 3;
  };
  Module._load = (request, ...rest) => {
    if (request.endsWith('/prepare')) return { prepareOrExit: () => Promise.resolve() };
    if (request.endsWith('/dist/src/cli/main.js')) return { main };
    if (request.endsWith('/dist/src/cli/run/example.js')) return { exampleScreenplay: () => 'example' };
    return load(request, ...rest);
  };
`;

describe.each(['bin/callsheet.js', 'setup/start.js'])('%s', (program) => {
  let folder: string;
  let child: ChildProcess;
  let ended: Promise<unknown[]>;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-exit-'));
    const preload = path.join(folder, 'prints.cjs');
    writeFileSync(preload, PRINTS);
    child = spawn(process.execPath, ['--require', preload, path.join(repository, program)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ended = once(child, 'close');
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const bytesOf = (stream: NodeJS.ReadableStream | null): { count: number } => {
    const bytes = { count: 0 };
    stream?.on('data', (chunk: Buffer) => (bytes.count += chunk.length));
    return bytes;
  };

  test('ends when a slow reader has all of it, with the code of the command', async () => {
    // Pipes and the stream's own buffer are full by then, and nobody takes anything yet.
    await once(child.stdout!, 'readable');
    const [out, err] = [bytesOf(child.stdout), bytesOf(child.stderr)];
    expect(await ended).toEqual([3, null]);
    expect([out.count, err.count]).toEqual([BYTES, BYTES]);
  });

  test('ends when the reader has gone, as head goes, with the code of the command', async () => {
    await once(child.stdout!, 'readable');
    child.stdout!.destroy();
    child.stderr!.destroy();
    expect(await once(child, 'exit')).toEqual([3, null]);
  });
});
