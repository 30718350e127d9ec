import { AppError } from '../../src/domain/errors';
import { episodeIdOfFile } from '../../src/cli/episode-name';
import { exitOfError, exitOfState } from '../../src/cli/exit-codes';
import { age, money, span } from '../../src/cli/figures';
import { dollarAmount, itemChoice, stepList } from '../../src/cli/option-values';
import { shownPath } from '../../src/cli/run/shown-path';
import { exampleScreenplay } from '../../src/cli/run/example';
import { ID_PATTERN } from '../../src/domain/ids';
import fs from 'node:fs';

describe('the episode of a file', () => {
  test.each([
    ['scripts/pilot.fountain', 'pilot'],
    ['01_two_scenes.fountain', '01_two_scenes'],
    ['pilot', 'pilot'],
  ])('%s is %s', (file, id) => expect(episodeIdOfFile(file)).toBe(id));

  test('a name that is no id becomes one that is always the same, composed or decomposed', () => {
    const id = episodeIdOfFile('대본/우체통.txt');
    expect(id).toMatch(/^ep-[0-9a-f]{12}$/);
    expect(episodeIdOfFile('elsewhere/우체통.fountain'.normalize('NFD'))).toBe(id);
    expect(episodeIdOfFile('다른.txt')).not.toBe(id);
  });

  test.each(['a b.txt', '.fountain', `${'x'.repeat(65)}.txt`, '-x.txt'])(
    '%s gets an id that fits the pattern',
    (file) => expect(episodeIdOfFile(file)).toMatch(ID_PATTERN),
  );
});

test.each([
  ['done', 0],
  ['failed', 1],
  ['blocked', 3],
  ['cancelled', 4],
  ['partial', 5],
] as const)('a run that ends %s exits with %i', (state, code) => expect(exitOfState(state)).toBe(code));

test.each([
  ['run.already_running', 3],
  ['plan.outdated', 3],
  ['step.owner_alive', 3],
  ['step.unknown', 2],
  ['config.invalid', 2],
  ['screenplay.empty', 2],
  ['stack.not_running', 2],
  ['episode.unknown', 1],
  ['db.unavailable', 1],
  ['internal.unexpected', 1],
] as const)('the error %s exits with %i', (code, exit) => expect(exitOfError(new AppError(code, 'x'))).toBe(exit));

test('steps and items add up over repeated options, each once', () => {
  expect(stepList('scene_detail,world_guide', ['scene_detail'])).toEqual(['scene_detail', 'world_guide']);
  const first = itemChoice('scene_image_pipeline:s1,scene_image_pipeline:s2');
  expect(itemChoice('scene_image_pipeline:s2,scene_detail:s9', first)).toEqual({
    scene_image_pipeline: ['s1', 's2'],
    scene_detail: ['s9'],
  });
  expect(first).toEqual({ scene_image_pipeline: ['s1', 's2'] });
});

test('an item may hold colons', () => {
  expect(itemChoice('scene_detail:a:b')).toEqual({ scene_detail: ['a:b'] });
});

test.each([
  ['0', 0],
  ['12.50', 12.5],
  ['$3', 3],
])('%s are dollars', (text, usd) => expect(dollarAmount(text)).toBe(usd));
test.each(['', '-1', '1e3', 'NaN', 'Infinity', '1,5', '0x10'])('%j are none', (text) =>
  expect(() => dollarAmount(text)).toThrow('US dollars'),
);

test('figures for people', () => {
  expect([0, 0.004, 1.005, 1234].map(money)).toEqual(['$0.00', '$0.0040', '$1.00', '$1234.00']);
  expect([0, 59.4, 60, 3_599, 7_500, 273_600].map(span)).toEqual(['0s', '59s', '1m00s', '59m59s', '2h05m', '3d4h']);
  expect(age('2026-03-25 13:12:11+09:00', '2026-03-25T04:12:41.000000Z')).toBe('30s');
  expect([age(null, 'x'), age('2026-03-25T04:12:11', '2026-03-25T04:12:41Z')]).toEqual(['-', '?']);
});

test('paths inside the working directory are shown from there, others from the root', () => {
  expect(shownPath('/w/p/.callsheet/a.html', '/w/p')).toBe('.callsheet/a.html');
  expect(shownPath('/w/other/a.html', '/w/p')).toBe('/w/other/a.html');
  expect(shownPath('/w/p/..odd/a.html', '/w/p')).toBe('..odd/a.html');
});

test('the example that runs without a file is in the package', () => {
  expect(fs.existsSync(exampleScreenplay())).toBe(true);
});
