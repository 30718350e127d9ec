import fs from 'node:fs';
import path from 'node:path';
import { ROOMS } from './room-plants';

const document = fs.readFileSync(path.resolve(__dirname, '../../docs/architecture.md'), 'utf8');

interface Row {
  readonly room: string;
  readonly files: readonly string[];
  readonly holds: string;
  readonly imports: readonly string[];
  readonly typesOf: readonly string[];
}

const names = (cell: string) => (cell === '' ? [] : cell.split(', ').sort());

/** The rows of the table whose second column is a path in src. */
function documentedRooms(): Row[] {
  return document
    .split('\n')
    .filter((line) => /^\|\s*[a-z]+\s*\|\s*`src\//.test(line))
    .map((line) => {
      const [room = '', files = '', holds = '', imports = '', typesOf = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return {
        room,
        files: files.replaceAll('`', '').split(', '),
        holds,
        imports: names(imports),
        typesOf: names(typesOf),
      };
    });
}

describe('the house law', () => {
  const documented = documentedRooms();

  it('is the same in docs/architecture.md and in the rules', () => {
    const law = Object.entries(ROOMS).map(([room, { files, imports, typesOf = [] }]) => ({
      room,
      files,
      imports: [...imports].sort(),
      typesOf: [...typesOf].sort(),
    }));
    expect(documented.map(({ holds: _, ...row }) => row)).toEqual(law);
  });

  it('says of each room what it holds', () => {
    expect(documented.filter((row) => row.holds.length < 10)).toEqual([]);
  });

  it('gives each place to one room only', () => {
    const places = documented.flatMap((row) => row.files);
    expect(new Set(places).size).toBe(places.length);
  });
});
