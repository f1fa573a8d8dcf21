import type { FollowUp, NewestReport, SavedView } from '@passerelle/database';
import { GATEWAY_STATES, type ShownState } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { GatewayRow, RowOrder } from '@passerelle/operations';
import { badge, type Column, gatewayLink, moment, said, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';
import { pauseTerms } from '../layout/pause-fields';
import { BULK_ACTS } from './bulk';
import { findForm } from './found-listings';
import { savedViewsSection } from './saved-views-section';
import { listPath, type ListQuery, PER_PAGE } from './list-query';

export const STATE_TONES: Readonly<Record<ShownState, string>> = {
  ...{ failing: 'bad', held: 'warn', never: 'warn', stale: 'warn', fresh: 'good', paused: 'warn', disabled: '' },
};

export interface GatewayList {
  followUps: ReadonlyMap<number, FollowUp>;
  views: readonly SavedView[];
  query: ListQuery;
  /** All results of the query, sorted. */
  found: readonly GatewayRow[];
  crms: readonly string[];
  /** The last report of each gateway's site, by the gateway's id. */
  reports: ReadonlyMap<number, NewestReport>;
}

export function listPage(visit: Visit, { query, found, views, crms, reports, followUps }: GatewayList): string {
  const { texts } = visit.language;
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const current = Math.min(query.page, pages);
  const rows = found.slice((current - 1) * PER_PAGE, current * PER_PAGE);
  const isOperator = may(visit, 'operator');
  const columns = columnsOf(visit, { query, reports, followUps }, isOperator);
  const list = html`<div class="tight">${table(texts.nav.gateways, columns, rows, texts.nothing)}</div>`;
  return page(
    visit,
    texts.nav.gateways,
    html`${searchForm(visit, query, crms)} ${savedViewsSection(visit, query, views)} ${findForm(visit)}
      <p>
        ${texts.gatewaysCount(found.length)}
        ${isOperator ? html` · <a href="/gateways/new">${texts.adding.title}</a>` : null}
      </p>
      ${isOperator && query.state === 'failing' && rows.length > 0 ? retryForm(visit, query, found.length) : null}
      ${isOperator && rows.length > 0 ? bulkForm(visit, query, found.length, { rows, list }) : list}
      ${pageLinks(visit, query, current, pages)}`,
    true,
  );
}

function searchForm({ language: { texts } }: Visit, { q = '', state, crm }: ListQuery, crms: readonly string[]): Html {
  const option = (value: string, text: string, isChosen: boolean): Html =>
    html`<option value="${value}" ${isChosen ? html`selected` : null}>${text}</option>`;
  return html`<form class="line" method="get" action="/gateways" role="search">
    <div>
      <label for="q">${texts.searchHint}</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="100" />
    </div>
    <div>
      <label for="state">${texts.state}</label>
      <select id="state" name="state">
        ${option('', texts.all, state === undefined)}
        ${GATEWAY_STATES.map((known) => option(known, texts.states[known], known === state))}
      </select>
    </div>
    <div>
      <label for="crm">${texts.connector}</label>
      <select id="crm" name="crm">
        ${option('', texts.all, crm === undefined)} ${crms.map((known) => option(known, known, known === crm))}
      </select>
    </div>
    <button>${texts.search}</button>
  </form>`;
}

function columnsOf(
  visit: Visit,
  { query, reports, followUps }: Pick<GatewayList, 'query' | 'reports' | 'followUps'>,
  isOperator: boolean,
): Column<GatewayRow>[] {
  const { texts, number } = visit.language;
  const sortable = (order: RowOrder, title: string): Pick<Column<GatewayRow>, 'label' | 'title' | 'sorted'> => {
    const isSorted = query.sort === order;
    const way = listPath({ ...query, sort: order, isReversed: isSorted && !query.isReversed, page: 1 });
    return {
      label: title,
      title: html`<a href="${way}" title="${texts.sortBy(title)}">${title}</a>`,
      ...(isSorted && { sorted: query.isReversed ? ('descending' as const) : ('ascending' as const) }),
    };
  };
  const choice: Column<GatewayRow> = {
    title: '✓',
    label: '',
    value: ({ id, crm, client }) =>
      html`<input type="checkbox" name="ids" value="${id}" aria-label="${crm}/${client}" />`,
  };
  return [
    ...(isOperator ? [choice] : []),
    { ...sortable('name', texts.gateway), value: gatewayLink },
    { ...sortable('state', texts.state), value: (row) => stateCell(visit, row, followUps.get(row.id)) },
    {
      ...sortable('listings', texts.listings),
      value: ({ listings }) => (listings === null ? '' : number(listings)),
      isFigure: true,
    },
    { ...sortable('confirmed', texts.confirmed), value: ({ confirmedAt }) => moment(visit, confirmedAt) },
    { title: texts.lastRun, value: (row) => moment(visit, lastRunOf(row)) },
    {
      ...sortable('next', texts.nextRun),
      value: ({ active, paused, isRunning, nextRunAt }) => {
        if (!active || paused !== null) return '';
        if (isRunning) return texts.runStates.running;
        return Date.parse(nextRunAt) <= visit.now.getTime() ? texts.now : moment(visit, nextRunAt);
      },
    },
    { title: texts.siteReport, value: ({ id, listings }) => reportCell(visit, reports.get(id), listings) },
  ];
}

/** The end of the newest run that confirmed the list, failed or was held. */
function lastRunOf({ confirmedAt, failedAt, heldSince }: GatewayRow): string | null {
  return [confirmedAt, failedAt, heldSince].reduce((last, at) => ((at ?? '') > (last ?? '') ? at : last), null);
}

/** The site's report: whether the import worked, and how many listings the site shows if the number differs. */
function reportCell(visit: Visit, report: NewestReport | undefined, listings: number | null): Content {
  if (report === undefined) return null;
  const { texts, number } = visit.language;
  const { status, count, receivedAt } = report;
  const others = count === null || count === listings ? null : html` ${texts.siteShows(number(count))}`;
  return html`${badge(status === 'success' ? 'good' : 'bad', texts.siteStates[status])}${others}
    <span class="faint">${moment(visit, receivedAt)}</span>`;
}

/** Why a list is old although no run failed. */
export function whyStale({ language, now }: Visit, row: GatewayRow): string {
  const { isRunning, isOverdue, waitingSince, nextRunAt } = row;
  const { stale } = language.texts.overview;
  if (isRunning) return stale.running;
  if (waitingSince !== null) return stale.waits(language.relative(waitingSince, now));
  const next = language.relative(nextRunAt, now);
  if (Date.parse(nextRunAt) <= now.getTime()) return stale.due(next);
  return isOverdue ? stale.nothing : stale.later(next);
}

/** On one line, whose end is cut where the window is narrow: the page of the gateway has the whole reason. */
function stateCell(visit: Visit, row: GatewayRow, followUp: FollowUp | undefined): Content {
  const { state, since, heldRunId, paused } = row;
  const { language } = visit;
  const reason = state === 'failing' ? row.failingReason : state === 'held' ? row.heldReason : null;
  const hasSince = since !== null && state !== 'fresh';
  const decide =
    state === 'held' && heldRunId !== null
      ? html`<a href="/runs/${heldRunId}">${language.texts.overview.decide}</a> `
      : null;
  return html`<div class="oneline" title="${reason === null ? '' : language.ofLibrary(reason)}">
    ${badge(STATE_TONES[state], language.texts.states[state])}
    ${hasSince ? html`<span class="faint">${moment(visit, since)}</span>` : null} ${decide}
    ${followUp === undefined ? null : html`<span class="badge">${followUp.assignee ?? followUp.by}${language.texts.colon}${followUp.note}</span>`}
    ${paused === null || state === 'disabled' ? null : pauseTerms(visit, paused)}
    ${state === 'stale' ? whyStale(visit, row) : null} ${reason === null ? null : said(visit, reason)}
  </div>`;
}

/** Operators mostly retry all failing gateways together. */
function retryForm(visit: Visit, query: ListQuery, count: number): Html {
  return html`<form class="acts" method="post" action="/gateways/choose">
    ${csrfField(visit)}${searchFields(query)}<input type="hidden" name="scope" value="all" />
    <button name="act" value="retry">${visit.language.texts.bulk.retryAll(count)}</button>
  </form>`;
}

/** The search, in a form. */
function searchFields({ q, state, crm }: ListQuery): Html {
  return html`<input type="hidden" name="q" value="${q ?? ''}" />
    <input type="hidden" name="state" value="${state ?? ''}" /><input type="hidden" name="crm" value="${crm ?? ''}" />`;
}

/** The actions apply to the selection, the page, or all results of the query; the next page lists these gateways. */
function bulkForm(
  visit: Visit,
  query: ListQuery,
  count: number,
  { rows, list }: { rows: readonly GatewayRow[]; list: Html },
): Html {
  const { texts } = visit.language;
  const scope = (value: string, text: string): Html =>
    html`<label class="inline"
      ><input type="radio" name="scope" value="${value}" ${value === 'chosen' ? html`checked` : null} /> ${text}</label
    > `;
  return html`<form method="post" action="/gateways/choose">
    ${csrfField(visit)} ${searchFields(query)}
    <input type="hidden" name="page-ids" value="${rows.map(({ id }) => id).join(',')}" />
    <fieldset class="bulk">
      <legend>${texts.bulk.title}</legend>
      <p>
        ${scope('chosen', texts.bulk.chosen)} ${scope('page', texts.bulk.ofPage(rows.length))}
        ${count > rows.length ? scope('all', texts.bulk.everyOne(count)) : null}
      </p>
      <p>
        ${BULK_ACTS.map((act) => html`<button class="second" name="act" value="${act}">${texts.acts[act]}…</button> `)}
      </p>
    </fieldset>
    ${list}
  </form>`;
}

function pageLinks({ language: { texts } }: Visit, query: ListQuery, current: number, pages: number): Content {
  if (pages === 1) return null;
  const to = (number: number, text: string): Html =>
    html`<a href="${listPath({ ...query, page: number })}">${text}</a>`;
  return html`<div class="pages">
    ${current > 1 ? to(current - 1, texts.previous) : null}
    <span>${texts.pageOf(current, pages)}</span>
    ${current < pages ? to(current + 1, texts.next) : null}
  </div>`;
}
