import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config';
import { readTokens } from '../../src/http/access/read-tokens';
import { Tokens } from '../../src/http/access/tokens';

const SECRET = 'a-secret-of-some-length';

test('a token is known by its name and role, and only as a whole', () => {
  const tokens = Tokens.parse([`eye:viewer:${SECRET}`, `hand:operator:${SECRET}2`]);
  expect(tokens.identify(`Bearer ${SECRET}`)).toEqual({ name: 'eye', role: 'viewer' });
  expect(tokens.identify(`Bearer ${SECRET}2`)).toEqual({ name: 'hand', role: 'operator' });
  for (const header of [
    undefined,
    '',
    SECRET,
    'Bearer',
    'Bearer ',
    `Bearer ${SECRET} x`,
    `Bearer ${SECRET.slice(1)}`,
    `Bearer ${SECRET}3`,
    `Basic ${SECRET}`,
    `Bearer ${SECRET},${SECRET}2`,
  ])
    expect(tokens.identify(header)).toBeNull();
});

test.each([
  ['no parts', 'nonsense'],
  ['no token', 'eye:viewer:'],
  ['a short token', 'eye:viewer:short'],
  ['an unknown role', `eye:admin:${SECRET}`],
  ['a name that is none', `an eye:viewer:${SECRET}`],
  ['too many parts', `eye:viewer:${SECRET}:more`],
  ['a blank in the token', 'eye:viewer:a secret of some length'],
])('an entry with %s stops the start, and the message does not hold it', (_what, entry) => {
  expect(() => Tokens.parse([entry])).toThrow(
    expect.objectContaining({ code: 'config.invalid', message: expect.not.stringContaining(SECRET) as string }),
  );
});

test('two of one name, or one token under two names, stop the start', () => {
  expect(() => Tokens.parse([`eye:viewer:${SECRET}`, `eye:operator:${SECRET}2`])).toThrow('the name eye is taken');
  expect(() => Tokens.parse([`eye:viewer:${SECRET}`, `hand:operator:${SECRET}`])).toThrow('it has the token of eye');
});

test('tokens come from the environment and from a file, whose comments and empty lines are none', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-tokens-'));
  const file = path.join(folder, 'tokens');
  writeFileSync(file, `# operators\n\nhand:operator:${SECRET}2\r\n`);
  const tokens = readTokens(
    readConfig({ CALLSHEET_API_TOKENS: `eye:viewer:${SECRET}`, CALLSHEET_API_TOKENS_FILE: file }).api,
  );
  expect([tokens.identify(`Bearer ${SECRET}`)?.name, tokens.identify(`Bearer ${SECRET}2`)?.name]).toEqual([
    'eye',
    'hand',
  ]);
  rmSync(folder, { recursive: true });
  expect(() => readTokens(readConfig({ CALLSHEET_API_TOKENS_FILE: file }).api)).toThrow(
    expect.objectContaining({ code: 'config.invalid' }),
  );
  expect(readTokens(readConfig({}).api).areConfigured).toBe(false);
});
