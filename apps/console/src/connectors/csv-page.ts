import { type Html, html } from '@passerelle/html';
import { badge, gatewayLink, notice, said, table } from '../layout/elements';
import { csrfField, page, type Visit } from '../layout/page';

/** A line of the file, with its result or expected result. */
export interface CheckedLine {
  line: number;
  crm: string;
  client: string;
  /** Without its secrets. */
  source: string;
  problems: readonly { column: string | null; problem: string }[];
  key: string | null;
}

export interface CsvForm {
  csv: string;
  problem?: string;
  checked?: readonly CheckedLine[];
  isDone?: boolean;
}

/** The page for the CSV: first a field, then the expected result of each line, then the keys. */
export function csvPage(visit: Visit, { csv, problem, checked, isDone = false }: CsvForm): string {
  const { csvs } = visit.language.texts;
  const good = checked?.filter(({ problems }) => problems.length === 0).length ?? 0;
  const form = html`<form method="post" action="/gateways/new/csv" enctype="multipart/form-data" autocomplete="off">
    ${csrfField(visit)}
    <p>
      <label for="file">${csvs.file}</label>
      <input id="file" name="file" type="file" accept=".csv,.txt,.tsv,text/csv,text/tab-separated-values" />
    </p>
    <p>
      <label for="csv">${csvs.hint} <code>crm,client,source,every,contract-end,credential:NAME,set:NAME</code></label>
      <textarea
        id="csv"
        name="csv"
        spellcheck="false"
        rows="12"
        ${problem === undefined ? null : html`aria-invalid="true" aria-describedby="problem"`}
      >
${csv}</textarea>
    </p>
    <button class="${good > 0 ? 'second' : ''}" name="act" value="preview">${csvs.preview}</button>
    ${good > 0 ? html`<button name="act" value="add">${csvs.add(good)}</button>` : null}
  </form>`;
  return page(
    visit,
    csvs.title,
    html`${problem === undefined ? null : notice('bad', html`CSV <span id="problem">${said(visit, problem)}</span>`)}
    ${checked === undefined ? null : linesTable(visit, checked, isDone)} ${isDone ? null : form}`,
  );
}

function linesTable(visit: Visit, checked: readonly CheckedLine[], isDone: boolean): Html {
  const { texts } = visit.language;
  const { csvs, one } = texts;
  const bad = checked.filter(({ problems }) => problems.length > 0).length;
  return html`${notice(bad === 0 ? 'good' : 'warn', (isDone ? csvs.done : csvs.checked)(checked.length - bad, bad))}
  ${table<CheckedLine>(
    csvs.title,
    [
      { title: csvs.line, value: ({ line }) => line, isFigure: true },
      {
        title: texts.gateway,
        value: (line) => (line.key === null ? `${line.crm}/${line.client}` : gatewayLink(line)),
      },
      { title: one.source, value: ({ source }) => html`<code>${source}</code>` },
      {
        title: texts.state,
        value: ({ problems }) =>
          problems.length === 0
            ? badge('good', isDone ? csvs.added : csvs.good)
            : html`${badge('bad', csvs.bad)}
              ${problems.map(
                ({ column, problem }, at) =>
                  html`${at === 0 ? null : html`<br />`}${
                    column === null ? null : html`<code>${column}</code>${texts.colon}`
                  }${said(visit, problem)}`,
              )}`,
      },
      ...(isDone
        ? [
            {
              title: csvs.key,
              value: ({ key }: CheckedLine) => (key === null ? null : html`<code>${key}</code>`),
            },
          ]
        : []),
    ],
    checked,
    texts.nothing,
  )}`;
}
