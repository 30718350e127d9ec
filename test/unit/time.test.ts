import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parseTime } from '../../src/domain/time';

const AT = Date.UTC(2026, 2, 25, 4, 12, 11);

describe('parseTime', () => {
  it.each([
    ['2026-03-25 04:12:11.123456+00', AT + 123.456],
    ['2026-03-25T04:12:11.123456+00:00', AT + 123.456],
    ['2026-03-25T04:12:11Z', AT],
    ['2026-03-25 04:12:11Z', AT],
    ['2026-03-25T04:12:11+00', AT],
    ['2026-03-25T04:12:11+0000', AT],
    ['2026-03-25T13:12:11+09:00', AT],
    ['2026-03-25 13:12:11+09', AT],
    ['2026-03-24T23:42:11-04:30', AT],
    ['2026-03-25T04:12:11.5Z', AT + 500],
    ['2026-03-25T04:12:11.123456789Z', AT + 123.456789],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('reads %s', (text, ms) => {
    expect(parseTime(text)).toBeCloseTo(ms, 5);
  });

  it.each([
    '',
    'foo 1',
    '1',
    'yesterday',
    'now',
    '2026-03-25T04:12:11.123456',
    '2026-03-25 04:12:11',
    '2026-03-25',
    '2026-03-25T04:12Z',
    '2026-03-25T04:12:11 Z',
    '2026-03-25T04:12:11 +00',
    ' 2026-03-25T04:12:11Z',
    '2026-03-25T04:12:11Z\n',
    '2026-03-25T04:12:11,5Z',
    '2026-03-25T04:12:11.Z',
    '2026-3-25T04:12:11Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-25T24:00:00Z',
    '2026-03-25T04:60:11Z',
    '2026-03-25T04:12:60Z',
    '2026-03-25T04:12:11+16',
    '2026-03-25T04:12:11+09:60',
    '2026-03-25T04:12:11+9',
    '2026-03-25T04:12:11UTC',
    '2026-03-25T04:12:11 Asia/Seoul',
    '+002026-03-25T04:12:11Z',
    '٢٠٢٦-03-25T04:12:11Z',
    'infinity',
    'Wed, 25 Mar 2026 04:12:11 GMT',
    '1774411931000',
  ])('does not guess at %j', (text) => {
    expect(parseTime(text)).toBeNull();
  });

  it('reads every instant in every zone as the same', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2e12, max: 2.5e14 }),
        fc.integer({ min: -15 * 60, max: 15 * 60 }),
        (ms, offset) => {
          const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
          const two = (value: number) => String(value).padStart(2, '0');
          const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
          expect(parseTime(`${local}${zone}`)).toBeCloseTo(ms, 3);
          expect(parseTime(local)).toBeNull();
        },
      ),
    );
  });

  it('answers null for any other text, and never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseTime(text) === null));
  });

  it.each(['UTC', 'Asia/Seoul', 'America/Los_Angeles'])('does not care about the zone of the process: %s', (zone) => {
    const source = readFileSync(path.resolve(__dirname, '../../src/domain/time.ts'), 'utf8');
    const { code } = transformSync(source, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    });
    const ask = `${code}
      const texts = ['2026-03-25 04:12:11.123456+00', '2026-03-25T13:12:11+09:00', '2026-03-25T04:12:11', '2026-03-25 04:12:11'];
      process.stdout.write(JSON.stringify([new Date(2026, 0, 1).getTimezoneOffset(), texts.map(exports.parseTime)]));`;
    const answer = execFileSync(process.execPath, ['-e', `const exports = {}; ${ask.replace('"use strict";', '')}`], {
      env: { TZ: zone },
      encoding: 'utf8',
    });
    const [offset, times] = JSON.parse(answer) as [number, (number | null)[]];
    expect(offset).toBe({ UTC: 0, 'Asia/Seoul': -540, 'America/Los_Angeles': 480 }[zone]);
    expect(times).toEqual([AT + 123.456, AT, null, null]);
  });
});
