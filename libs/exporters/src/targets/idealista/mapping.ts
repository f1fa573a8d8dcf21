import type { Listing } from '@passerelle/domain';
import { contactOf } from '../../kit/settings';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsByLanguage } from '../../kit/languages';
import { photoAddress } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { choiceOf, settingOf } from '../../kit/settings';
import { cleanText, cutText, fittingId } from '../../kit/text';
import { featuresOf } from './features';
import { COUNTRIES, CUSTOMER_COUNTRIES, LANGUAGES } from './lookups';

export const MOST_PHOTOS = 200;
const LONGEST_CODE = 50;
const LONGEST_TEXT = 4000;
const EMAIL = /^[\w.-]+@(?:[\w-]+\.)+[a-z]{2,5}$/i;

/** The customer, up to the list of properties. */
export function documentStart(context: ExportContext): string {
  const customer = {
    customerCountry: choiceOf(context, 'country', CUSTOMER_COUNTRIES),
    customerCode: settingOf(context, 'code'),
    // The format has no zone: UTC, so that a snapshot always has the same bytes.
    customerSendDate: new Date(context.publishedAtMs).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' '),
    customerName: settingOf(context, 'name'),
    customerContact: placementContact(context),
  };
  return `${JSON.stringify(given(customer)).slice(0, -1)},"customerProperties":[\n`;
}

export const DOCUMENT_END = '\n]}\n';

export function propertyCode(advertId: string): string {
  return fittingId(advertId, LONGEST_CODE, /^[\w./:-]+$/);
}

/** One element of `customerProperties`. */
export function propertyJson(item: ExportItem, context: ExportContext): string {
  const { listing, advertId } = item;
  return JSON.stringify(
    given({
      propertyCode: propertyCode(advertId),
      propertyReference: text(listing.affNum, LONGEST_CODE),
      propertyVisibility: 'idealista',
      propertyOperation: operationOf(listing),
      propertyAddress: addressOf(listing),
      propertyContact: listingContact(listing, context),
      propertyFeatures: given(featuresOf(listing)),
      propertyDescriptions: descriptionsOf(listing, context),
      propertyImages: imagesOf(listing),
      propertyUrl: listing.url,
    }),
  );
}

/** One operation with a price in whole units. A takeover is a rent with a price of its own. */
function operationOf(listing: Listing): object {
  const { typeTransaction, prix, loyer, depotGarantie, fraisCommunaute } = listing;
  const isTakeover = typeTransaction === 'cession-de-bail';
  const isRent = typeTransaction === 'location' || isTakeover;
  const months = isRent && loyer !== undefined && depotGarantie !== undefined ? depotGarantie / loyer : undefined;
  return given({
    operationType: isRent ? 'rent' : 'sale',
    operationPrice: whole(isRent ? loyer : prix),
    operationPriceTransfer: isTakeover ? whole(prix) : undefined,
    operationPriceCommunity: isRent ? undefined : whole(fraisCommunaute?.montant),
    operationDepositMonths: months !== undefined && Number.isInteger(months) && months <= 12 ? months : undefined,
  });
}

/** Without an address that may be shown there is no street, and the position only shows the zone. */
function addressOf(listing: Listing): object {
  const position = positionOf(listing);
  return given({
    addressVisibility: listing.adresse === undefined ? 'hidden' : 'full',
    addressStreetName: text(listing.adresse, 200),
    addressFloor: floorOf(listing.etage),
    addressUrbanization: text(listing.quartier, 50),
    addressPostalCode: listing.codePostal,
    addressTown: text(listing.ville, 50),
    addressCountry: COUNTRIES[listing.pays ?? ''],
    addressCoordinatesPrecision: position === undefined ? undefined : position.isExact ? 'exact' : 'moved',
    addressCoordinatesLatitude: position?.latitude,
    addressCoordinatesLongitude: position?.longitude,
  });
}

/** `bj` is the ground floor, `st` is below it. */
function floorOf(floor: number | undefined): string | undefined {
  if (floor === undefined || floor > 60 || floor < -2) return undefined;
  return floor === 0 ? 'bj' : String(floor);
}

function placementContact({ placement }: ExportContext): object | undefined {
  const { name, email, phone } = placement.contact;
  return contact(name, email, phone);
}

function listingContact(listing: Listing, context: ExportContext): object | undefined {
  const { name, email, phone } = contactOf(listing, context);
  return contact(name, email, phone);
}

function contact(name: string | undefined, email: string | undefined, phone: string | undefined): object | undefined {
  const { prefix, number } = phoneOf(phone);
  const members = given({
    contactName: text(name, 60),
    contactEmail: email !== undefined && EMAIL.test(email) ? email : undefined,
    contactPrimaryPhonePrefix: number === undefined ? undefined : prefix,
    contactPrimaryPhoneNumber: number,
  });
  return Object.keys(members).length === 0 ? undefined : members;
}

/** The prefix of a country has one to three digits; with a blank behind it, it is known how many. */
export function phoneOf(phone: string | undefined): { prefix: string | undefined; number: string | undefined } {
  const [, prefix, rest = phone ?? ''] = /^\+([1-9]\d{0,2})[\s-](.+)$/.exec(phone ?? '') ?? [];
  const digits = rest.replace(/^\+/, '00').replace(/\D/g, '');
  return digits.length >= 5 && digits.length <= 12
    ? { prefix, number: digits }
    : { prefix: undefined, number: undefined };
}

function descriptionsOf(listing: Listing, context: ExportContext): object[] | undefined {
  const found = textsByLanguage(listing, context.placement.language).flatMap(([language, { commentaires }]) =>
    commentaires === undefined || LANGUAGES[language] === undefined
      ? []
      : [{ descriptionLanguage: LANGUAGES[language], descriptionText: text(commentaires, LONGEST_TEXT) }],
  );
  return found.length === 0 ? undefined : found;
}

/** Plans and photos have one list; a label tells them apart. */
function imagesOf({ photos, plans = [] }: Listing): object[] | undefined {
  const images = [
    ...photos.map((photo) => ({ imageUrl: photoAddress(photo) })),
    ...plans.map(({ url, empreinte = '' }) => ({ imageUrl: photoAddress({ url, empreinte }), imageLabel: 'plan' })),
  ].slice(0, MOST_PHOTOS);
  return images.length === 0 ? undefined : images.map((image, at) => ({ imageOrder: at + 1, ...image }));
}

function text(value: string | undefined, most: number): string | undefined {
  return value === undefined ? undefined : cutText(cleanText(value), most) || undefined;
}

function whole(value: number | undefined): number | undefined {
  return value === undefined || value < 1 ? undefined : Math.round(value);
}

function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
