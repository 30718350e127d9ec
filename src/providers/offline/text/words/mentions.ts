/** Whether letters of a script have capitals; where they have none, words are not parted by blanks alone (하람이, 하람의). */
export function hasCase(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}

/** Where a name or word stands in a text, or -1: whole words in scripts with capitals (without regard to case), else anywhere. */
export function mentionAt(text: string, name: string): number {
  if (name === '') return -1;
  if (!hasCase(name)) return text.indexOf(name);
  const lower = text.toLowerCase();
  const wanted = name.toLowerCase();
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
    if (!isLetter(lower[at - 1]) && !isLetter(lower[at + wanted.length])) return at;
  return -1;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
