import type { RejectionCode, WarningCode } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { Visit } from './page';

export function badge(tone: string, text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A library sentence in the language of the page, or marked as English without a translation. */
export function said({ language }: Pick<Visit, 'language'>, sentence: string): Content {
  return language.speaks(sentence) ? language.ofLibrary(sentence) : html`<span lang="en">${sentence}</span>`;
}

/** A sentence of a declaration: in English, with code in backticks. */
export function declared(sentence: string): Html {
  const parts = sentence.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`<span lang="en">${parts}</span>`;
}

/** The cause of a rejection or warning in words, with its code for authors of connectors. */
export function reasonOf({ language: { texts } }: Pick<Visit, 'language'>, code: RejectionCode | WarningCode): Html {
  const words: Readonly<Record<string, string>> = { ...texts.why.rejections, ...texts.why.warnings };
  return html`${words[code] ?? null} <code class="faint">${code}</code>`;
}

/** A moment: relative, with the exact time as a tooltip. */
export function moment({ language, now }: Visit, time: string | null): Content {
  if (time === null) return language.texts.never;
  return html`<time datetime="${time}" title="${time.slice(0, 19).replace('T', ' ')} UTC"
    >${language.relative(time, now)}</time
  >`;
}

/** A moment that must be exact, in UTC. */
export function exactMoment(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

export interface Column<Row> {
  title: Content;
  /** The title on a phone, where rows are cards; needed when `title` is not a text. */
  label?: string;
  value(row: Row): Content;
  /** Figures are aligned to the right. */
  isFigure?: boolean;
  /** For `aria-sort`. */
  sorted?: 'ascending' | 'descending';
}

function labelOf<Row>({ title, label }: Column<Row>): string {
  return label ?? (typeof title === 'string' ? title : '');
}

/** A table that scrolls when it is wider than the window, and has a card per row on a phone; without rows, the text `nothing`. */
export function table<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[], nothing: string): Html {
  if (rows.length === 0) return html`<p class="faint">${nothing}</p>`;
  const figure = (column: Column<Row>): Content => (column.isFigure === true ? html`class="figure"` : null);
  return html`<div class="scrolls" role="region" aria-label="${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(
            (column) =>
              html`<th
                scope="col"
                ${figure(column)}
                ${column.sorted === undefined ? null : html`aria-sort="${column.sorted}"`}
              >
                ${column.title}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column) => html`<td ${figure(column)} data-label="${labelOf(column)}">${column.value(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Names with their values; null values are left out. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
    ${entries
      .filter(([, value]) => value !== null)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

export function section(title: string, body: Content): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`;
}

/** The most important notice of a page. `tone` is `good`, `warn` or `bad`. */
export function notice(tone: string, body: Content): Html {
  return html`<p class="notice ${tone}" role="status">${body}</p>`;
}

export function gatewayPath({ crm, client }: { crm: string; client: string }): string {
  return `/gateways/${encodeURIComponent(crm)}/${encodeURIComponent(client)}`;
}

/** A link to the gateway. */
export function gatewayLink(gateway: { crm: string; client: string }): Html {
  return html`<a href="${gatewayPath(gateway)}">${gateway.crm}/${gateway.client}</a>`;
}
