/** A piece of a page: text that is HTML already. */
export class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

type Part = string | number | Html | readonly Part[];

/** Makes HTML; what is put in as a text is escaped. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? rendered(parts[index] ?? '') : '')).join(''),
  );
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(rendered).join('');
  return String(part).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** One line of prose, in which backticks mark code. */
export function line(text: string): Html {
  return markup`${text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

/** The same of several paragraphs. */
export function paragraphs(text: string): Html {
  return markup`${text.split('\n\n').map((one) => markup`<p>${line(one.replace(/\n/g, ' '))}</p> `)}`;
}

/** A table, of which a narrow screen shows each row as a block of named cells. */
export function table(head: readonly string[], rows: readonly (readonly Part[])[]): Html {
  const row = (cells: readonly Part[]): Html =>
    markup`<tr>
      ${cells.map((cell, at) => markup`<td data-label="${head[at] ?? ''}"><div>${cell}</div></td>`)}
    </tr> `;
  return markup`<table>
    <thead>
      <tr>
        ${head.map((name) => markup`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(row)}
    </tbody>
  </table> `;
}

/** Links that stand side by side, each large enough for a finger. */
export function links(targets: readonly { to: string; text: string }[]): Html {
  return markup`<span class="links">${targets.map(({ to, text }) => markup`<a href="#${to}">${text}</a> `)}</span>`;
}

/** What can be opened: a title that is always there, and what belongs to it. */
export function folded(title: string, body: Part): Html {
  return markup`<details>
    <summary>${title}</summary>
    ${body}
  </details> `;
}

/** Text of a program or of an answer, as it is. */
export function code(text: string, language: string): Html {
  return markup`<pre data-language="${language}" tabindex="0">${text}</pre>`;
}
