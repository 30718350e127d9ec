/** A line of the form `LABEL: text`, as webtoon scripts and stage plays have it. */
export interface LabelLine {
  readonly speaker: string;
  /** What stands in brackets behind the name: how it is said. */
  readonly parenthetical?: string;
  readonly text: string;
  readonly quoted: boolean;
  readonly capitals: boolean;
}

const QUOTES = /^["'“”‘’「『《«„‹｢〝]/u;

/** Labels that are no people: panels, sounds, narration, remarks. Their lines are action. */
const NO_SPEAKER =
  /^(?:컷|패널|panel|cut|コマ|カット|格|컷트|scene|장면|효과음|음향|사운드|bgm|sfx|fx|se|sound|sound effect|effet|効果音|音响|音效|내레이션|나레이션|해설|지문|자막|narration|narrator|erzähler|narrateur|narrador|ナレーション|モノローグ|旁白|字幕|caption|title|super|text|작가의 말|작가 주|메모|비고|note|notes|author'?s note|배경|시간|장소|등장인물|장소\/시간|time|place|setting|characters|music|음악|camera|카메라|연출)(?:\s*\d{1,3})?$/iu;

/** `컷 3:`, `Panel 2.` and the like at the start of a line: only a counter, which the action does not need. */
const PANEL = /^(?:컷|패널|panel|cut|コマ|カット|格)\s*#?\d{1,3}\s*[:：.)]\s*/iu;

const PATTERN = /^(?<label>[^:：\n"“「『]{1,60}?)\s*[:：]\s*(?<text>\S.*)$/u;

/** Reads a line as spoken by someone, or null. Whether an unquoted one really is dialogue, the caller judges by how often the label stands. */
export function readLabelLine(line: string): LabelLine | null {
  const match = PATTERN.exec(line.trim());
  if (!match?.groups) return null;
  const { label, text } = match.groups as { label: string; text: string };
  const { name, parenthetical } = readSpeaker(label);
  const bare = label.replace(/[(（][^()（）]*[)）]/gu, '').trim();
  if (
    name === '' ||
    NO_SPEAKER.test(bare) ||
    NO_SPEAKER.test(name) ||
    /^\d|\d$/.test(name) ||
    /[.!?。…]/u.test(name.replace(/^(?:dr|mr|mrs|ms|st)\./iu, ''))
  )
    return null;
  if (name.split(/\s+/).length > 4) return null;
  const letters = name.replace(/[^\p{L}]/gu, '');
  if (letters === '') return null;
  return {
    speaker: name,
    ...(parenthetical === '' ? {} : { parenthetical }),
    text: text.trim(),
    quoted: QUOTES.test(text.trim()),
    capitals: letters === letters.toUpperCase() && letters !== letters.toLowerCase(),
  };
}

/** Whether the line is a panel, a sound or a narration: labelled, and nobody's speech. */
export function isStageLabel(line: string): boolean {
  const label = /^([^:：\n]{1,30})[:：]/u.exec(line.trim());
  return PANEL.test(line.trim()) || (label !== null && NO_SPEAKER.test(label[1]!.trim()));
}

export function withoutPanel(line: string): string {
  return line.trim().replace(PANEL, '');
}

/**
 * The name in front of a colon or of a cue: a quoted name wins (`국장 '모란'(나이 불명)` is 모란), brackets say how or how old,
 * and go to the parenthetical.
 */
export function readSpeaker(label: string): { name: string; parenthetical: string } {
  const remarks = [...label.matchAll(/[(（]([^()（）]*)[)）]/gu)].map((match) => match[1]!.trim());
  const plain = label
    .replace(/[(（][^()（）]*[)）]/gu, ' ')
    .replace(/\^\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const quoted = /['"‘’“”「『]([^'"‘’“”「」『』]{1,30})['"‘’“”」』]/u.exec(plain);
  const name = (quoted ? quoted[1]! : plain).replace(/^[@*_\s-]+|[*_\s:：-]+$/gu, '').trim();
  return {
    name,
    parenthetical: remarks
      .filter((remark) => remark !== '' && !/^cont(?:'|’)?d\.?$|^계속$|^나이 불명$|^\d+세?$/iu.test(remark))
      .join(', '),
  };
}
