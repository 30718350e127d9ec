import type { Json } from '../../../domain/json';

/** A scene as requests show it. */
export interface StoryScene {
  readonly scene?: string;
  readonly heading: string;
  readonly place: string;
  readonly interior: 'INT' | 'EXT' | 'INT/EXT' | 'UNKNOWN';
  readonly time_of_day: string;
  readonly text: readonly StoryLine[];
}

export type StoryLine =
  { readonly action: string } | { readonly speaker: string; readonly says: string; readonly how?: string };

export function isSpeech(line: StoryLine): line is Extract<StoryLine, { speaker: string }> {
  return 'speaker' in line;
}

export function actionsOf(scene: StoryScene): string[] {
  return scene.text.flatMap((line) => (isSpeech(line) ? [] : [line.action]));
}

/** Sentences with their end marks; a line break ends one, too. */
export function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?。！？\n]+(?:[.!?。！？…]+["'”’」』)]*)?/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** At most `limit` characters (code points), cut between words. */
export function shorten(text: string, limit: number): string {
  const one = text.replace(/\s+/g, ' ').trim();
  const characters = [...one];
  if (characters.length <= limit) return one;
  const cut = characters.slice(0, limit - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** As many whole sentences as fit, at least a shortened first one. */
export function leadingSentences(text: string, limit: number): string {
  let taken = '';
  for (const sentence of sentencesOf(text)) {
    const longer = taken === '' ? sentence : `${taken} ${sentence}`;
    if ([...longer].length > limit) break;
    taken = longer;
  }
  return taken === '' ? shorten(text, limit) : taken;
}

/** A note to readers of the script, which nobody draws. */
export function isRemark(action: string): boolean {
  return /^(?:작가의 말|작가 주|메모|비고|note|notes|author'?s note)\s*[:：]/iu.test(action);
}

/** What a narrator says, or null for other action. */
export function narrationIn(action: string): { speaker: string; says: string } | null {
  const match =
    /^(내레이션|나레이션|해설|narration|narrator|erzähler|narrateur|narrador|ナレーション|旁白|자막)\s*[:：]\s*(\S[\s\S]*)$/iu.exec(
      action,
    );
  return match ? { speaker: match[1]!, says: match[2]! } : null;
}

/** Reads a request's input as the shape that the pipeline sends. */
export function inputAs<T>(input: Json): T {
  return input as unknown as T;
}
