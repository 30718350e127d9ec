import type { ContactSheetInput } from './input';

/** The labels of a sheet in one language. */
export interface Words {
  readonly scenes: string;
  readonly shots: (shots: number, drawn: number, off: number) => string;
  readonly cost: string;
  readonly shot: string;
  readonly off: string;
  readonly noImage: string;
  readonly edited: string;
  readonly prompt: string;
  readonly places: string;
  readonly floorPlan: string;
  readonly cast: string;
  readonly unreadable: string;
  readonly copyHint: string;
}

const ENGLISH: Words = {
  scenes: 'Scenes',
  shots: (shots, drawn, off) =>
    `${shots} ${shots === 1 ? 'shot' : 'shots'}, ${drawn} drawn${off > 0 ? `, ${off} switched off` : ''}`,
  cost: 'Cost',
  shot: 'Shot',
  off: 'switched off',
  noImage: 'No image',
  edited: 'Edited',
  prompt: 'Prompt',
  places: 'Places',
  floorPlan: 'floor plan',
  cast: 'Cast',
  unreadable: 'the image file cannot be read',
  copyHint: 'To draw a shot again, copy the command below it.',
};

const KOREAN: Words = {
  scenes: '장면',
  shots: (shots, drawn, off) => `숏 ${shots}개, 그림 ${drawn}장${off > 0 ? `, 꺼짐 ${off}개` : ''}`,
  cost: '비용',
  shot: '숏',
  off: '꺼짐',
  noImage: '그림 없음',
  edited: '수정됨',
  prompt: '프롬프트',
  places: '장소',
  floorPlan: '평면도',
  cast: '등장인물',
  unreadable: '그림 파일을 읽을 수 없음',
  copyHint: '숏을 다시 그리려면 아래 명령을 복사하세요.',
};

export function wordsFor({ language }: Pick<ContactSheetInput, 'language'>): Words {
  return /^ko\b/i.test(language) ? KOREAN : ENGLISH;
}

/** US dollars; small sums with as many digits as they need. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2)}`;
}
