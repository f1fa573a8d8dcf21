import type { ConnectorOutcomes, InstallationDay } from '@passerelle/database';
import type { RunView } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { StateCount, PendingDecision } from '@passerelle/operations';
import type { AllGateways } from '../board/all-gateways';
import type { FoundInstallation } from '../board/services';
import { findForm } from '../gateways/found-listings';
import { STATE_TONES } from '../gateways/list-page';
import { listPath } from '../gateways/list-query';
import { trendChart } from './trend-chart';
import { badge, facts, gatewayPath, moment, notice, said, section, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';
import { runsTable } from '../runs/runs-page';

const SHOWN_CONNECTORS = 5;
/** The others are behind a line that opens. */
const SHOWN_DECISIONS = 20;

export interface Overview {
  table: AllGateways;
  installation: FoundInstallation;
  /** Over the last day. */
  outcomes: readonly ConnectorOutcomes[];
  /** The days that an ingestor has added up, oldest first. */
  days: readonly InstallationDay[];
  waitingLeads: number;
  newest: readonly RunView[];
}

/** The broken things first: faults, then pending decisions, then states. */
export function overviewPage(
  visit: Visit,
  { table: gateways, installation, outcomes, days, waitingLeads, newest }: Overview,
): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.nav.overview,
    html`${services(visit, installation, gateways)}
    ${waitingLeads === 0 ? null : notice('warn', html`<a href="/deliveries?kind=lead">${texts.deliveries.waiting.lead(waitingLeads)}</a>`)}
    ${section(texts.overview.wants, decisionList(visit, gateways))}
    ${section(texts.overview.counts, countCards(visit, gateways.counts))} ${findForm(visit)}
    ${section(texts.trend.title, trendChart(visit, days))} ${section(texts.overview.lastDay, lastDay(visit, outcomes))}
    ${section(texts.overview.worst, worstConnectors(visit, outcomes))}
    ${section(
      texts.overview.recent,
      html`${runsTable(visit, newest, true)}
        <p><a href="/runs">${texts.overview.allRuns}</a></p>`,
    )}
    ${section(texts.overview.programs, programs(visit, installation))}`,
    true,
  );
}

/** Faults, the worst first, with the doctor's text and advice. */
function services(visit: Visit, { broken }: FoundInstallation, { queued }: AllGateways): Content {
  const { language } = visit;
  const { overview, colon } = language.texts;
  const { waiting, running, waitedSeconds } = queued;
  const waited = waiting === 0 ? '' : overview.waited(language.span(waitedSeconds));
  const sentences = broken.map(({ check, state, says, next }) => {
    if (check === 'database') return notice(state, overview.readOnly);
    if (check === 'runs') return notice(state, overview.noIngestor(language.span(waitedSeconds)));
    const what = overview.checks[check] ?? check;
    const after = next === null ? null : html`. ${overview.nextStep} ${said(visit, next)}`;
    return notice(state, html`<strong>${what}</strong>${colon}${said(visit, says)}${after}`);
  });
  return html`${broken.length === 0 ? notice('good', overview.allWell) : sentences}
    <p class="faint">${overview.waiting(waiting)}${waited}, ${overview.running(running)}.</p>`;
}

/** The results of the last day's runs, over all connectors. */
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

function worstConnectors(visit: Visit, outcomes: readonly ConnectorOutcomes[]): Html {
  const { texts, number, percent } = visit.language;
  const { connectors } = texts;
  const worst = outcomes
    .filter(({ failed }) => failed > 0)
    .sort((one, other) => other.failed / other.runs - one.failed / one.runs || other.failed - one.failed)
    .slice(0, SHOWN_CONNECTORS);
  return html`${table(
      texts.overview.worst,
      [
        {
          title: texts.connector,
          value: ({ crm }) => html`<a href="/connectors/${encodeURIComponent(crm)}">${crm}</a>`,
        },
        {
          title: connectors.failed,
          value: ({ runs, failed }) => connectors.failedOf(percent(failed / runs), number(runs)),
          isFigure: true,
        },
      ],
      worst,
      texts.overview.noneFails,
    )}
    <p><a href="/connectors">${texts.overview.allConnectors}</a></p>`;
}

function programs({ language }: Visit, { server }: FoundInstallation): Html {
  const { texts, number } = language;
  return html`<ul>
    ${server.sessions.map(
      ({ program, release, processes }) =>
        html`<li>
          ${texts.overview.program(program, number(processes))} ${release ?? texts.overview.unknownRelease}
        </li>`,
    )}
  </ul>`;
}

function countCards(visit: Visit, counts: readonly StateCount[]): Html {
  const { texts, number } = visit.language;
  return html`<ul class="cards">
    ${counts.map(
      ({ state, count, oldest }) =>
        html`<li>
          <a href="${listPath({ state })}" class="${count === 0 ? 'empty' : STATE_TONES[state]}"
            ><strong>${number(count)}</strong> ${texts.overview.inState(count, state)}
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

function decisionList(visit: Visit, { pendingDecisions: decisions, snoozed }: AllGateways): Html {
  const { overview, followUps } = visit.language.texts;
  const quiet = snoozed.size === 0 ? null : html`<p class="faint">${followUps.snoozed(snoozed.size)}</p>`;
  if (decisions.length === 0)
    return html`<p class="faint">${overview.wantsNothing}</p>
      ${quiet}`;
  const list = (shown: readonly PendingDecision[]): Html =>
    html`<ul class="wants">
      ${shown.map((one) => decisionOf(visit, one))}
    </ul>`;
  const more = decisions.slice(SHOWN_DECISIONS);
  if (more.length === 0) return html`${list(decisions)}${quiet}`;
  return html`${list(decisions.slice(0, SHOWN_DECISIONS))}
    <details>
      <summary>${overview.moreDecisions(more.length)}</summary>
      ${list(more)}
    </details>
    ${quiet}`;
}

function decisionOf(visit: Visit, one: PendingDecision): Html {
  const { texts, number } = visit.language;
  const { overview } = texts;
  const { state, crm, reason, alike, count, all, oldest } = one;
  return html`<li class="${STATE_TONES[state]}">
    ${badge(STATE_TONES[state], texts.states[state])}
    <span
      ><strong>${overview.ofAll(number(count), number(all), all)}</strong> (${crm})
      ${state === 'held' ? overview.heldOf(count) : overview.failOf(count)}${texts.colon}${said(visit, reason)}${
        alike === count ? null : html` (${overview.alike(number(alike), number(count))})`
      }</span
    >
    <span class="faint">${moment(visit, oldest)}</span>
    <a class="next" href="${nextOf(one)}">${state === 'held' ? overview.decide : overview.look}</a>
  </li>`;
}

function nextOf({ state, crm, client, runId }: PendingDecision): string {
  if (runId !== null) return `/runs/${runId}`;
  return client === null ? listPath({ state, crm }) : gatewayPath({ crm, client });
}
