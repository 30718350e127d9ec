// The rules are plain CommonJS, as the tool wants them.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { ROOMS } = require('../../lint/rooms.cjs') as {
  ROOMS: Readonly<
    Record<string, { files: readonly string[]; imports: readonly string[]; typesOf?: readonly string[] }>
  >;
};

export { ROOMS };

/** The one file of each room that others import in the planted tree. */
export function anchorOf(room: string): string {
  const files = ROOMS[room]!.files[0]!;
  if (!files.endsWith('/')) return files;
  // A reader of the ledger, so that rooms which may import the ledger break no other rule by it.
  return room === 'ledger' ? `${files}held.ts` : `${files}anchor.ts`;
}

function importOf(from: string, target: string, kind: 'value' | 'type', index: number): string {
  const up = '../'.repeat(from.split('/').length - 1);
  const specifier = `./${up}${target.replace(/[.]ts$/, '')}`;
  return kind === 'type'
    ? `import type { Anchor as T${index} } from '${specifier}';\nexport type U${index} = T${index};\n`
    : `import { anchor as v${index} } from '${specifier}';\nexport const w${index} = v${index};\n`;
}

const anchorText = 'export const anchor = 1;\nexport type Anchor = typeof anchor;\n';

export interface RoomPlants {
  readonly files: Map<string, string>;
  /** rule → `from → to` that must be found. */
  readonly expected: Map<string, string>;
  /** Files that break no rule. */
  readonly lawful: string[];
}

/** For each room: a lawful file that imports all that it may, one that imports a forbidden room, one that takes more than types. */
export function plantRooms(): RoomPlants {
  const files = new Map<string, string>();
  const expected = new Map<string, string>();
  const lawful: string[] = [];
  for (const [room, { files: places, imports, typesOf = [] }] of Object.entries(ROOMS)) {
    const place = places[0]!;
    const isFolder = place.endsWith('/');
    const forbidden = Object.keys(ROOMS).find(
      (one) => ![room, ...imports, ...typesOf, 'worker', 'wiring'].includes(one),
    );
    if (isFolder) {
      files.set(anchorOf(room), anchorText);
      const file = `${place}lawful.ts`;
      // The worker is an entry point: the rule of its own says who may import it.
      const allowed = imports.filter((one) => one !== 'worker');
      const lines = allowed.map((one, i) => importOf(file, anchorOf(one), 'value', i));
      const types = typesOf.map((one, i) => importOf(file, anchorOf(one), 'type', 100 + i));
      files.set(file, [...lines, ...types, 'export const lawful = 1;\n'].join(''));
      lawful.push(file);
    }
    const offender = isFolder ? `${place}intruder.ts` : place;
    const text = isFolder ? '' : anchorText;
    if (forbidden !== undefined) expected.set(`room-${room}`, `${offender} → ${anchorOf(forbidden)}`);
    const broken = forbidden === undefined ? '' : importOf(offender, anchorOf(forbidden), 'value', 0);
    const [taken] = typesOf;
    if (taken !== undefined) expected.set(`room-${room}-types-only`, `${offender} → ${anchorOf(taken)}`);
    const greedy = taken === undefined ? '' : importOf(offender, anchorOf(taken), 'value', 1);
    files.set(offender, broken + greedy + text);
  }
  return { files, expected, lawful };
}
