import type { RunView } from '@passerelle/domain';
import { type Html, html, type Part } from '@passerelle/html';
import { type GatewayRow, queuedRunsOf, type StateCount, type Want } from '@passerelle/operations';
import { findForm } from '../gateways/found-listings';
import { STATE_TONES } from '../gateways/list-page';
import { listPath } from '../gateways/list-query';
import { badge, moment, notice, section } from '../layout/parts';
import { page, type Visit } from '../layout/page';
import { runsTable } from '../runs/runs-page';

export interface Overview {
  isReadOnly: boolean;
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
  { isReadOnly, waitingLeads, rows, counts, wants, newest }: Overview,
): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.nav.overview,
    html`${services(visit, isReadOnly, rows)}
    ${waitingLeads === 0 ? null : notice('warn', html`<a href="/leads">${texts.leads.waiting(waitingLeads)}</a>`)}
    ${findForm(visit)} ${section(texts.overview.counts, countCards(visit, counts))}
    ${section(texts.overview.wants, wantList(visit, wants))}
    ${section(texts.overview.recent, runsTable(visit, newest, true))}`,
    true,
  );
}

function services(visit: Visit, isReadOnly: boolean, rows: readonly GatewayRow[]): Part {
  const { language, now } = visit;
  const { overview } = language.texts;
  const { waiting, running, waitedSeconds, isStuck } = queuedRunsOf(rows, now);
  const broken = [
    ...(isReadOnly ? [overview.readOnly] : []),
    ...(isStuck ? [overview.noIngestor(language.span(waitedSeconds))] : []),
  ];
  return html`${
      broken.length === 0 ? notice('good', overview.allWell) : broken.map((sentence) => notice('bad', sentence))
    }
    <p class="faint">${overview.waiting(waiting)}, ${overview.running(running)}.</p>`;
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
          ${state === 'held' ? overview.heldOf(count) : overview.failOf(count)}: <span lang="en">${reason}</span></span
        >
        <span class="faint">${moment(visit, oldest)}</span>
        <a class="next" href="${next}">${state === 'held' ? overview.decide : overview.look}</a>
      </li>`;
    })}
  </ul>`;
}
