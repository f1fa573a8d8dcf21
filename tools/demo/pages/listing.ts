import type { Listing } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import type { Feed, DemoGateway } from '../read-api';
import { placeOf, priceOf, titleOf, TRANSACTION_WORDS, TYPE_WORDS } from '../labels';
import { sizesOf } from './card';
import { energyLabels, mentionList } from './energy-labels';
import { feedBanner } from './feed-banner';
import { listPath } from './page';
import { particulars } from './particulars';
import { addressOf, photoFigure, type PhotoPlaces } from './photo';

export interface ListingOptions {
  gateway: DemoGateway;
  feed: Feed;
  places: PhotoPlaces;
}

/** One listing with everything that is known of it, and what the API sends for it beside. */
export function listingPage(listing: Listing, { gateway, feed, places }: ListingOptions): Html {
  const { typeTransaction, typeCode, commentaires } = listing;
  const kind = [
    typeTransaction === undefined ? null : TRANSACTION_WORDS[typeTransaction],
    typeCode === undefined ? null : TYPE_WORDS[typeCode],
  ].filter((word) => word !== null);
  return html`<p class="back"><a href="${listPath(gateway)}">← Toutes les annonces</a></p>
    <div class="beside">
      <article>
        ${gallery(listing, places)}
        <header class="head">
          <p class="kind">${kind.join(' · ')}</p>
          <h1>${titleOf(listing)}</h1>
          <p class="place">${placeOf(listing)}</p>
          <p class="price">${priceOf(listing)}</p>
          <p class="facts">${sizesOf(listing).map((size) => html`<span>${size}</span> `)}</p>
        </header>
        ${
          commentaires === undefined
            ? null
            : html`<section>
                <h2>Description</h2>
                ${commentaires
                  .split('\n')
                  .filter((line) => line.trim() !== '')
                  .map((line) => html`<p>${line}</p>`)}
              </section>`
        }
        ${titled('Performance énergétique', energyLabels(listing))} ${titled('Mentions légales', mentionList(listing))}
        ${particulars(listing)} ${contact(listing)}
      </article>
      <aside>${feedBanner(feed)} ${answer(listing, gateway)}</aside>
    </div>`;
}

function titled(title: string, body: Html | null): Html | null {
  return body === null
    ? null
    : html`<section>
        <h2>${title}</h2>
        ${body}
      </section>`;
}

function gallery(listing: Listing, places: PhotoPlaces): Html {
  const { photos } = listing;
  if (photos.length === 0) return html`<div class="gallery">${photoFigure(listing, 0, { places, width: 1024 })}</div>`;
  return html`<ul class="gallery">
    ${photos.map(
      (photo, index) =>
        html`<li>
          <a href="${addressOf(photo, places, 1600)}"
            >${photoFigure(listing, index, {
              places,
              width: index === 0 ? 1024 : 640,
              eager: index === 0,
            })}${photo.legende === undefined ? null : html`<span class="caption">${photo.legende}</span>`}</a
          >
        </li>`,
    )}
  </ul>`;
}

function contact({ agenceNom, agenceTel, negoNom, negoEmail, negoTel }: Listing): Html | null {
  const phone = negoTel ?? agenceTel;
  if ([agenceNom, negoNom, negoEmail, phone].every((value) => value === undefined)) return null;
  return html`<section class="contact">
    <h2>Contact</h2>
    <p>${[negoNom, agenceNom].filter((name) => name !== undefined).join(', ')}</p>
    <p>
      ${phone === undefined ? null : html`<a class="button plain" href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a> `}${
        negoEmail === undefined ? null : html`<a class="button plain" href="mailto:${negoEmail}">${negoEmail}</a>`
      }
    </p>
  </section>`;
}

/** The JSON of `GET /v1/properties/{id}`, and the call that it answers. */
function answer(listing: Listing, { crm, client }: DemoGateway): Html {
  const call = `GET /v1/properties/${encodeURIComponent(listing.affId)}?${new URLSearchParams({ crm, client }).toString()}`;
  return html`<details class="answer" open>
    <summary>Le JSON de l’API</summary>
    <p><code>${call}</code></p>
    <pre tabindex="0">${inColours(JSON.stringify(listing, null, 2))}</pre>
  </details>`;
}

/** Names of members stand out. */
function inColours(json: string): Html {
  return html`${json.split('\n').map((line) => {
    const [, indent, name, rest] = /^( *)("(?:[^"\\]|\\.)*")(:.*)$/.exec(line) ?? [];
    return name === undefined ? [line, '\n'] : [indent ?? '', html`<b>${name}</b>`, rest ?? '', '\n'];
  })}`;
}
