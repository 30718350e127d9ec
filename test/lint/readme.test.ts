import fs from 'node:fs';
import path from 'node:path';

const repository = path.resolve(__dirname, '../..');
const read = (name: string) => fs.readFileSync(path.join(repository, name), 'utf8');
const readme = read('README.md');

/** First and second cells of the rows of a section's tables. */
function rowsOf(heading: string): { first: string; second: string }[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\|\s*(`[^|]*?(?:\\\|[^|]*?)*`(?:,\s*`[^`]*`)*)\s*\|\s*([^|]*?)\s*\|/gm)].map(
    (match) => ({
      first: match[1]!,
      second: match[2]!,
    }),
  );
}

describe('the README', () => {
  const commandFolder = path.join(repository, 'src/cli/commands');
  const commands = fs
    .readdirSync(commandFolder)
    .flatMap((name) => [...read(`src/cli/commands/${name}`).matchAll(/\.command\('([a-z-]+)[^']*'/g)])
    .map((match) => match[1]!);

  it('lists exactly the commands that there are', () => {
    const listed = rowsOf('Command line').flatMap(({ first }) =>
      [...first.matchAll(/`([a-z-]+)/g)].map((match) => match[1]!),
    );
    expect([...new Set(listed)].sort()).toEqual([...new Set(commands)].sort());
  });

  /** Set by Callsheet itself, by tests, or by the system. */
  const unlisted = [
    'CALLSHEET_HOST_ID',
    'CALLSHEET_HOST_NAME',
    'CALLSHEET_PARENT_FD',
    'CALLSHEET_TEMPORAL_EMBEDDED',
    'XDG_CACHE_HOME',
  ];
  const schema = read('src/config.ts').split('const environmentSchema')[1]!.split('\n});')[0]!;
  const variables = [...schema.matchAll(/^ {2}([A-Z_]+): (.*)$/gm)].map((match) => ({
    name: match[1]!,
    default: /\.default\(([^)]*)\)/.exec(match[2]!)?.[1]?.replaceAll("'", '').replaceAll('_', ''),
  }));
  const listed = rowsOf('Settings').map(({ first, second }) => ({
    name: first.replaceAll('`', ''),
    default: second.replaceAll('`', ''),
  }));

  it('lists every setting that a person may set, and no other', () => {
    const names = variables.map((variable) => variable.name).filter((name) => !unlisted.includes(name));
    expect(names).toContain('DATABASE_URL');
    expect(listed.map((setting) => setting.name).sort()).toEqual(names.sort());
  });

  it('gives each setting the default that it has', () => {
    const defaults = variables.filter((variable) => variable.default !== undefined);
    const said = new Map(listed.map((setting) => [setting.name, setting.default]));
    expect(defaults.length).toBeGreaterThan(5);
    expect(defaults.filter(({ name }) => said.has(name)).map(({ name }) => [name, said.get(name)])).toEqual(
      defaults.filter(({ name }) => said.has(name)).map((variable) => [variable.name, variable.default]),
    );
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/operating.md'])(
    'and %s link only to files that are there',
    (name) => {
      const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]!);
      // The two pictures are made by a run.
      const missing = links.filter((link) => !fs.existsSync(path.join(repository, path.dirname(name), link)));
      expect(missing).toEqual([]);
    },
  );
});
