import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const repository = path.resolve(__dirname, '../..');

/** The tools take seconds, and a busy machine many times that. */
export const TOOL_LIMIT_MS = 300_000;

export interface PlantedTree {
  /** Runs a tool of node_modules in the tree; answers what it printed, whatever its exit code. */
  run(script: string, args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

/** A folder of its own with the given files, this repository's rules, and its packages. */
export async function plantTree(files: ReadonlyMap<string, string>, copied: readonly string[]): Promise<PlantedTree> {
  const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'callsheet-planted-')));
  for (const name of ['lint', 'package.json', 'tsconfig.json', ...copied])
    await fs.cp(path.join(repository, name), path.join(root, name), { recursive: true });
  await fs.symlink(path.join(repository, 'node_modules'), path.join(root, 'node_modules'), 'dir');
  for (const [name, text] of files) {
    await fs.mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await fs.writeFile(path.join(root, name), text);
  }
  return {
    run: (script, args) =>
      new Promise((resolve) => {
        const command = [path.join(repository, 'node_modules', script), ...args];
        execFile(process.execPath, command, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
        });
      }),
    remove: () => fs.rm(root, { recursive: true, force: true }),
  };
}
