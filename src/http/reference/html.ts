const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is known to be whole; anything else becomes text (cases C48). */
export class Html {
  constructor(readonly text: string) {}
}

/** A template whose values are escaped, unless they are Html themselves; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1]) + part));
}

function textOf(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value === undefined || value === null || value === false) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
