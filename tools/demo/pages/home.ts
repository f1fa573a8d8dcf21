import type { Listing } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import type { GatewayList } from '../read-api';
import { counted, inFigures } from '../labels';
import { cards } from './card';
import { feedBanner } from './feed-banner';
import { aboutPortfolio, agencyOf, listPath } from './page';
import type { PhotoPlaces } from './photo';

/** Listings shown of each portfolio. */
const SHOWN = 4;

/** All portfolios with a few listings of each: those that show most come first. */
export function home(portfolios: readonly GatewayList[], places: PhotoPlaces): Html {
  const total = portfolios.reduce((sum, { listings }) => sum + listings.length, 0);
  return html`<section class="hero">
      <h1>Trois agences, trois formats, un seul vocabulaire</h1>
      <p>
        ${counted(total, 'annonce')} lues dans des flux différents, publiées en listes complètes, servies par la même
        API.
      </p>
    </section>
    ${portfolios.map((portfolio) => panel(portfolio, places))}`;
}

function panel(portfolio: GatewayList, places: PhotoPlaces): Html {
  const { gateway, feed, listings } = portfolio;
  const shown = listings.toSorted((one, other) => shows(other) - shows(one));
  return html`<section class="panel">
    <div class="heading">
      <div>
        <h2>${agencyOf(portfolio)}</h2>
        ${aboutPortfolio(portfolio)}
      </div>
      <a class="button" href="${listPath(gateway)}">Voir les ${inFigures(listings.length)} annonces</a>
    </div>
    ${feedBanner(feed)} ${cards(gateway, shown.slice(0, SHOWN), places)}
  </section>`;
}

/** Only as many as fit on a card. */
function shows({ photos, dpeClasse, dpeValeur }: Listing): number {
  return Number(photos.length > 0) + Number(dpeClasse !== undefined || dpeValeur !== undefined);
}
