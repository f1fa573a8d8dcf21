import type { ListedPause } from '@passerelle/database';
import { type Html, html, type Content } from '@passerelle/html';
import { listPath } from '../gateways/list-query';
import { STATE_TONES } from '../gateways/list-page';
import { badge, type Column, gatewayLink, notice, section, table } from '../layout/elements';
import { digestShown } from '../layout/digest';
import { csrfField, may, page, type Visit } from '../layout/page';
import { NOTHING_TYPED, pauseFields, pauseTerms, type TypedPause } from '../layout/pause-fields';
import type { ConnectorLine } from './known-connectors';

export interface RefusedPause extends TypedPause {
  crm: string;
  host: string;
  sentence: Content;
}

export interface ConnectorList {
  lines: readonly ConnectorLine[];
  pauses: readonly ListedPause[];
  refused?: RefusedPause;
}

/** Each connector with the states of its gateways, and all pauses. */
export function connectorsPage(visit: Visit, shown: ConnectorList): string {
  const { lines, pauses, refused } = shown;
  const { texts } = visit.language;
  const list = table(texts.nav.connectors, columnsOf(visit), lines, texts.nothing);
  return page(
    visit,
    texts.nav.connectors,
    html`${refused === undefined ? null : notice('bad', refused.sentence)} ${list}
    ${section(texts.pausing.list, pausesTable(visit, pauses))}
    ${may(visit, 'operator') ? section(texts.pausing.pauseSome, pauseForm(visit, shown)) : null}`,
  );
}

function columnsOf(visit: Visit): Column<ConnectorLine>[] {
  const { texts, number, percent } = visit.language;
  const { connectors } = texts;
  return [
    {
      title: texts.connector,
      value: ({ id, label }) => html`<a href="${connectorPath(id)}">${label}</a> <code>${id}</code>`,
    },
    { title: texts.nav.gateways, value: ({ gateways }) => number(gateways), isFigure: true },
    {
      title: texts.state,
      value: ({ id, counts }) =>
        counts.map(
          ({ state, count }) =>
            html`<a href="${listPath({ crm: id, state })}"
              >${badge(STATE_TONES[state], `${number(count)} ${texts.overview.inState(count, state)}`)}</a
            > `,
        ),
    },
    {
      title: connectors.failed,
      value: ({ failedShare, runs }) =>
        failedShare === null ? '' : connectors.failedOf(percent(failedShare), number(runs)),
      isFigure: true,
    },
    { title: connectors.rates, value: (line) => ratesOf(visit, line) },
    { title: texts.acts.pause, value: (line) => pauseCell(visit, line) },
  ];
}

export function ratesOf({ language: { texts, number } }: Visit, { declaration }: ConnectorLine): Content {
  const quota = declaration?.quota;
  if (quota === undefined) return null;
  const { requestsPerSecond, requestsPerDay, requestsAtOnce, host } = quota;
  const rates = texts.connectors.quota(number(requestsPerSecond), number(requestsPerDay), host);
  return requestsAtOnce === undefined ? rates : `${rates}, ${texts.connectors.atOnce(number(requestsAtOnce))}`;
}

function pauseCell(visit: Visit, { pause }: ConnectorLine): Content {
  if (pause === null) return null;
  return html`${badge('warn', visit.language.texts.states.paused)} ${pauseTerms(visit, pause)}`;
}

function pausesTable(visit: Visit, pauses: readonly ListedPause[]): Html {
  const { texts, number } = visit.language;
  const columns: Column<ListedPause>[] = [
    { title: texts.pausing.what, value: (pause) => scopeOf(visit, pause) },
    { title: texts.pausing.terms, value: (pause) => pauseTerms(visit, pause) },
    { title: texts.nav.gateways, value: ({ gateways }) => number(gateways), isFigure: true },
  ];
  if (may(visit, 'operator')) columns.push({ title: texts.acts.resume, value: (pause) => resumeForm(visit, pause) });
  return table(texts.pausing.list, columns, pauses, texts.pausing.nothing);
}

function scopeOf({ language: { texts } }: Visit, { crm, client, host }: ListedPause): Content {
  if (crm !== null && client !== null) return gatewayLink({ crm, client });
  const connector = crm === null ? null : html`<a href="${connectorPath(crm)}">${crm}</a>`;
  if (host === null) return connector;
  return html`${connector} ${texts.pausing.host} <a href="${listPath({ q: host })}">${host}</a>`;
}

/** The form identifies the pause by its scope, because its number may be reused when the form arrives. */
function resumeForm(visit: Visit, pause: ListedPause): Html {
  const { crm, client, host } = pause;
  const { acts } = visit.language.texts;
  const name = [crm, client, host].filter((part) => part !== null).join(' ');
  return html`<form class="acts" method="post" action="/connectors/resume">
    ${csrfField(visit)}<input type="hidden" name="shown" value="${pausesShown([pause])}" />
    <input type="hidden" name="crm" value="${crm ?? ''}" />
    <input type="hidden" name="client" value="${client ?? ''}" /><input
      type="hidden"
      name="host"
      value="${host ?? ''}"
    />
    <button class="second" aria-label="${acts.resume}: ${name}">${acts.resume}</button>
  </form>`;
}

function pauseForm(visit: Visit, { lines, pauses, refused }: ConnectorList): Html {
  const { texts } = visit.language;
  const { acts, pausing } = texts;
  return html`<p class="faint">${texts.actSentences.pause} ${pausing.someHint}</p>
    <form class="line" method="post" action="/connectors/pause">
      ${csrfField(visit)}<input type="hidden" name="shown" value="${pausesShown(pauses)}" />
      <div>
        <label for="crm">${texts.connector}</label>
        <select id="crm" name="crm">
          <option value="">${texts.all}</option>
          ${lines
            .filter(({ gateways }) => gateways > 0)
            .map(({ id }) => html`<option value="${id}" ${id === refused?.crm ? html`selected` : null}>${id}</option>`)}
        </select>
      </div>
      <div>
        <label for="host">${pausing.hostHint}</label>
        <input id="host" name="host" maxlength="253" value="${refused?.host ?? ''}" />
      </div>
      ${pauseFields(visit, 'pause', refused ?? NOTHING_TYPED)}
      <button>${acts.pause}</button>
    </form>`;
}

/** The part of a form that identifies the pauses shown on its page. */
export function pausesShown(pauses: readonly ListedPause[]): string {
  return digestShown(pauses.map(({ id, until, reason, by }) => [id, until, reason, by]));
}

/** The page of a connector. */
function connectorPath(code: string): string {
  return `/connectors/${encodeURIComponent(code)}`;
}
