import type { ConnectorOutcomes } from '@passerelle/database';
import type { RunView } from '@passerelle/domain';
import { type Html, html, type Part } from '@passerelle/html';
import { type Finding, type GatewayRow, queuedRunsOf, type StateCount, type Want } from '@passerelle/operations';
import { findForm } from '../gateways/found-listings';
import { STATE_TONES } from '../gateways/list-page';
import { listPath } from '../gateways/list-query';
import { badge, facts, moment, notice, said, section } from '../layout/parts';
import { page, type Visit } from '../layout/page';
import { runsTable } from '../runs/runs-page';

export interface Overview {
  broken: readonly Finding[];
  /** Of the last day. */
  outcomes: readonly ConnectorOutcomes[];
  /** Enquiries that have not been delivered. */
  waitingLeads: number;
  rows: readonly GatewayRow[];
  counts: readonly StateCount[];
  wants: readonly Want[];
  newest: readonly RunView[];
}

/** What is broken first, then how things stand, then what wants a decision. */
export function overviewPage(
  visit: Visit,
  { broken, outcomes, waitingLeads, rows, counts, wants, newest }: Overview,
): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.nav.overview,
    html`${services(visit, broken, rows)}
    ${waitingLeads === 0 ? null : notice('warn', html`<a href="/leads">${texts.leads.waiting(waitingLeads)}</a>`)}
    ${findForm(visit)} ${section(texts.overview.counts, countCards(visit, counts))}
    ${section(texts.overview.lastDay, lastDay(visit, outcomes))}
    ${section(texts.overview.wants, wantList(visit, wants))}
    ${section(texts.overview.recent, runsTable(visit, newest, true))}`,
    true,
  );
}

/** What is broken, the worst first, as the doctor says it; with what to do. */
function services(visit: Visit, broken: readonly Finding[], rows: readonly GatewayRow[]): Part {
  const { language, now } = visit;
  const { overview } = language.texts;
  const { waiting, running, waitedSeconds } = queuedRunsOf(rows, now);
  const sentences = broken.map(({ check, state, says, next }) => {
    if (check === 'database') return notice(state, overview.readOnly);
    if (check === 'runs') return notice(state, overview.noIngestor(language.span(waitedSeconds)));
    const what = overview.checks[check] ?? check;
    return notice(
      state,
      html`<strong>${what}</strong>:
        ${said(visit, says)}${next === null ? null : html`. ${overview.nextStep} ${said(visit, next)}`}`,
    );
  });
  return html`${broken.length === 0 ? notice('good', overview.allWell) : sentences}
    <p class="faint">${overview.waiting(waiting)}, ${overview.running(running)}.</p>`;
}

/** What the runs of the last day came to, over all connectors. */
function lastDay({ language }: Visit, outcomes: readonly ConnectorOutcomes[]): Html {
  const { texts, number } = language;
  const sum = (name: 'runs' | 'failed' | 'added' | 'changed' | 'removed'): string =>
    number(outcomes.reduce((total, one) => total + one[name], 0));
  const { lastDayRows: rows } = texts.overview;
  return facts([
    [texts.nav.runs, sum('runs')],
    [rows.failed, sum('failed')],
    [rows.added, sum('added')],
    [rows.changed, sum('changed')],
    [rows.removed, sum('removed')],
  ]);
}

function countCards(visit: Visit, counts: readonly StateCount[]): Html {
  const { texts, number } = visit.language;
  return html`<ul class="cards">
    ${counts.map(
      ({ state, count, oldest }) =>
        html`<li>
          <a href="${listPath({ state })}" ${count === 0 ? html`class="empty"` : null}
            ><strong>${number(count)}</strong> ${texts.states[state]}
            ${
              oldest !== null && state !== 'fresh'
                ? html`<small>${texts.overview.oldest(visit.language.relative(oldest, visit.now))}</small>`
                : null
            }</a
          >
        </li>`,
    )}
  </ul>`;
}

function wantList(visit: Visit, wants: readonly Want[]): Html {
  const { texts } = visit.language;
  const { overview } = texts;
  if (wants.length === 0) return html`<p class="faint">${overview.wantsNothing}</p>`;
  return html`<ul class="wants">
    ${wants.map(({ state, crm, reason, count, oldest, runId }) => {
      const next = runId === null ? listPath({ state, crm }) : `/runs/${runId}`;
      return html`<li>
        ${badge(STATE_TONES[state], texts.states[state])}
        <span
          ><strong>${texts.gatewaysCount(count)}</strong> (${crm})
          ${state === 'held' ? overview.heldOf(count) : overview.failOf(count)}: ${said(visit, reason)}</span
        >
        <span class="faint">${moment(visit, oldest)}</span>
        <a class="next" href="${next}">${state === 'held' ? overview.decide : overview.look}</a>
      </li>`;
    })}
  </ul>`;
}
