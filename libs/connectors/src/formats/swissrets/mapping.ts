import type { Statut } from '@passerelle/domain';
import type { XmlRecord } from '../xml-records';
import { toRooms } from '../../kit/clean/number';
import { toCountry } from '../../kit/clean/place';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import { links } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import type { ListingTexts } from '../../kit/by-language';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping, ListingRules } from '../../kit/listing-mapping';
import { position, readPostcode } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp, readCountry, readCurrency } from '../../kit/word-table';
import { categoryOf, categoryWordOf, hasCategory, typeCodeOf, utilizationWordOf } from './category';
import { imagesOf, linkOf, textsIn } from './localizations';
import * as f from './features';
import { AVAILABILITIES, TRANSACTIONS } from './lookups';
import { type Offer, readOffer } from './offer';
import { KEEP_SOLD_SETTING, type Showing, soldOrLet, standing, withdrawalFor } from '../../kit/status';

const prices = together<XmlRecord, Offer>(readOffer);
const texts = together<XmlRecord, ListingTexts>(textsIn);
const place = together<XmlRecord, Place>(readPlace);
const at = {
  currency: compilePath('prices.@currency'),
  rooms: compilePath('characteristics.numberOfRooms'),
  floor: compilePath('characteristics.isGroundFloor'),
  balcony: compilePath('characteristics.hasBalcony'),
  balconyArea: compilePath('characteristics.areaBalcony'),
  locality: compilePath('address.locality'),
  postcode: compilePath('address.postalCode'),
  country: compilePath('address.countryCode'),
  street: compilePath('address.street'),
  streetNumber: compilePath('address.streetNumber'),
  streetAddition: compilePath('address.streetAddition'),
};
const parkings = [
  'hasParking',
  'hasGarage',
  'hasGarageDouble',
  'hasGarageUnderground',
  'hasCarPort',
  'hasCarPortDouble',
].map((name) => compilePath(`characteristics.${name}`));

/** SwissRETS 2.7; paths start at `property`. */
export const SWISSRETS_MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'minergieCertification is a label, not a class': ['certificate'],
    'costs on top of the net rent are one amount: extra': ['rentParts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'the seller has names and contact details, no licence': ['licences'],
    'a property names its unit; development is a state of building': ['project'],
    'prices are current prices': ['priceDetails'],
    'a French measure': ['otherAreas'],
    'parking of each kind is a yes or a no': ['amenities'],
    'the schema does not say that a tenant stays': ['investment'],
    'the schema has no field for it': ['comfort'],
    'availability is one of five words, and a date': ['availability'],
  }),
  affId: v.identifier('@id'),
  affNum: v.first(v.text('visualReferenceId'), v.text('referenceId')),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  url: v.computed(linkOf('linkDirect')),
  ...prices.fields(
    'typeTransaction',
    'prix',
    'prixSurDemande',
    'loyer',
    'loyerPeriode',
    'loyerSource',
    'charges',
    'loyerBase',
    'loyerHorsCharges',
    'loyerChargesComprises',
  ),
  typeTransactionSource: v.text('type'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.first(v.computed(categoryWordOf), v.computed(utilizationWordOf)),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  prixCurrency: v.computed(currencyOf),
  surfaceHabitable: v.firstOf(v.area, 'characteristics.areaBwf', 'characteristics.areaNwf'),
  nbrePieces: v.computed((record, context) => {
    const rooms = roomsOf(record);
    const written = textOf(at.rooms(record)) ?? '';
    if (rooms === undefined && /[1-9]/.test(written))
      context.warn('implausible_value', 'characteristics.numberOfRooms', written.slice(0, 120));
    return rooms;
  }),
  ville: v.text('address.locality'),
  ...place.fields('codePostal', 'pays'),
  adresse: v.computed(streetOf),
  ...position('address.geo.latitude', 'address.geo.longitude'),
  photos: v.photos('localizations.localization.attachments.image', imagesOf),
  agenceNom: v.first(
    v.text('seller.organization.brand'),
    v.text('seller.organization.legalName'),
    v.setting('agence-nom'),
  ),
  agenceTel: v.first(v.text('seller.organization.phone'), v.text('seller.organization.mobile')),
  negoNom: v.joined('seller.contactPerson.givenName', 'seller.contactPerson.familyName'),
  negoEmail: v.email('seller.contactPerson.email', 'seller.organization.email'),
  negoTel: v.first(v.text('seller.contactPerson.phone'), v.text('seller.contactPerson.mobile')),
  surfaceTerrain: v.area('characteristics.areaPropertyLand'),
  nbreSallesDeBain: v.integer('characteristics.numberOfBathrooms'),
  nbreSallesEau: v.integer('characteristics.numberOfShowers'),
  etage: v.first(
    v.floor('characteristics.floor'),
    v.computed((record: XmlRecord) => (toFlag(scalarOf(at.floor(record))) === true ? 0 : undefined)),
  ),
  nbreEtages: v.integer('characteristics.numberOfFloors'),
  anneeConstruction: v.year('characteristics.yearBuilt'),
  meuble: v.computed((record) => hasCategory(record, 'furnished-flat') || undefined),
  neuf: v.flag('characteristics.isNewConstruction'),
  balcon: v.computed(balconyOf),
  terrasse: v.anyOf('characteristics.areaTerrace'),
  parking: v.computed(parkingOf),
  ascenseur: v.flag('characteristics.hasElevator'),
  piscine: v.flag('characteristics.hasSwimmingPool'),
  depotGarantie: v.money('prices.deposit'),
  visiteVirtuelle: v.computed(linkOf('linkVirtualTour')),
  video: v.computed(linkOf('linkYoutube')),
  disponibilite: v.day('availability.@start'),
  dateCreation: v.date('created'),
  dateModification: v.date('modified'),
  region: v.text('address.region'),
  surfaceUtile: v.area('characteristics.areaSiaNf'),
  surfaceTotale: v.area('characteristics.areaSiaGf'),
  nbreWc: v.computed(f.toiletsOf, 'characteristics.numberOfToilets', 'characteristics.numberOfToiletsGuest'),
  parkingType: f.PARKING_TYPE,
  chauffageType: f.HEATING_TYPE,
  chauffageEnergie: f.HEAT_SOURCE,
  etat: f.CONDITION,
  vue: f.VIEW,
  jardin: v.anyOf('characteristics.areaGarden'),
  cave: v.first(v.flag('characteristics.hasCellar'), v.anyOf('characteristics.areaCellar')),
  cheminee: v.flag('characteristics.hasFireplace'),
  accessible: v.flag('characteristics.isWheelchairAccessible'),
  animaux: v.flag('characteristics.arePetsAllowed'),
  rendement: v.decimal('characteristics.grossPremium'),
  caracteristiques: f.FEATURES,
  plans: links(f.plansOf),
  documents: links(f.documentsOf),
  ...v.absent('not in the format', 'quartier'),
  ...v.absent('the format counts rooms, never bedrooms', 'nbreChambres'),
  ...v.absent('areas by SIA 416 other than aGF and NF are parts of these', 'surfaceBureaux'),
  ...v.absent('the schema has no place for it', 'fraisCommunaute', 'numeroEnregistrement', 'regimePropriete'),
};

export const SWISSRETS_SETTINGS: Readonly<Record<string, string>> = {
  'agence-nom': 'Name of the agency, for properties whose seller has neither a brand nor a legal name.',
  devise: 'Currency of prices that do not say theirs. Default CHF.',
  langue: 'Language of texts and images preferred to French and English, such as "de".',
  pays: 'Country of addresses that do not name theirs. Default CH.',
  ...KEEP_SOLD_SETTING,
};

/** Why a property must not be shown. An unknown word does not hide it. */
export const SWISSRETS_RULES: ListingRules<XmlRecord> = {
  withdrawn: (record, context) => withdrawalFor(availabilityOf(record, context), context),
};

function availabilityOf(record: XmlRecord, context: RecordContext): Showing | undefined {
  const found = lookUp(AVAILABILITIES, textOf(record['availability']), 'availability', context);
  if (found?.isOver !== true) return found;
  const statut = soldOrLet(TRANSACTIONS.find(textOf(record['type']) ?? ''));
  return { ...found, ...(statut !== undefined && { statut }) };
}

function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  return availabilityOf(record, { ...context, warn: () => undefined })?.statut;
}

function titleParts(record: XmlRecord): TitleParts {
  return {
    type: categoryOf(record)?.title,
    pieces: roomsOf(record),
    ville: plainLine(textOf(at.locality(record)) ?? ''),
  };
}

/** `4½` and `4 1/2` are 4.5. */
const HALF = /^(\d{1,2})\s*(?:½|1\/2)$/;

function roomsOf(record: XmlRecord): number | undefined {
  return toRooms(textOf(at.rooms(record))?.replace(HALF, '$1.5'));
}

const FRANCS: ReadonlySet<string> = new Set(['sfr', 'fr', 'frs', 'fs']);

function currencyOf(record: XmlRecord, context: RecordContext): string | undefined {
  const word = textOf(at.currency(record));
  if (word !== undefined && FRANCS.has(foldWord(word))) return 'CHF';
  return readCurrency(word, 'prices.@currency', context, 'CHF');
}

interface Place {
  pays: string | undefined;
  codePostal: string | undefined;
}

function readPlace(record: XmlRecord, context: RecordContext): Place {
  const pays = countryOf(record, context);
  return { pays, codePostal: readPostcode(scalarOf(at.postcode(record)), pays, 'address.postalCode', context) };
}

/** An address without a country is in Switzerland; without an address the country is unknown. */
function countryOf(record: XmlRecord, context: RecordContext): string | undefined {
  const word = textOf(at.country(record));
  if (word !== undefined) return readCountry(word, 'address.countryCode', context);
  if (textOf(at.locality(record)) === undefined && textOf(at.postcode(record)) === undefined) return undefined;
  return toCountry(context.settings['pays']) ?? 'CH';
}

/** A letter belongs to the number, as in `Somestreet 5a`; a word does not. */
function streetOf(record: XmlRecord): string | undefined {
  const street = plainLine(textOf(at.street(record)) ?? '');
  if (street === undefined) return undefined;
  const number = plainLine(textOf(at.streetNumber(record)) ?? '') ?? '';
  const addition = plainLine(textOf(at.streetAddition(record)) ?? '') ?? '';
  const isLetter = number !== '' && /^[a-z]$/i.test(addition);
  return plainLine(isLetter ? `${street} ${number}${addition}` : `${street} ${number} ${addition}`);
}

/** If the feed does not say whether there is a balcony, a balcony area means yes. */
function balconyOf(record: XmlRecord): boolean | undefined {
  const word = scalarOf(at.balcony(record));
  return word === undefined ? toFlag(scalarOf(at.balconyArea(record))) || undefined : toFlag(word);
}

/** One parking space of any kind means yes. Without one, a "no" counts only if it is about parking as a whole. */
function parkingOf(record: XmlRecord): boolean | undefined {
  const answers = parkings.map((read) => toFlag(scalarOf(read(record))));
  return answers.includes(true) ? true : answers[0];
}
