function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The JSON of a model's answer (cases C24). The rule: an answer that is JSON stays as it is, byte for byte; else, if the text
 * from the first line that opens a fence to the last line that closes one is JSON, that; else the answer as it is. Nothing is
 * ever repaired: two objects, or a comma too many, is an answer that cannot be used.
 */
export function stripFence(text: string): string {
  if (isJson(text)) return text;
  const fenced = /^[ \t]*```(?:json)?[ \t]*\r?\n([\s\S]*)\r?\n[ \t]*```[ \t]*$/im.exec(text)?.[1];
  return fenced !== undefined && isJson(fenced) ? fenced : text;
}
