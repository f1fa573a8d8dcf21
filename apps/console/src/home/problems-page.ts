import type { Problem } from '@passerelle/database';
import { html } from '@passerelle/html';
import { SHOWN_PROBLEMS } from '../board/gateway-board';
import { listPath } from '../gateways/list-query';
import { badge, reasonOf, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';

/** Patterns in the feeds of many gateways, for authors of connectors. */
export function problemsPage(visit: Visit, problems: readonly Problem[]): string {
  const { texts, number } = visit.language;
  const list = table(
    texts.nav.problems,
    [
      { title: texts.connector, value: ({ crm }) => html`<a href="${listPath({ crm })}">${crm}</a>` },
      {
        title: texts.problems.what,
        value: ({ kind, code }) =>
          html`${badge(kind === 'rejection' ? 'bad' : 'warn', texts.problems.kind[kind])} ${reasonOf(visit, code)}`,
      },
      { title: texts.run.field, value: ({ field }) => field },
      { title: texts.run.value, value: ({ value }) => (value === null ? null : html`<code>${value}</code>`) },
      { title: texts.nav.gateways, value: ({ gateways }) => number(gateways), isFigure: true },
      { title: texts.run.records, value: ({ records }) => number(records), isFigure: true },
      {
        title: texts.problems.example,
        value: ({ runId, example }) => html`<a href="/runs/${runId}">${runId}</a> ${example}`,
      },
    ],
    problems,
    texts.nothing,
  );
  return page(
    visit,
    texts.nav.problems,
    html`<p class="faint">${texts.problems.intro}</p>
      ${list} ${problems.length < SHOWN_PROBLEMS ? null : html`<p class="faint">${texts.onlyFirst(SHOWN_PROBLEMS)}</p>`}`,
  );
}
