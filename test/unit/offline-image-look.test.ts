import { lookOf } from '../../src/providers/offline/artist/figure/look';
import { placeKind } from '../../src/providers/offline/artist/place-kind';
import { weatherOf } from '../../src/providers/offline/artist/weather';

describe('how the artist reads words', () => {
  it('gives a person one look for every spelling of the name', () => {
    const look = lookOf('Margit', 'cardigan');
    expect(lookOf('MARGIT', 'cardigan')).toEqual(look);
    expect(lookOf('MARGIT (V.O.)', 'cardigan')).toEqual(look);
    expect(lookOf('하람'.normalize('NFD'), '')).toEqual(lookOf('하람', ''));
  });

  it('takes the age from the description, and does not take "19 years old" for old', () => {
    expect(lookOf('X', '19 years old')).toMatchObject({ old: false, beard: 'none' });
    expect(lookOf('X', '61 years old')).toMatchObject({ old: true });
    expect(lookOf('X', 'an old man')).toMatchObject({ old: true });
    expect(lookOf('X', '9 years old').stature).toBeLessThan(0.8);
  });

  it('wears what the description says, and keeps the other traits of the name', () => {
    const plain = lookOf('Ada', '');
    expect(lookOf('Ada', 'tied-back hair, broad shoulders, a work apron')).toMatchObject({
      hair: 'ponytail',
      garment: 'apron',
      skin: plain.skin,
      top: plain.top,
    });
    expect(lookOf('Ada', 'white hair in a knot, a dark suit')).toMatchObject({
      hair: 'bun',
      hairColour: '#cfccc5',
      garment: 'jacket',
    });
  });

  it('draws who is no person as what it is', () => {
    expect(lookOf('우체통', '').kind).toBe('mailbox');
    expect(lookOf('Robot 7', '').kind).toBe('robot');
    expect(lookOf('Catherine', '').kind).toBe('human');
  });

  it.each([
    ['NOTARY OFFICE', 'INT', 'office'],
    ['옥상 우체국', 'INT', 'post_office'],
    ['낡은 상가 옥상', 'EXT', 'rooftop'],
    ['골목길', 'EXT', 'alley'],
    ['TRAM STOP', 'EXT', 'station'],
    ['RENN HOUSE, KITCHEN', 'INT', 'kitchen'],
    ['LIGHTHOUSE, STAIRS', 'INT', 'stairs'],
    ['SEA FLOOR', 'EXT', 'underwater'],
    ['BUS', 'INT', 'vehicle'],
    ['港', 'EXT', 'harbour'],
  ])('sees what kind of place %s is', (place, interior, kind) => {
    expect(placeKind(place, '', interior)).toBe(kind);
  });

  it('chooses the same kind each time for a place that no word tells', () => {
    expect(placeKind('Qqq', '', 'EXT')).toBe(placeKind('Qqq', '', 'EXT'));
  });

  it('sees rain only where it rains: 비 within another word is none', () => {
    expect(weatherOf('비. 하람이 달린다.')).toBe('rain');
    expect(weatherOf('비밀을 말한다')).toBe('clear');
    expect(weatherOf('두 눈을 감는다')).toBe('clear');
    expect(weatherOf('눈이 내린다')).toBe('snow');
    expect(weatherOf('a brain in training')).toBe('clear');
  });
});
