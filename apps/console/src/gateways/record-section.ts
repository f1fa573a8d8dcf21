import type { KeptVersion, ComparedChange } from '@passerelle/database';
import type { Warning } from '@passerelle/domain';
import { type Html, html, type Part } from '@passerelle/html';
import { type ComparedField, compareRecord, differencesOf, type FieldDifference } from '@passerelle/operations';
import { section, table } from '../layout/parts';
import type { Visit } from '../layout/page';

/** The record as it came beside what it became, field by field, and what the run noticed about a field. */
export function recordSection(visit: Visit, { raw, normalized }: KeptVersion, warnings: readonly Warning[]): Part {
  const { texts } = visit.language;
  const { why, run } = texts;
  const { fields, made } = compareRecord(JSON.parse(raw) as unknown, JSON.parse(normalized) as unknown);
  return html`${section(
    why.record,
    html`<p class="faint">${why.recordHint}</p>
      ${table<ComparedField>(
        why.record,
        [
          { title: run.field, value: ({ field }) => html`<code>${field}</code>` },
          { title: why.excerpt, value: ({ value }) => value },
          { title: why.became, value: (field) => becameOf(visit, field, warnings) },
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
  { field, value, became }: ComparedField,
  warnings: readonly Warning[],
) {
  const said = warnings.filter(
    (warning) =>
      (warning.field === field || field.endsWith(`.${warning.field}`)) &&
      (warning.value === '' || warning.value.toLowerCase() === value.trim().toLowerCase()),
  );
  const names: Part = became.map((name) => html`<code>${name}</code> `);
  const notes = said.map(({ code }) => html`<br /><span class="badge warn">${texts.why.warnings[code]}</span>`);
  return html`${became.length === 0 ? html`<span class="faint">${texts.why.notAsItIs}</span>` : names}${notes}`;
}

/** What was not the same, where both listings are kept. */
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
