import type { ListedPublication, Placement } from '@passerelle/database';
import { PUBLICATION_STATES, type PublicationState } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import { badge, gatewayPath, moment, notice, said, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

const TONES: Readonly<Record<PublicationState, string>> = {
  ...{ waiting: 'plain', sent: 'warn', accepted: 'warn', online: 'good', delivered: 'good' },
  ...{ refused: 'bad', removing: 'warn', removed: 'plain' },
};

export interface AdvertsToShow {
  gateway: { crm: string; client: string };
  placements: readonly Placement[];
  /** The listings of this page. */
  affIds: readonly string[];
  publications: readonly ListedPublication[];
  total: number;
  /** The address of the next page; null after the last one. */
  next: string | null;
  wanted: { placement: number | undefined; state: PublicationState | undefined; listing: string };
  notice?: { tone: 'good' | 'bad'; sentence: string };
}

/** Listings of a gateway by their placements, with the state of each advert. */
export function advertsPage(visit: Visit, shown: AdvertsToShow): string {
  const { texts } = visit.language;
  const { exports } = texts;
  const { gateway, affIds, publications, total, next } = shown;
  const columns = shown.placements.filter(({ id }) => (shown.wanted.placement ?? id) === id);
  const found = new Map(publications.map((one) => [`${one.placement}:${one.affId}`, one]));
  const mayAct = may(visit, 'operator');
  const rows = table(
    exports.matrixOf(`${gateway.crm}/${gateway.client}`),
    [
      {
        title: texts.deliveries.listing,
        value: (affId: string) =>
          html`<a href="${gatewayPath(gateway)}/listings/${encodeURIComponent(affId)}"><code>${affId}</code></a>`,
      },
      ...columns.map(({ id, target }) => ({
        title: html`<a href="/exports/${id}">${target} (${id})</a>`,
        value: (affId: string) => cell(visit, found.get(`${id}:${affId}`), mayAct),
      })),
    ],
    affIds,
    texts.nothing,
  );
  return page(
    visit,
    exports.matrixOf(`${gateway.crm}/${gateway.client}`),
    html`${shown.notice === undefined ? null : notice(shown.notice.tone, said(visit, shown.notice.sentence))}
      ${filters(visit, shown)}
      <p>${exports.found(total)}</p>
      ${
        mayAct && affIds.length > 0
          ? html`<form method="post" action="${gatewayPath(gateway)}/adverts">
              ${csrfField(visit)} ${rows} ${acts(visit)}
            </form>`
          : rows
      }
      ${next === null ? null : html`<p><a href="${next}">${exports.next}</a></p>`}`,
  );
}

function cell(visit: Visit, publication: ListedPublication | undefined, mayAct: boolean): Content {
  if (publication === undefined) return null;
  const { exports } = visit.language.texts;
  const { placement, affId, target, state, since, reasonCode, reason, url } = publication;
  return html`${
    mayAct
      ? html`<input
          type="checkbox"
          name="advert"
          value="${placement}:${affId}"
          aria-label="${exports.choose(affId, target)}"
        /> `
      : null
  }${badge(TONES[state], exports.advertStates[state])}
  ${moment(visit, since)} ${reasonCode === null ? null : html`<br />${exports.reasons[reasonCode]}`}
  ${reason === null ? null : html`<br /><span class="faint">${said(visit, reason)}</span>`}
  ${url === null ? null : html`<br /><a href="${url}" rel="noreferrer">${exports.page}</a>`}`;
}

function acts(visit: Visit): Html {
  const { texts } = visit.language;
  const { exports } = texts;
  return html`<p><button name="act" value="retry">${exports.retry}</button></p>
    <p>
      <label for="reason">${texts.reason}. ${exports.withdrawHint}</label>
      <textarea id="reason" name="reason" maxlength="500"></textarea>
    </p>
    <p><button class="danger" name="act" value="withdraw">${exports.withdraw}</button></p>`;
}

function filters(visit: Visit, { gateway, placements, wanted }: AdvertsToShow): Html {
  const { texts } = visit.language;
  const { exports } = texts;
  const option = (value: string | number, name: string, isChosen: boolean): Html =>
    html`<option value="${value}" ${isChosen ? html`selected` : null}>${name}</option>`;
  return html`<form class="line" method="get" action="${gatewayPath(gateway)}/adverts" role="search">
    <div>
      <label for="placement">${exports.target}</label>
      <select id="placement" name="placement">
        ${option('', texts.all, wanted.placement === undefined)}
        ${placements.map(({ id, target }) => option(id, `${target} (${id})`, id === wanted.placement))}
      </select>
    </div>
    <div>
      <label for="state">${texts.state}</label>
      <select id="state" name="state">
        ${option('', texts.all, wanted.state === undefined)}
        ${PUBLICATION_STATES.map((one) => option(one, exports.advertStates[one], one === wanted.state))}
      </select>
    </div>
    <div>
      <label for="listing">${texts.deliveries.listing}</label>
      <input id="listing" name="listing" maxlength="200" value="${wanted.listing}" />
    </div>
    <button>${texts.audit.filter}</button>
  </form>`;
}
