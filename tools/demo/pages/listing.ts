import type { Listing } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { inFigures, inMoney, placeOf, priceOf, sizesOf, titleOf, wordOf } from '../labels';
import type { DemoGateway, Feed } from '../read-api';
import { energyLabels } from './energy';
import { feedBanner } from './feed-banner';
import { listPath } from './page';
import { addressOf, photoFigure, type PhotoPlaces } from './photo';

const PAYER_WORDS = {
  acquereur: 'à la charge de l’acquéreur',
  vendeur: 'à la charge du vendeur',
  'acquereur-et-vendeur': 'à la charge de l’acquéreur et du vendeur',
  locataire: 'à la charge du locataire',
} as const;

export function listingPage(listing: Listing, gateway: DemoGateway, feed: Feed, places: PhotoPlaces): Html {
  const { typeTransaction, typeCode, commentaires = '', mentions = [] } = listing;
  const kind = [typeTransaction, typeCode].filter((code) => code !== undefined).map(wordOf);
  const lines = commentaires.split('\n').filter((line) => line.trim() !== '');
  const laws = mentions.map(({ texte, langue, source }) => html`<p lang="${langue}" title="${source}">${texte}</p>`);
  const text = lines.map((line) => html`<p>${line}</p>`);
  return html`<p class="back"><a href="${listPath(gateway)}">← Toutes les annonces</a></p>
    ${feedBanner(feed)}
    <article>
      ${gallery(listing, places)}
      <p class="kind">${kind.join(' · ')}</p>
      <h1>${titleOf(listing)}</h1>
      <p class="place">${placeOf(listing)}</p>
      <p class="price">${priceOf(listing)}</p>
      <p class="facts">${sizesOf(listing).map((size) => html`<span>${size}</span> `)}</p>
      ${section('Description', text)} ${section('Performance énergétique', energyLabels(listing))}
      ${section('Prix et mandat', facts(listing))} ${section('Mentions légales', laws)}
      <p>
        API :
        <code
          >GET /v1/properties/${encodeURIComponent(listing.affId)}?crm=${gateway.crm}&amp;client=${gateway.client}</code
        >
      </p>
    </article>`;
}

function section(title: string, body: Html[]): Html | null {
  return body.length === 0
    ? null
    : html`<section>
        <h2>${title}</h2>
        ${body}
      </section>`;
}

function gallery(listing: Listing, places: PhotoPlaces): Html {
  const { photos } = listing;
  if (photos.length === 0) return html`<div class="gallery">${photoFigure(listing, 0, places, 1024)}</div>`;
  return html`<ul class="gallery">
    ${photos.map(
      (photo, index) =>
        html`<li>
          <a href="${addressOf(photo, places, 1600)}"
            >${photoFigure(listing, index, places, index === 0 ? 1024 : 640)}</a
          >
        </li>`,
    )}
  </ul>`;
}

function facts(listing: Listing): Html[] {
  const { affNum, mandatNum, copropriete, coproLots, coproCharges, coproProcedure, agenceNom, agenceTel } = listing;
  const money = (amount?: number): string | undefined =>
    amount === undefined ? undefined : inMoney(amount, listing.prixCurrency);
  const flag = (value?: boolean): string | undefined => (value === undefined ? undefined : value ? 'Oui' : 'Non');
  const rows = Object.entries({
    Référence: affNum,
    Honoraires: feesOf(listing),
    'Prix hors honoraires': money(listing.prixHorsHonoraires),
    Charges: money(listing.charges),
    'Dépôt de garantie': money(listing.depotGarantie),
    'Bien en copropriété': flag(copropriete),
    'Lots de copropriété': coproLots,
    'Charges annuelles de copropriété': money(coproCharges),
    'Procédure en cours': flag(coproProcedure),
    'Mandat n°': mandatNum,
    Agence: [agenceNom, agenceTel].filter((part) => part !== undefined).join(', ') || undefined,
  }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
  );
  return rows.length === 0 ? [] : [html`<dl>${rows}</dl>`];
}

function feesOf({ honoraires, honorairesUnite, honorairesCharge, prixCurrency }: Listing): string | undefined {
  const payer = honorairesCharge && PAYER_WORDS[honorairesCharge];
  const isShare = honorairesUnite === 'pourcentage';
  const amount = honoraires && `${isShare ? `${inFigures(honoraires)} %` : inMoney(honoraires, prixCurrency)} TTC`;
  return [amount, payer].filter((part) => part !== undefined).join(' ') || undefined;
}
