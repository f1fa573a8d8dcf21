import type { Listing, TypeCode, TypeTransaction } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { counted, inFigures, placeOf, priceOf, sizesOf, titleOf, wordOf } from '../labels';
import type { DemoGateway, Facets, Feed, Found } from '../read-api';
import { energyBadge } from './energy';
import { feedBanner } from './feed-banner';
import { listingPath, listPath } from './page';
import { photoFigure, type PhotoPlaces } from './photo';

export interface ListOptions {
  gateway: DemoGateway;
  feed: Feed;
  found: Found;
  /** The values that occur in the whole list. */
  facets: Facets;
  query: URLSearchParams;
  places: PhotoPlaces;
}

export function list({ gateway, feed, found, facets, query, places }: ListOptions): Html {
  const { total, page, total_pages: pages } = found.meta;
  const agency = found.data.find(({ agenceNom }) => agenceNom !== undefined)?.agenceNom;
  return html`<h1>${agency ?? `${gateway.crm}/${gateway.client}`}</h1>
    ${feedBanner(feed)} ${form(gateway, facets, query)}
    <h2>
      ${total === 0 ? 'Aucune annonce ne correspond' : `${counted(total, 'annonce')}${pages > 1 ? `, page ${inFigures(page)} sur ${inFigures(pages)}` : ''}`}
    </h2>
    <ul class="cards">
      ${found.data.map((listing) => card(gateway, listing, places))}
    </ul>
    <nav class="pager" aria-label="Pages">
      ${page > 1 ? pageLink(gateway, query, page - 1, '← Page précédente') : null}
      ${page < pages ? pageLink(gateway, query, page + 1, 'Page suivante →') : null}
    </nav>`;
}

function card(gateway: DemoGateway, listing: Listing, places: PhotoPlaces): Html {
  const { typeTransaction, affId } = listing;
  const offer = typeTransaction && html`<span class="badge offer">${wordOf(typeTransaction)}</span>`;
  return html`<li class="card">
    <a href="${listingPath(gateway, affId)}">
      <span class="frame">${photoFigure(listing, 0, places, 640)}${offer ?? null}</span>
      <span class="words">
        <strong class="price">${priceOf(listing)}</strong>
        <span>${titleOf(listing)}</span>
        <span class="place">${placeOf(listing)}</span>
        <span class="facts">${sizesOf(listing).map((size) => html`<span>${size}</span> `)}${energyBadge(listing)}</span>
      </span>
    </a>
  </li>`;
}

function form(gateway: DemoGateway, facets: Facets, query: URLSearchParams): Html {
  return html`<form class="filters" action="${listPath(gateway)}" role="search" aria-label="Filtrer les annonces">
    ${choice('typeTransaction', 'Transaction', facets, query)} ${choice('typeCode', 'Type de bien', facets, query)}
    ${choice('ville', 'Lieu', facets, query)}
    <label
      >Budget max. (€)<input name="budget" inputmode="numeric" autocomplete="off" value="${query.get('budget')}"
    /></label>
    <div class="actions">
      <button type="submit">Filtrer</button>
      ${query.size === 0 ? null : html`<a class="button plain" href="${listPath(gateway)}">Effacer</a>`}
    </div>
  </form>`;
}

function choice(name: string, label: string, facets: Facets, query: URLSearchParams): Html {
  return html`<label
    >${label}<select name="${name}">
      <option value="">Indifférent</option>
      ${(facets[name] ?? []).map(
        ({ value, count }) =>
          html`<option value="${value}" ${value === query.get(name) ? html` selected` : null}>
            ${name === 'ville' ? value : wordOf(value as TypeCode | TypeTransaction)} (${count})
          </option>`,
      )}
    </select></label
  >`;
}

function pageLink(gateway: DemoGateway, query: URLSearchParams, page: number, text: string): Html {
  const target = new URLSearchParams(query);
  target.set('page', String(page));
  return html`<a class="button plain" href="${listPath(gateway)}?${target.toString()}">${text}</a>`;
}
