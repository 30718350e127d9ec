/** Cuts a text for Temporal's history at 300 characters, never inside a surrogate pair (cases C38). */
export function shorten(text: string, limit = 300): string {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
