import { actionsOf, isSpeech, sentencesOf, type StoryScene } from './story';
import { hasCase, mentionAt } from './words/mentions';

/** Someone who is seen. */
export interface CastMember {
  readonly name: string;
  readonly aliases: readonly string[];
  /** As the text gives it; null where it does not. */
  readonly ageYears: number | null;
  /** What the text says of them where it introduces them; '' where it does not. */
  readonly introduction: string;
}

interface Introduction {
  readonly fullName: string;
  readonly ageYears: number | null;
  readonly words: string;
}

const NOBODY =
  /^(all|both|everyone|everybody|crowd|voices?|together|narrator|narration|alle|tous|todos|모두|다같이|일동|전원|全員|みんな)$/iu;
const UNSEEN =
  /\b(v\.?\s?o\.?|o\.?\s?s\.?|o\.?\s?c\.?|voice ?over|off ?screen|on (?:the )?(?:radio|phone)|filtered|aus dem off|hors champ)(?![\p{L}])|목소리만|화면 밖|전화 너머|무전/iu;

/** Whether a line is heard and its speaker not in the picture. */
export function isUnseen(how: string | undefined): boolean {
  return how !== undefined && UNSEEN.test(how);
}

/** How a line is said, without the marks that say only that its speaker is not seen, or that a pause comes first. */
export function mannerOf(how: string | undefined): string {
  return (how ?? '')
    .split(/\s*,\s*/)
    .filter((part) => part !== '' && !UNSEEN.test(part) && !/^(?:a )?(?:beat|pause)$/iu.test(part))
    .join(', ');
}

/** Everyone who is seen, once each, in order of first appearance: who speaks in the picture, and who is introduced with an age. */
export function castOf(scenes: readonly StoryScene[]): CastMember[] {
  const introductions = scenes.flatMap((scene) => actionsOf(scene).flatMap(introductionsIn));
  const names = new Map<string, string>();
  const add = (name: string): void => void (names.has(name.toLowerCase()) || names.set(name.toLowerCase(), name));
  const actions = scenes.flatMap(actionsOf).join('\n');
  for (const scene of scenes)
    for (const line of scene.text) {
      if (isSpeech(line)) {
        if (
          !isJoint(line.speaker, names) &&
          !NOBODY.test(line.speaker) &&
          (!isUnseen(line.how) || mentionAt(actions, line.speaker) >= 0)
        )
          add(line.speaker);
        continue;
      }
      for (const { fullName } of introductionsIn(line.action)) add(speakerOf(fullName, scenes) ?? fullName);
    }
  return [...names.values()].map((name) => describe(name, introductions, actions));
}

/** `MARGIT AND TEO`: two people who are there already. */
function isJoint(speaker: string, names: ReadonlyMap<string, string>): boolean {
  const parts = speaker.split(/\s+(?:and|und|et|y|&|\+)\s+|\s*[/,&]\s*/iu);
  return parts.length > 1 && parts.every((part) => names.has(part.toLowerCase()));
}

/** The name that dialogue uses of someone introduced with the full one. */
function speakerOf(fullName: string, scenes: readonly StoryScene[]): string | undefined {
  return scenes.flatMap((scene) => scene.text.filter(isSpeech)).find((line) => isPartOf(line.speaker, fullName))
    ?.speaker;
}

/** MARGIT is MARGIT OSSE, and the NURSE is not NURSE ABELA's namesake: a first or last word, or the whole. */
function isPartOf(name: string, fullName: string): boolean {
  const [short, full] = [name.toLowerCase(), fullName.toLowerCase()];
  return short === full || full.startsWith(`${short} `) || full.endsWith(` ${short}`);
}

function describe(name: string, introductions: readonly Introduction[], actions: string): CastMember {
  const own = introductions.filter((one) => isPartOf(name, one.fullName));
  const aliases = new Set(own.map((one) => one.fullName).filter((fullName) => fullName !== name));
  if (hasCase(name))
    for (const match of actions.matchAll(CAPITALS))
      if (match[0] !== name && isPartOf(name, match[0])) aliases.add(match[0]);
  return {
    name,
    aliases: [...aliases].slice(0, 4),
    ageYears: own.find((one) => one.ageYears !== null)?.ageYears ?? null,
    introduction: own.find((one) => one.words !== '')?.words ?? '',
  };
}

const CAPITALS = /(?<![\p{L}])\p{Lu}[\p{Lu}'’-]+(?:\s+\p{Lu}[\p{Lu}'’-]+){1,2}(?![\p{L}])/gu;
const INTRODUCED =
  /(?<![\p{L}])(\p{Lu}[\p{Lu}'’-]+(?:\s+\p{Lu}[\p{Lu}'’-]+){0,2})\s*(?:[(（]\s*(\d{1,3})?[^()（）]{0,30}[)）]|,\s*(\d{1,3})(?!\d))/gu;
const INTRODUCED_CASELESS =
  /['‘“「『]([^\s'’”」』]{1,10})['’”」』]\s*[(（]\s*(?:(\d{1,3})\s*세?|[^()（）]{1,12})[)）]/gu;

function introductionsIn(action: string): Introduction[] {
  return sentencesOf(action).flatMap((sentence) => [
    ...found(sentence, INTRODUCED),
    ...found(sentence, INTRODUCED_CASELESS),
  ]);
}

function found(sentence: string, pattern: RegExp): Introduction[] {
  return [...sentence.matchAll(pattern)].map((match) => {
    const age = match[2] ?? match[3];
    const before = sentence.slice(0, match.index).trim();
    const after = sentence.slice(match.index + match[0].length);
    return {
      fullName: match[1]!,
      ageYears: age === undefined ? null : Number(age),
      words: [roleBefore(before), appositiveAfter(after)].filter(Boolean).join(', '),
    };
  });
}

/** `the notary TEO LARK`, `배달 가방을 멘 '하람'`: what stands before the name, if it belongs to it. */
function roleBefore(before: string): string {
  const article = /(?:^|[\s,])(?:the|an?|der|die|das|le|la|el)\s+((?:\p{Ll}[\p{Ll}-]*\s?){1,3})$/iu.exec(before);
  if (article) return article[1]!.trim();
  return before !== '' && !hasCase(before) && before.length <= 30 ? before.replace(/[,，、]$/u, '') : '';
}

/** `(58), cardigan buttoned wrong, sets …`: what stands between two commas behind the name. */
function appositiveAfter(after: string): string {
  const match = /^\s*[,，]\s*([^,，.!?]{3,50})[,，]/u.exec(after);
  return match ? match[1]!.trim() : '';
}
