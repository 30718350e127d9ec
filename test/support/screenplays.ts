import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Screenplays that tests read; all original. */
const EXAMPLES = path.join(__dirname, '../../examples');

export const LIGHTHOUSE = readFileSync(path.join(EXAMPLES, 'lighthouse.fountain'), 'utf8');
export const NIGHT_BUS = readFileSync(path.join(EXAMPLES, 'night-bus-ko.fountain'), 'utf8');

/** A Korean webtoon script: bracketed headings, panels, three kinds of quotes, inner thought, sounds, narration, emoji. */
export const WEBTOON = `제목: 고양이 세무사
회차: 3화 "영수증"
톤: 개그

[장면 1] 실내. 좁은 사무실 - 아침 ☕
컷 1: 햇살. 책상 위에 영수증이 산처럼 쌓여 있다.
컷 2: 넥타이를 맨 '나비'(5)가 안경을 고쳐 쓴다.
나비: "올해는… 봐주지 않겠습니다." 😼
의뢰인 '두식'(41): 「저, 고양이 맞으시죠?」
두식(속마음): '고양이가 세무사 자격증을… *진짜로*?'
효과음: 착착착

[장면 2] 실외. 골목 - 밤 🌙
컷 1: 자판기가 혼자 중얼거린다. 효과음: 위잉—
자판기(말풍선): “동전은 공제가 안 돼.”
나비: "누가 그래요?"
내레이션: 그날 밤 자판기는 신고서를 냈다.
작가의 말: 다음 화 휴재! 🇰🇷
`;

/** A long screenplay: as many scenes as asked for, each with a place of ten, some long, some of one line. */
export function manyScenes(count: number): string {
  const places = ['QUAY', 'MILL', 'CHAPEL', 'ORCHARD', 'BAKERY', 'BRIDGE', 'CELLAR', 'ATTIC', 'SQUARE', 'GARDEN'];
  const times = ['DAWN', 'MORNING', 'DAY', 'DUSK', 'NIGHT'];
  const scenes = Array.from({ length: count }, (_, at) => {
    const heading = `${at % 2 === 0 ? 'INT' : 'EXT'}. ${places[at % places.length]!} - ${times[at % times.length]!}`;
    const talk =
      at % 4 === 0
        ? ''
        : Array.from(
            { length: (at % 4) * 3 },
            (_line, line) =>
              `${line % 2 === 0 ? 'MARA' : 'JOON'}\nLine ${line} of talk number ${at}, and is it enough?\n\n`,
          ).join('');
    return `${heading}\n\nMara (30) carries crate ${at} past the bell.\n\n${talk}`;
  });
  return `Title: Many Scenes\n\n${scenes.join('')}`;
}
