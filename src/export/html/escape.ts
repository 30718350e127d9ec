const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as text, in elements and in quoted attributes (case C48). Control characters, which HTML cannot hold, are left out. */
export function escapeHtml(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Markup that is safe by construction: only made by the `html` tag, so that raw text cannot be taken for it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Puts values into a template: text is escaped, markup and lists of markup are kept, nothing comes of undefined or false. */
export function html(
  template: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[] | undefined | false)[]
): Markup {
  return new Markup(
    template.reduce((result, part, index) => result + part + (index < values.length ? render(values[index]) : ''), ''),
  );
}

function render(value: string | number | Markup | readonly Markup[] | undefined | false): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(({ text }) => text).join('');
}
