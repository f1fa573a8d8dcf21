import { countedValues, filterListings, type Filters, queryOf } from '../filters';
import { type Html, html } from '@passerelle/html';
import type { GatewayList } from '../read-api';
import { counted, inFigures, TRANSACTION_WORDS, TYPE_WORDS } from '../labels';
import { cards } from './card';
import { feedBanner } from './feed-banner';
import { aboutPortfolio, agencyOf, listPath } from './page';
import type { PhotoPlaces } from './photo';

const PER_PAGE = 24;

export interface ListOptions {
  filters: Filters;
  /** 1-based, as requested. */
  page: number;
  places: PhotoPlaces;
}

/** The listings of one portfolio that fit, a page at a time. */
export function list(portfolio: GatewayList, { filters, page, places }: ListOptions): Html {
  const { gateway, feed } = portfolio;
  const fitting = filterListings(portfolio.listings, filters);
  const pages = Math.max(1, Math.ceil(fitting.length / PER_PAGE));
  const current = Math.min(Math.max(page, 1), pages);
  const shown = fitting.slice((current - 1) * PER_PAGE, current * PER_PAGE);
  return html`<section class="heading">
      <div>
        <h1>${agencyOf(portfolio)}</h1>
        ${aboutPortfolio(portfolio)}
      </div>
    </section>
    ${feedBanner(feed)} ${form(portfolio, filters)}
    <h2 class="result">
      ${
        fitting.length === 0
          ? 'Aucune annonce ne correspond'
          : `${counted(fitting.length, 'annonce')}${pages > 1 ? `, page ${inFigures(current)} sur ${inFigures(pages)}` : ''}`
      }
    </h2>
    ${
      fitting.length === 0
        ? html`<p><a class="button" href="${listPath(gateway)}">Effacer les filtres</a></p>`
        : cards(gateway, shown, places)
    }
    ${pages > 1 ? pager(portfolio, filters, current, pages) : null}`;
}

function form({ gateway, listings }: GatewayList, filters: Filters): Html {
  const { transaction, type, ville, prixMin, prixMax } = filters;
  const transactions = countedValues(listings, (listing) => listing.typeTransaction);
  const types = countedValues(listings, (listing) => listing.typeCode);
  const towns = countedValues(listings, (listing) => listing.ville).sort((one, other) =>
    one.value.localeCompare(other.value, 'fr'),
  );
  return html`<form
    class="filters"
    method="get"
    action="${listPath(gateway)}"
    role="search"
    aria-label="Filtrer les annonces"
  >
    ${choice('transaction', 'Transaction', transaction, transactions, (word) => TRANSACTION_WORDS[word])}
    ${choice('type', 'Type de bien', type, types, (word) => TYPE_WORDS[word])}
    ${choice('ville', 'Lieu', ville, towns, (word) => word)} ${amount('prix_min', 'Prix ou loyer min. (€)', prixMin)}
    ${amount('prix_max', 'Prix ou loyer max. (€)', prixMax)}
    <div class="actions">
      <button type="submit">Filtrer</button>
      ${queryOf(filters).size === 0 ? null : html`<a class="button plain" href="${listPath(gateway)}">Effacer</a>`}
    </div>
  </form>`;
}

function choice<Value extends string>(
  name: string,
  label: string,
  chosen: Value | null,
  options: readonly { value: Value; count: number }[],
  wordOf: (value: Value) => string,
): Html {
  // A chosen filter stays selected even when no listing has that value.
  const all =
    chosen === null || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, count: 0 }];
  return html`<label
    >${label}<select name="${name}">
      <option value="">Indifférent</option>
      ${all.map(
        ({ value, count }) =>
          html`<option value="${value}" ${value === chosen ? html` selected` : null}>
            ${wordOf(value)} (${count})
          </option>`,
      )}
    </select></label
  >`;
}

function amount(name: string, label: string, value: number | null): Html {
  return html`<label
    >${label}<input name="${name}" inputmode="numeric" autocomplete="off" value="${value ?? ''}"
  /></label>`;
}

function pager({ gateway }: GatewayList, filters: Filters, current: number, pages: number): Html {
  const to = (page: number, text: string, rel: string): Html | null => {
    if (page < 1 || page > pages) return null;
    const query = queryOf(filters);
    query.set('page', String(page));
    return html`<a class="button plain" rel="${rel}" href="${listPath(gateway)}?${query.toString()}">${text}</a>`;
  };
  return html`<nav class="pager" aria-label="Pages">
    ${to(current - 1, '← Page précédente', 'prev')}${to(current + 1, 'Page suivante →', 'next')}
  </nav>`;
}
