import type { Listing } from '@passerelle/domain';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsFor } from '../../kit/languages';
import { priceOf, rentIn } from '../../kit/offer';
import { photoAddress } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { cutText, decimal, frenchDay, oneLine } from '../../kit/text';
import { element, group } from '../../kit/xml';
import { TYPES } from './lookups';

export const MOST_PHOTOS = 50;
const LONGEST = 255;

export const DOCUMENT_START = '<?xml version="1.0" encoding="UTF-8"?>\n<trovit>\n';
export const DOCUMENT_END = '</trovit>\n';

/** One `ad`. Texts other than the content have at most 255 characters. */
export function adElement({ listing, advertId, changedAtMs }: ExportItem, context: ExportContext): string {
  const { intitule, commentaires } = textsFor(listing, context.placement.language);
  const position = positionOf(listing);
  const { kind } = priceOf(listing);
  const ad = group('ad', [
    element('id', advertId),
    element('url', listing.url),
    element('title', short(intitule)),
    element('type', kind === 'rent' ? 'For Rent' : 'For Sale'),
    element('content', commentaires),
    priceElement(listing),
    element('property_type', TYPES[listing.typeCode ?? 'autre']),
    element('floor_area', whole(listing.surfaceHabitable), { unit: 'meters' }),
    element('plot_area', whole(listing.surfaceTerrain), { unit: 'meters' }),
    // In this format "rooms" are bedrooms.
    element('rooms', count(listing.nbreChambres)),
    element('bathrooms', count(bathroomsOf(listing))),
    element('parking', listing.nbreParkings ?? yesOrNo(listing.parking)),
    element('floor_number', listing.etage),
    element('is_furnished', yesOrNo(listing.meuble)),
    element('is_new', listing.neuf === undefined ? undefined : Number(listing.neuf)),
    element('year', listing.anneeConstruction),
    element('condition', short(listing.etat)),
    element('eco_score', classOf(listing)),
    element('address', short(listing.adresse)),
    element('city_area', short(listing.quartier)),
    element('city', short(listing.ville)),
    element('postcode', listing.codePostal),
    element('region', short(listing.region)),
    element('latitude', position === undefined ? undefined : decimal(position.latitude, 6)),
    element('longitude', position === undefined ? undefined : decimal(position.longitude, 6)),
    element('virtual_tour', listing.visiteVirtuelle),
    element('agency', short(listing.agenceNom)),
    group(
      'pictures',
      listing.photos
        .slice(0, MOST_PHOTOS)
        .map((photo) =>
          group('picture', [
            element('picture_url', photoAddress(photo)),
            element('picture_title', short(photo.legende)),
          ]),
        ),
    ),
    element('date', frenchDay(listing.dateModification) ?? frenchDay(new Date(changedAtMs).toISOString())),
  ]);
  return `${ad}\n`;
}

/** The rent of a week stays one; other rents are monthly. */
function priceElement(listing: Listing): string {
  const { kind, amount } = priceOf(listing);
  if (kind === 'sale') return element('price', amount === undefined ? undefined : decimal(amount));
  const rent = rentIn(listing, ['semaine']);
  if (rent === undefined) return '';
  return element('price', decimal(rent.amount), { period: rent.period === 'semaine' ? 'weekly' : 'monthly' });
}

function bathroomsOf({ nbreSallesDeBain, nbreSallesEau }: Listing): number | undefined {
  return nbreSallesDeBain === undefined ? nbreSallesEau : nbreSallesDeBain + (nbreSallesEau ?? 0);
}

function classOf({ energie }: Listing): string | undefined {
  return energie?.find(({ classe }) => classe !== undefined)?.classe;
}

function yesOrNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'yes' : 'no';
}

function short(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(oneLine(text), LONGEST);
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

function count(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.floor(value);
}
