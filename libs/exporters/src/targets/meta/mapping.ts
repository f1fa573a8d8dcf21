import type { EnergyQuantity, Listing } from '@passerelle/domain';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsFor } from '../../kit/languages';
import { priceOf } from '../../kit/offer';
import { photoAddress } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { settingOf } from '../../kit/settings';
import { cutText, decimal } from '../../kit/text';
import { element, group } from '../../kit/xml';
import { TYPES } from './lookups';

export const MOST_PHOTOS = 20;
const LONGEST_DESCRIPTION = 5000;

export function documentStart(context: ExportContext): string {
  const title = element('title', settingOf(context, 'title') ?? context.placement.client);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<listings>${title}\n`;
}

export const DOCUMENT_END = '</listings>\n';

/** One `listing` of a catalogue of homes. */
export function listingElement({ listing, advertId }: ExportItem, context: ExportContext): string {
  const { intitule, commentaires } = textsFor(listing, context.placement.language);
  const position = positionOf(listing);
  const { kind, amount } = priceOf(listing);
  const isRent = kind === 'rent';
  const currency = listing.prixCurrency ?? 'EUR';
  const home = group('listing', [
    element('home_listing_id', advertId),
    element('name', intitule),
    element('description', commentaires === undefined ? undefined : cutText(commentaires, LONGEST_DESCRIPTION)),
    element('availability', availabilityOf(listing, isRent)),
    addressElement(listing),
    element('latitude', position === undefined ? undefined : decimal(position.latitude, 6)),
    element('longitude', position === undefined ? undefined : decimal(position.longitude, 6)),
    element('neighborhood', listing.quartier ?? listing.ville),
    element('price', amount === undefined ? undefined : `${decimal(amount)} ${currency}`),
    ...listing.photos.slice(0, MOST_PHOTOS).map((photo) => group('image', [element('url', photoAddress(photo))])),
    element('listing_type', isRent ? 'for_rent_by_agent' : 'for_sale_by_agent'),
    element('property_type', TYPES[listing.typeCode ?? 'autre']),
    element('num_beds', count(listing.nbreChambres)),
    element('num_baths', count(listing.nbreSallesDeBain ?? listing.nbreSallesEau)),
    element('num_rooms', count(listing.nbrePieces)),
    element('area_size', listing.surfaceHabitable === undefined ? undefined : Math.round(listing.surfaceHabitable)),
    element('area_unit', listing.surfaceHabitable === undefined ? undefined : 'sq_m'),
    element('year_built', listing.anneeConstruction),
    element('energy_rating_eu', letterOf(listing, 'energie-primaire')),
    element('co_2_emission_rating_eu', letterOf(listing, 'emissions')),
    element('url', listing.url),
  ]);
  return `${home}\n`;
}

function availabilityOf({ statut }: Listing, isRent: boolean): string {
  if (statut !== undefined) return 'sale_pending';
  return isRent ? 'for_rent' : 'for_sale';
}

/** The street is there only if the listing shows its address. */
function addressElement(listing: Listing): string {
  const component = (name: string, value: string | undefined): string => element('component', value, { name });
  return group(
    'address',
    [
      component('addr1', listing.adresse),
      component('city', listing.ville),
      component('region', listing.region),
      component('postal_code', listing.codePostal),
      component('country', listing.pays),
    ],
    { format: 'simple' },
  );
}

function letterOf({ energie, dpeClasse, gesClasse }: Listing, quantity: EnergyQuantity): string | undefined {
  const own = quantity === 'emissions' ? gesClasse : dpeClasse;
  const letter = energie?.find(({ grandeur }) => grandeur === quantity)?.classe ?? own;
  return letter !== undefined && /^[A-G]$/.test(letter) ? letter : undefined;
}

function count(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.floor(value);
}
