import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sha256 } from '../../src/hash';
import { createArtifactStore, type ArtifactStore } from '../../src/store/artifacts/store';

describe('the artifact store', () => {
  let directory: string;
  let store: ArtifactStore;
  const bytes = Buffer.from('a picture');

  beforeEach(async () => {
    directory = path.join(await mkdtemp(path.join(os.tmpdir(), 'callsheet-store-')), 'artifacts');
    store = createArtifactStore(directory);
  });
  afterEach(() => rm(path.dirname(directory), { recursive: true, force: true }));

  it('names content by its hash, under the first two digits, and gives it back byte for byte', async () => {
    const artifact = await store.put(bytes);
    expect(artifact).toBe(sha256(bytes));
    expect(store.path(artifact)).toBe(path.join(directory, artifact.slice(0, 2), artifact));
    expect(Buffer.from((await store.get(artifact))!)).toEqual(bytes);
    expect(await store.stat(artifact)).toEqual({ bytes: bytes.length });
  });

  it('keeps one file for twenty writers of the same content at once, and leaves no temporary one', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)));
    expect(new Set(names).size).toBe(1);
    expect(await readdir(path.join(directory, names[0]!.slice(0, 2)))).toEqual([names[0]]);
  });

  it.each([
    ['cut to nothing', (file: string) => truncate(file)],
    ['changed in one byte', (file: string) => writeFile(file, 'b picture')],
    ['a folder', async (file: string) => (await rm(file), await mkdir(file))],
    ['a link that leads nowhere', async (file: string) => (await rm(file), await symlink('/nowhere/at/all', file))],
  ])('takes a file that is %s for missing, and puts the right one in its place', async (_what, damage) => {
    const artifact = await store.put(bytes);
    await damage(store.path(artifact)!);
    expect(await store.get(artifact)).toBeNull();
    expect(await store.put(bytes)).toBe(artifact);
    expect(Buffer.from((await store.get(artifact))!)).toEqual(bytes);
  });

  it('never reads what a writer left that died before its rename', async () => {
    const artifact = sha256(bytes);
    await mkdir(path.join(directory, artifact.slice(0, 2)), { recursive: true });
    await writeFile(path.join(directory, artifact.slice(0, 2), `.${artifact}.1-left`), bytes.subarray(0, 3));
    expect(await store.get(artifact)).toBeNull();
    expect(await store.stat(artifact)).toBeNull();
  });

  it.each(['../../etc/passwd', '', 'ab', `${'a'.repeat(63)}G`, `${'a'.repeat(64)}/x`])(
    'walks nowhere for the name %j',
    async (name) => {
      expect(store.path(name)).toBeNull();
      expect(await store.get(name)).toBeNull();
      expect(await store.stat(name)).toBeNull();
    },
  );

  it('says that it could not store, naming the file, where the directory cannot be made', async () => {
    await writeFile(directory, 'a file stands in the way');
    await expect(store.put(bytes)).rejects.toMatchObject({
      code: 'purchase.store_failed',
      message: expect.stringContaining(sha256(bytes)) as string,
    });
  });
});
