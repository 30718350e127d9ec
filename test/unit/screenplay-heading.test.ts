import { readHeading } from '../../src/pipeline/screenplay/heading';
import { readSetting } from '../../src/pipeline/screenplay/setting';

describe('readHeading', () => {
  it.each([
    ['INT. KITCHEN - DAY', 'INT. KITCHEN - DAY', undefined],
    ['int. kitchen - day', 'int. kitchen - day', undefined],
    ['EXT HARBOUR NIGHT', 'EXT HARBOUR NIGHT', undefined],
    ['INT./EXT. CAR - DAY', 'INT./EXT. CAR - DAY', undefined],
    ['I/E. CAR - DAY', 'I/E. CAR - DAY', undefined],
    ['INT. KITCHEN - DAY #12A#', 'INT. KITCHEN - DAY', '12A'],
    ['12. INT. KITCHEN - DAY 12', 'INT. KITCHEN - DAY', '12'],
    ['.BINOCULARS POV', 'BINOCULARS POV', undefined],
    ['[장면 1] 실외. 옥상 - 저녁 🌆', '실외. 옥상 - 저녁 🌆', '1'],
    ['씬 3. 학교 복도 (낮)', '학교 복도 (낮)', '3'],
    ['S#12. 병원 앞 / 밤', '병원 앞 / 밤', '12'],
    ['#4. 옥상 (밤)', '옥상 (밤)', '4'],
    ['場面1 屋上(夜)', '屋上(夜)', '1'],
    ['○屋上(夜)', '屋上(夜)', undefined],
    ['第3場 港', '港', '3'],
    ['Scene 3 - The Cellar, night', 'The Cellar, night', '3'],
    ['SZENE 4: INNEN. KÜCHE - NACHT', 'INNEN. KÜCHE - NACHT', '4'],
    ['INNEN. KÜCHE - NACHT', 'INNEN. KÜCHE - NACHT', undefined],
    ['**INT. KITCHEN - DAY**', 'INT. KITCHEN - DAY', undefined],
  ])('takes %s as a heading without its number', (line, heading, number) => {
    expect(readHeading(line, true)).toMatchObject({
      heading,
      bare: false,
      ...(number === undefined ? {} : { number }),
    });
  });

  it.each([
    'Interior monologue is hard to draw.',
    'int main(void)',
    'Extra salt, please.',
    'Scene 3 was the worst of all.',
    '...and then he fell.',
    '# PART 1',
    'Estimated time: two hours.',
    'The INT. of the ship.',
  ])('leaves prose alone: %s', (line) => expect(readHeading(line, true)).toBeNull());

  it('asks for a blank line before a slug, so that a line within action is action', () => {
    expect(readHeading('INT. KITCHEN - DAY', false)).toBeNull();
  });
});

describe('readSetting', () => {
  it.each([
    ['INT. NOTARY OFFICE - MORNING', 'INT', 'NOTARY OFFICE', 'morning'],
    ['EXT. BEACH - BEFORE DAWN', 'EXT', 'BEACH', 'dawn'],
    ['INT. RENN HOUSE, KITCHEN - NIGHT', 'INT', 'RENN HOUSE, KITCHEN', 'night'],
    ['INT. HOUSE - KITCHEN - NIGHT', 'INT', 'HOUSE - KITCHEN', 'night'],
    ['INT. HOUSE - KITCHEN', 'INT', 'HOUSE - KITCHEN', ''],
    ['EXT. NIGHT MARKET', 'EXT', 'NIGHT MARKET', ''],
    ['INT. KITCHEN NIGHT', 'INT', 'KITCHEN', 'night'],
    ['INT. KITCHEN. NIGHT', 'INT', 'KITCHEN', 'night'],
    ['INT./EXT. CAR — DAY', 'INT/EXT', 'CAR', 'day'],
    ['INNEN. KÜCHE - NACHT', 'INT', 'KÜCHE', 'night'],
    ['AUSSEN. HAFEN - ABENDDÄMMERUNG', 'EXT', 'HAFEN', 'dusk'],
    ['INT. CUISINE - SOIRÉE', 'INT', 'CUISINE', 'evening'],
    ['EXT. PLAYA - MAÑANA', 'EXT', 'PLAYA', 'morning'],
    ['실외. 낡은 상가 옥상 - 저녁 🌆', 'EXT', '낡은 상가 옥상', 'evening'],
    ['실내. 우체국 - 한밤중', 'INT', '우체국', 'night'],
    ['학교 복도 (낮)', 'UNKNOWN', '학교 복도', 'day'],
    ['屋外. 港 - 夜明け', 'EXT', '港', 'dawn'],
    ['屋上(夜)', 'UNKNOWN', '屋上', 'night'],
    ['INT. TELEPHONE BOX - CONTINUOUS', 'INT', 'TELEPHONE BOX', ''],
  ])('reads %s', (heading, interior, place, timeOfDay) => {
    expect(readSetting(heading)).toMatchObject({ interior, place, timeOfDay });
  });
});
