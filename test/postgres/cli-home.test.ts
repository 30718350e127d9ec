import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { locksBody } from '../../src/bodies/locks';
import { main } from '../../src/cli/main';
import { realDependencies } from '../../src/cli/real-dependencies';
import { readConfig } from '../../src/config';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { terminalDouble } from '../support/terminal-double';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-home-'));
  fs.writeFileSync(path.join(folder, 'file'), '');
});
afterAll(async () => {
  await database.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['is not there, and is not made', 'home'],
  ['cannot be made', 'file/home'],
])('a look at a database elsewhere needs no home: one that %s', async (_what, home) => {
  const double = terminalDouble();
  const environment = { DATABASE_URL: database.url, CALLSHEET_HOME: path.join(folder, home) };
  const dependencies = { ...realDependencies, readConfig: () => readConfig(environment) };
  const code = await main(['locks', '--all', '--json'], double.streams, dependencies);
  expect({ code, locks: locksBody.parse(JSON.parse(double.out())).locks }).toEqual({ code: 0, locks: [] });
  expect(fs.readdirSync(folder)).toEqual(['file']);
});
