import type { KeptVersion, ComparedChange } from '@passerelle/database';
import type { Warning } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import {
  type ComparedField,
  compareRecord,
  differencesOf,
  type FieldDifference,
  type Remap,
} from '@passerelle/operations';
import { section, table } from '../layout/elements';
import type { Visit } from '../layout/page';

export function recordSection(
  visit: Visit,
  { raw, normalized }: KeptVersion,
  warnings: readonly Warning[],
  remap: Remap,
): Content {
  const { texts } = visit.language;
  const { why, run } = texts;
  const { fields, made, unmade } = compareRecord(
    JSON.parse(raw) as Record<string, unknown>,
    JSON.parse(normalized),
    remap,
  );
  return html`${section(
    why.record,
    html`<p class="faint">${why.recordHint}</p>
      ${table<ComparedField>(
        why.record,
        [
          { title: run.field, value: ({ field }) => html`<code>${field}</code>` },
          { title: why.excerpt, value: ({ value }) => value },
          { title: why.became, value: (field) => becameOf(visit, field, { unmade, warnings }) },
        ],
        fields,
        texts.nothing,
      )}`,
  )}
  ${section(
    why.made,
    table(
      why.made,
      [
        { title: run.field, value: ({ field }) => html`<code>${field}</code>` },
        { title: run.value, value: ({ value }) => value },
      ],
      made,
      texts.nothing,
    ),
  )}`;
}

function becameOf(
  { language: { texts } }: Visit,
  { field, value, affects, isRequired, alike }: ComparedField,
  { unmade, warnings }: { unmade: readonly string[]; warnings: readonly Warning[] },
) {
  const said = warnings.filter(
    (warning) =>
      (warning.field === field || field.endsWith(`.${warning.field}`)) &&
      (warning.value === '' || warning.value.toLowerCase() === value.trim().toLowerCase()),
  );
  const namesOf = (fields: readonly string[]): Content => fields.map((name) => html`<code>${name}</code> `);
  const { why } = texts;
  const effect = (): Content => {
    if (isRequired) return html`${why.required} ${namesOf(affects ?? [])}`;
    if (affects === null)
      return alike.length > 0
        ? html`<span class="faint">${why.alike}</span> ${namesOf(alike)}`
        : html`<span class="faint">${why.notTried}</span>`;
    return affects.length > 0 ? namesOf(affects) : html`<span class="faint">${why.notUsed(unmade)}</span>`;
  };
  const notes = said.map(({ code }) => html`<br /><span class="badge warn">${texts.why.warnings[code]}</span>`);
  return html`${effect()}${notes}`;
}

/** The differences, when both listings are kept. */
export function differencesCell(
  { language: { texts } }: Visit,
  { change, before, after }: ComparedChange,
): Html | null {
  if (change !== 'changed' || before === null || after === null) return null;
  const differences: FieldDifference[] = differencesOf(JSON.parse(before) as unknown, JSON.parse(after) as unknown);
  return html`${differences.map(
    ({ field, before: was, after: is }) =>
      html`<div><code>${field}</code>: ${was ?? texts.none} → ${is ?? texts.none}</div>`,
  )}`;
}
