import {
  type EnergyQuantity,
  type Listing,
  momentMs,
  type RentPeriod,
  type TypeCode,
  type TypeTransaction,
} from '@passerelle/domain';

const TYPES: Readonly<Record<TypeCode, string>> = {
  appartement: 'Apartment',
  maison: 'House',
  terrain: 'Land',
  parking: 'Garage',
  immeuble: 'Building',
  bureau: 'Office',
  local: 'Commercial property',
  boutique: 'Shop',
  chateau: 'Castle',
  'hotel-particulier': 'Mansion',
  loft: 'Loft',
  fonds: 'Business',
  autre: 'Other',
};

const RENTALS: readonly (TypeTransaction | undefined)[] = ['location', 'location-saisonniere'];

/** Periods of a rent in the vocabulary of the format; other periods are converted to a month. */
const FREQUENCIES: Readonly<Partial<Record<RentPeriod, string>>> = { semaine: 'week', mois: 'month' };

/** The start of the document. Uses the snapshot's time, so that a snapshot always has the same bytes. */
export function kyeroStart(publishedAtMs: number): string {
  const head = element('kyero', element('feed_version', 3) + element('feed_generated', time(publishedAtMs)), true);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root>\n${head}\n`;
}

export const KYERO_END = '</root>\n';

/**
 * @param language of the listing's first texts, ISO 639-1
 * @param publishedAtMs first publication of the present version: importers read a property again when it changes
 */
export function kyeroProperty(listing: Listing, language: string, publishedAtMs: number): string {
  const { affId, affNum, typeCode, textes = {}, photos } = listing;
  const { price, frequency } = priceOf(listing);
  const others = Object.entries(textes).filter(([code]) => code !== language);
  const texts = (field: 'intitule' | 'commentaires'): string =>
    [[language, listing] as const, ...others].map(([code, text]) => element(code, text[field])).join('');
  const body = [
    element('id', affId),
    element('date', time(momentMs(listing.dateModification) ?? publishedAtMs)),
    element('ref', affNum ?? affId),
    element('price', price === undefined ? 'x' : Math.round(price)),
    element('currency', listing.prixCurrency ?? 'EUR'),
    element('price_freq', frequency),
    element('new_build', flag(listing.neuf)),
    element('type', TYPES[typeCode ?? 'autre']),
    element('town', listing.ville),
    element('province', listing.region),
    element('postcode', listing.codePostal),
    element('country', listing.pays),
    element('location', element('latitude', listing.latitude) + element('longitude', listing.longitude), true),
    element('location_detail', listing.quartier),
    element('beds', whole(listing.nbreChambres)),
    element('baths', whole(listing.nbreSallesDeBain ?? listing.nbreSallesEau)),
    element('pool', flag(listing.piscine)),
    element(
      'surface_area',
      element('built', whole(listing.surfaceHabitable)) + element('plot', whole(listing.surfaceTerrain)),
      true,
    ),
    element(
      'energy_rating',
      element('consumption', letter(listing, 'energie-primaire')) + element('emissions', letter(listing, 'emissions')),
      true,
    ),
    element('url', element(language, listing.url), true),
    element('video_url', listing.video),
    element('virtual_tour_url', listing.visiteVirtuelle),
    element('title', texts('intitule'), true),
    element('desc', texts('commentaires'), true),
    element('features', featuresOf(listing), true),
    element('email', listing.negoEmail),
    element('images', photos.map((photo, at) => imageOf(photo, at, language)).join(''), true),
  ];
  return `<property>${body.join('')}</property>\n`;
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
  const title = legende === undefined ? '' : element('title', element(language, legende), true);
  return `<image id="${at + 1}">${element('url', url)}${title}</image>`;
}

/** Features of a property, as English XML elements. */
function featuresOf(listing: Listing): string {
  const { ascenseur, balcon, terrasse, parking, meuble, etage } = listing;
  const words = Object.entries({
    Lift: ascenseur,
    Balcony: balcon,
    Terrace: terrasse,
    Parking: parking,
    Furnished: meuble,
  })
    .filter(([, has]) => has === true)
    .map(([word]) => word);
  if (etage !== undefined) words.push(etage === 0 ? 'Ground floor' : `Floor ${etage}`);
  if (listing.typeTransaction === 'viager') words.push(...annuityOf(listing));
  return words.map((word) => element('feature', word)).join('');
}

/** The cost of a life annuity as text: without a price, importers must not show it as an ordinary sale. */
function annuityOf({ bouquet, rente, prixCurrency = 'EUR' }: Listing): string[] {
  return [
    'Life annuity sale (viager)',
    ...(bouquet === undefined ? [] : [`Down payment: ${bouquet} ${prixCurrency}`]),
    ...(rente === undefined ? [] : [`Annuity: ${rente} ${prixCurrency} per month`]),
  ];
}

/** An XML element; an empty text if the value is unknown. */
function element(name: string, value: string | number | undefined, isXml = false): string {
  if (value === undefined || value === '') return '';
  return `<${name}>${isXml ? String(value) : escaped(String(value))}</${name}>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML does not allow, and halves of surrogate pairs. */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text.replace(NO_XML, '').replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');
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
