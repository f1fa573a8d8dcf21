/** A piece of a page: text that is already HTML. */
export class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** Content of a page; null renders nothing. */
export type Content = string | number | Html | null | readonly Content[];

/** Builds HTML. Escapes texts, for use in elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < contents.length ? rendered(contents[index] ?? null) : '')).join(''),
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function rendered(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.toString();
  if (typeof content === 'object') return content.map(rendered).join('');
  return String(content).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
