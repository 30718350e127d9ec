import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createArtifactStore } from '../../../src/store/artifacts/store';
import type { Attempt } from './attempt';

const ARTIFACT = /"artifact":"([0-9a-f]{64})"/g;

/** Every artifact that a purchase or an item names is there and whole; every file that could be read as one is what its name says. */
export async function compareFiles({ world }: Attempt): Promise<string[]> {
  const { db, artifactDir } = world;
  const purchases = await db
    .selectFrom('purchase')
    .select(['id', 'response_ref'])
    .where('response_ref', 'is not', null)
    .execute();
  const items = await db
    .selectFrom('item_result')
    .select(['item_id', 'result'])
    .where('archived_at', 'is', null)
    .execute();
  const named = [
    ...purchases.map(({ id, response_ref }) => ({ by: `purchase ${id}`, artifact: response_ref! })),
    ...items.flatMap(({ item_id, result }) =>
      [...(result ?? '').matchAll(ARTIFACT)].map(([, artifact]) => ({ by: `item ${item_id}`, artifact: artifact! })),
    ),
  ];
  const store = createArtifactStore(artifactDir);
  const losses: string[] = [];
  for (const { by, artifact } of named)
    if ((await store.get(artifact)) === null) losses.push(`the artifact ${artifact} of ${by} is gone or damaged`);
  return [...losses, ...damagedFiles(artifactDir)];
}

/** Names that begin with a dot are of writes that a kill has cut; nobody reads them. */
function damagedFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .filter((file) => !file.name.startsWith('.'))
    .filter((file) => sha256(path.join(file.parentPath, file.name)) !== file.name)
    .map((file) => `the file ${file.name} has another content than its name says`);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
