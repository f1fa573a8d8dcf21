import type { Listing } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import type { DemoGateway } from '../read-api';
import { inFigures, placeOf, priceOf, titleOf, TRANSACTION_WORDS } from '../labels';
import { energyBadge } from './energy';
import { listingPath } from './page';
import { photoFigure, type PhotoPlaces } from './photo';

/** One listing among others. */
function card(gateway: DemoGateway, listing: Listing, places: PhotoPlaces): Html {
  const { typeTransaction, photos } = listing;
  return html`<li class="card">
    <a href="${listingPath(gateway, listing.affId)}">
      <span class="frame"
        >${photoFigure(listing, 0, { places, width: 640 })}${
          typeTransaction === undefined
            ? null
            : html`<span class="badge offer">${TRANSACTION_WORDS[typeTransaction]}</span>`
        }${photos.length < 2 ? null : html`<span class="badge count">${photos.length} photos</span>`}</span
      >
      <span class="words">
        <strong class="price">${priceOf(listing)}</strong>
        <span class="title">${titleOf(listing)}</span>
        <span class="place">${placeOf(listing)}</span>
        <span class="facts">${sizesOf(listing).map((size) => html`<span>${size}</span> `)}${energyBadge(listing)}</span>
      </span>
    </a>
  </li>`;
}

export function cards(gateway: DemoGateway, listings: readonly Listing[], places: PhotoPlaces): Html {
  return html`<ul class="cards">
    ${listings.map((listing) => card(gateway, listing, places))}
  </ul>`;
}

/** The most important facts: areas and rooms. */
export function sizesOf({ surfaceHabitable, surfaceTerrain, nbrePieces, nbreChambres }: Listing): string[] {
  return [
    surfaceHabitable === undefined ? null : `${inFigures(surfaceHabitable)} m²`,
    nbrePieces === undefined ? null : `${inFigures(nbrePieces)} p.`,
    nbreChambres === undefined ? null : `${inFigures(nbreChambres)} ch.`,
    surfaceTerrain === undefined || surfaceHabitable !== undefined ? null : `terrain ${inFigures(surfaceTerrain)} m²`,
  ].filter((size) => size !== null);
}
