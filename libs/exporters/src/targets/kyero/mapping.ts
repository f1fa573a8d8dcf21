import { type EnergyQuantity, type Listing, momentMs } from '@passerelle/domain';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { element, group } from '../../kit/xml';
import { FEATURES, FREQUENCIES, RENTALS, TYPES } from './lookups';

export const MOST_PHOTOS = 50;

/** The start of the document. Uses the snapshot's time, so that a snapshot always has the same bytes. */
export function documentStart({ publishedAtMs }: ExportContext): string {
  const head = group('kyero', [element('feed_version', 3), element('feed_generated', time(publishedAtMs))]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root>\n${head}\n`;
}

export const DOCUMENT_END = '</root>\n';

/** Importers read a property again when its `date` changes. */
export function propertyElement({ listing, advertId, changedAtMs }: ExportItem, context: ExportContext): string {
  const { language } = context.placement;
  const { affNum, typeCode, textes = {}, photos } = listing;
  const { price, frequency } = priceOf(listing);
  const others = Object.entries(textes).filter(([code]) => code !== language);
  const texts = (field: 'intitule' | 'commentaires'): string[] =>
    [[language, listing] as const, ...others].map(([code, text]) => element(code, text[field]));
  const property = group('property', [
    element('id', advertId),
    element('date', time(momentMs(listing.dateModification) ?? changedAtMs)),
    element('ref', affNum ?? listing.affId),
    element('price', price === undefined ? 'x' : Math.round(price)),
    element('currency', listing.prixCurrency ?? 'EUR'),
    element('price_freq', frequency),
    element('new_build', flag(listing.neuf)),
    element('type', TYPES[typeCode ?? 'autre']),
    element('town', listing.ville),
    element('province', listing.region),
    element('postcode', listing.codePostal),
    element('country', listing.pays),
    group('location', [element('latitude', listing.latitude), element('longitude', listing.longitude)]),
    element('location_detail', listing.quartier),
    element('beds', whole(listing.nbreChambres)),
    element('baths', whole(listing.nbreSallesDeBain ?? listing.nbreSallesEau)),
    element('pool', flag(listing.piscine)),
    group('surface_area', [
      element('built', whole(listing.surfaceHabitable)),
      element('plot', whole(listing.surfaceTerrain)),
    ]),
    group('energy_rating', [
      element('consumption', letter(listing, 'energie-primaire')),
      element('emissions', letter(listing, 'emissions')),
    ]),
    group('url', [element(language, listing.url)]),
    element('video_url', listing.video),
    element('virtual_tour_url', listing.visiteVirtuelle),
    group('title', texts('intitule')),
    group('desc', texts('commentaires')),
    group('features', featuresOf(listing)),
    element('email', context.placement.contact.email ?? listing.negoEmail),
    group(
      'images',
      photos.slice(0, MOST_PHOTOS).map((photo, at) => imageOf(photo, at, language)),
    ),
  ]);
  return `${property}\n`;
}

/** The price in the source's period, if the format has a word for it. */
function priceOf(listing: Listing): { price: number | undefined; frequency: string } {
  const { typeTransaction, prix, loyer, loyerSource } = listing;
  // The down payment of a life annuity is not a price, and the format has no field for the rest.
  if (typeTransaction === 'viager') return { price: undefined, frequency: 'sale' };
  const isRental = RENTALS.includes(typeTransaction) || (prix === undefined && loyer !== undefined);
  if (!isRental) return { price: prix, frequency: 'sale' };
  const frequency = FREQUENCIES[loyerSource?.periode ?? 'mois'];
  if (loyerSource === undefined || frequency === undefined) return { price: loyer, frequency: 'month' };
  return { price: loyerSource.montant, frequency };
}

function imageOf({ url, legende }: Listing['photos'][number], at: number, language: string): string {
  const title = group('title', [element(language, legende)]);
  return group('image', [element('url', url), title], { id: at + 1 });
}

/** Features of a property, as English words. */
function featuresOf(listing: Listing): string[] {
  const { etage, typeTransaction } = listing;
  const words = Object.entries(FEATURES)
    .filter(([, field]) => listing[field] === true)
    .map(([word]) => word);
  if (etage !== undefined) words.push(etage === 0 ? 'Ground floor' : `Floor ${etage}`);
  if (typeTransaction === 'viager') words.push(...annuityOf(listing));
  return words.map((word) => element('feature', word));
}

/** The cost of a life annuity as text: without a price, importers must not show it as an ordinary sale. */
function annuityOf({ bouquet, rente, prixCurrency = 'EUR' }: Listing): string[] {
  return [
    'Life annuity sale (viager)',
    ...(bouquet === undefined ? [] : [`Down payment: ${bouquet} ${prixCurrency}`]),
    ...(rente === undefined ? [] : [`Annuity: ${rente} ${prixCurrency} per month`]),
  ];
}

/** `YYYY-MM-DD HH:MM:SS`. */
function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** The format only allows integers. */
function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A certificate's letter from A to G: the format allows no others, and a letter is never converted. */
function letter({ energie, dpeClasse, gesClasse }: Listing, grandeur: EnergyQuantity): string | undefined {
  // Older listings have separate fields instead of the field `energie`.
  const own = grandeur === 'emissions' ? gesClasse : dpeClasse;
  const energyClass = energie?.find((figure) => figure.grandeur === grandeur)?.classe ?? own;
  return energyClass !== undefined && /^[A-G]$/.test(energyClass) ? energyClass : undefined;
}
