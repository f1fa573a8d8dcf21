import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toIsoDate } from '../../kit/clean/date';
import { toCurrency } from '../../kit/clean/money';
import { type AreaUnit, toRooms } from '../../kit/clean/number';
import { toCountry } from '../../kit/clean/place';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { inWords, links } from '../../kit/collections';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { readCurrency } from '../../kit/word-table';
import { statutOf, showsAddress } from './display';
import { hasBalcony, hasElevator, hasParking, isAccessible, hasPool, hasTerrace } from './features';
import { AREA_UNITS, EXCLUSIVE_AGREEMENTS, FURNISHED, type PropertyKind, squeezed, SUB_TYPES, TYPES } from './lookups';
import { photosOf, tourOf } from './media';
import { associationFeeOf, floorOf } from './parts';
import { FEATURES, lineOf, listed, mediaLinks, oldPriceOf, parkingSpacesOf } from './list-fields';
import { amount, DIGITS, type Offer, readOffer } from './offer';
import { standing } from '../../kit/status';
import { furtherOfferId } from '../../formats/several-offers';

const prices = together<JsonRecord, Offer>(readOffer);
/** Most servers omit the unit, which is then square feet. */
const livingArea = v.first(
  measure('LivingArea', 'LivingAreaUnits', 'ft2'),
  measure('BuildingAreaTotal', 'BuildingAreaUnits', 'ft2'),
);

const listingKey = v.firstOf(v.identifier, 'ListingKey', 'ListingKeyNumeric');

/** Names of the RESO Data Dictionary, 1.7 and 2.0. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in the Data Dictionary', {
    'the Data Dictionary has green labels, no European classes': ['certificate'],
    'commissions are between agents': ['fees'],
    'specific to French rent control': ['rentControl'],
    'the parts of a rent are a list of words, without amounts': ['rentParts'],
    'fees of the association are by the year: coproCharges': ['yearlyCosts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'an office has no licence in the Data Dictionary; compensation is between agents': ['licences'],
    'a record is one property; builders name a model, not a project': ['project'],
    'prices have no words beside them, and none is by area': ['priceDetails'],
    'BuildingAreaTotal may replace the living area; other areas are parts': ['otherAreas'],
    'Heating says both how and with what': ['heating'],
    'the occupant is private': ['investment'],
    'no field says so': ['comfort'],
  }),
  affId: v.computed((record, context) => furtherOfferId(listingKey.read(record, context), record), ...listingKey.paths),
  affNum: v.firstOf(v.text, 'ListingId', 'ListingKey', 'ListingKeyNumeric'),
  intitule: v.first(v.computed(addressOf), v.builtTitle(titleParts)),
  commentaires: v.prose('PublicRemarks'),
  // The path of a page may contain the street, so it is shown only with the address.
  url: v.when(showsAddress, v.url('ListingURL')),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixPlage', 'loyer', 'loyerPeriode', 'loyerSource'),
  typeTransactionSource: v.text('PropertyType'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.first(
    v.computed((record: JsonRecord) => plainLine(subTypeOf(record))),
    v.text('PropertySubType'),
    v.text('PropertyType'),
  ),
  ...standing(standingOf).fields('statut', 'sousOffre'),
  prixCurrency: v.computed(currencyOf),
  surfaceHabitable: v.computed((record, context) =>
    kindOf(record)?.code === 'terrain' ? undefined : livingArea.read(record, context),
  ),
  nbrePieces: v.rooms('RoomsTotal'),
  nbreChambres: v.rooms('BedroomsTotal'),
  ville: v.first(v.text('City'), v.text('PostalCity')),
  ...place({ country: v.word('Country'), postcode: v.word('PostalCode') }),
  adresse: v.computed(addressOf),
  quartier: v.computed(subdivisionOf),
  ...position('Latitude', 'Longitude', showsAddress),
  photos: v.computed(photosOf),
  agenceNom: v.first(v.text('ListOfficeName'), v.setting('agence-nom')),
  agenceTel: v.text('ListOfficePhone'),
  negoNom: v.first(v.text('ListAgentFullName'), v.joined('ListAgentFirstName', 'ListAgentLastName')),
  negoEmail: v.email('ListAgentEmail', 'ListOfficeEmail'),
  negoTel: v.first(v.text('ListAgentPreferredPhone'), v.text('ListAgentDirectPhone'), v.text('ListAgentOfficePhone')),
  surfaceTerrain: v.first(
    measure('LotSizeArea', 'LotSizeUnits'),
    v.area('LotSizeSquareFeet', 'ft2', DIGITS),
    v.area('LotSizeAcres', 'acre', DIGITS),
  ),
  nbreSallesDeBain: v.first(v.integer('BathroomsTotalInteger'), v.integer('BathroomsFull')),
  nbreSallesEau: v.integer('BathroomsThreeQuarter'),
  nbreWc: v.firstOf(v.integer, 'BathroomsHalf', 'BathroomsPartial'),
  etage: v.computed((record: JsonRecord) => floorOf(record, kindOf(record)?.code), 'EntryLevel'),
  nbreEtages: v.first(v.integer('StoriesTotal'), v.integer('Stories')),
  anneeConstruction: v.year('YearBuilt'),
  meuble: v.computed((record) => FURNISHED.find(textOf(record['Furnished']) ?? '')),
  exclusivite: v.computed((record) => EXCLUSIVE_AGREEMENTS.find(textOf(record['ListingAgreement']) ?? '')),
  neuf: v.flag('NewConstructionYN'),
  balcon: v.computed(hasBalcony),
  terrasse: v.computed(hasTerrace),
  parking: v.computed(hasParking),
  ascenseur: v.computed(hasElevator),
  piscine: v.computed(hasPool),
  mandatType: v.text('ListingAgreement'),
  taxeFonciere: v.money('TaxAnnualAmount', DIGITS),
  copropriete: v.flag('AssociationYN'),
  coproLots: v.integer('NumberOfUnitsInCommunity'),
  coproCharges: v.computed(associationFeeOf),
  visiteVirtuelle: v.when(
    showsAddress,
    v.first<JsonRecord, string>(
      v.url('VirtualTourURLUnbranded'),
      v.url('VirtualTourURLBranded'),
      v.computed((record) => tourOf(record, 'tour')),
    ),
  ),
  video: v.when(
    showsAddress,
    v.computed((record) => tourOf(record, 'video')),
  ),
  disponibilite: isoDay('AvailabilityDate'),
  dateCreation: v.first(isoDate('OriginalEntryTimestamp'), isoDate('ListingContractDate'), isoDate('OnMarketDate')),
  dateModification: isoDate('ModificationTimestamp'),
  region: v.text('StateOrProvince'),
  prixAncien: v.computed(oldPriceOf, 'PreviousListPrice', 'OriginalListPrice', 'ListPrice'),
  surfaceTotale: measure('BuildingAreaTotal', 'BuildingAreaUnits', 'ft2'),
  nbreParkings: v.computed(parkingSpacesOf),
  parkingType: lineOf('ParkingFeatures'),
  chauffageType: lineOf('Heating'),
  etat: lineOf('PropertyCondition'),
  exposition: inWords('DirectionFaces'),
  vue: lineOf('View'),
  cave: listed('Basement'),
  climatisation: v.first<JsonRecord, boolean>(v.flag('CoolingYN'), listed('Cooling')),
  cheminee: v.first<JsonRecord, boolean>(v.flag('FireplaceYN'), v.anyOf('FireplacesTotal')),
  accessible: v.computed(isAccessible, 'AccessibilityFeatures'),
  animaux: v.computed(petsOf, 'PetsAllowed'),
  rendement: v.decimal('CapRate', DIGITS),
  caracteristiques: FEATURES,
  disponibiliteTexte: inWords('Possession'),
  plans: links((record: JsonRecord) => (showsAddress(record) ? mediaLinks(record, /^floorplan/) : [])),
  documents: links((record: JsonRecord) => (showsAddress(record) ? mediaLinks(record, /^document/) : [])),
  negoCarte: v.text('ListAgentStateLicense'),
  regimePropriete: lineOf('Ownership'),
  ...v.absent(
    'not in the Data Dictionary',
    'surfaceCarrez',
    'honorairesEtatDesLieux',
    'honorairesBareme',
    'prixHorsHonoraires',
  ),
  ...v.absent('the costs of a tenant beside the rent are free text: RentIncludes, TenantPays', 'charges'),
  ...v.absent('remarks have one language', 'textes'),
  ...v.absent('remarks have one language, and do not say which', 'langue'),
  ...v.absent('no field of the Data Dictionary registers short lets', 'numeroEnregistrement'),
};

/**
 * Only a plain yes or no counts. "Cats OK" and "Call" mean neither yes nor no, because they do not apply to all pets.
 */
function petsOf(record: JsonRecord): boolean | undefined {
  const words = listOf(record['PetsAllowed']).map((value) => toFlag(scalarOf(value)));
  return words.length === 1 ? words[0] : undefined;
}

const NO_SUB_TYPE: ReadonlySet<string> = new Set(['other', 'none', 'seeremarks']);

function subTypeOf(record: JsonRecord): string | undefined {
  return listOf(record['PropertySubType'])
    .map(textOf)
    .find((word) => word !== undefined && !NO_SUB_TYPE.has(squeezed(word)));
}

function kindOf(record: JsonRecord): PropertyKind | undefined {
  const subType = subTypeOf(record);
  return subType === undefined ? TYPES.find(textOf(record['PropertyType']) ?? '') : SUB_TYPES.find(subType);
}

function typeCodeOf(record: JsonRecord, context: RecordContext): PropertyKind['code'] | undefined {
  const subType = subTypeOf(record);
  const word = subType ?? textOf(record['PropertyType']);
  if (word === undefined) return undefined;
  const kind = kindOf(record);
  if (kind === undefined)
    context.warn('unknown_word', subType === undefined ? 'PropertyType' : 'PropertySubType', word.slice(0, 120));
  return kind?.code ?? 'autre';
}

/** Builds the title without the address, because the address may be hidden. */
function titleParts(record: JsonRecord): TitleParts {
  return {
    type: kindOf(record)?.title ?? plainLine(textOf(record['PropertySubType']) ?? textOf(record['PropertyType']) ?? ''),
    pieces: toRooms(scalarOf(record['RoomsTotal'])),
    chambres: toRooms(scalarOf(record['BedroomsTotal'])),
    ville: plainLine(textOf(record['City']) ?? textOf(record['PostalCity']) ?? ''),
  };
}

/** Words that agents write into this mandatory field if there is no subdivision. */
const NO_SUBDIVISION: ReadonlySet<string> = new Set([
  'none',
  'na',
  'notapplicable',
  'other',
  'unknown',
  'notinasubdivision',
]);

function subdivisionOf(record: JsonRecord): string | undefined {
  const name = textOf(record['SubdivisionName']);
  return name === undefined || NO_SUBDIVISION.has(squeezed(name)) ? undefined : plainLine(name);
}

function countryOf(record: JsonRecord, context: RecordContext): string | undefined {
  return toCountry(textOf(record['Country']) ?? context.settings['pays']);
}

/**
 * The Data Dictionary has no currency, but some servers add one. Otherwise the country decides, else the setting. An
 * amount may be in any dollars, so without these there is none, with a warning.
 */
function currencyOf(record: JsonRecord, context: RecordContext): string | undefined {
  const { settings } = context;
  const word = textOf(record['Currency']);
  if (word !== undefined) return readCurrency(word, 'Currency', context);
  const found = CURRENCIES[countryOf(record, context) ?? ''] ?? toCurrency(settings['currency'] ?? settings['devise']);
  if (found === undefined && AMOUNTS.some((field) => amount(record, field) !== undefined))
    context.warn('implausible_value', 'Country', 'amounts without a currency: set `currency` or `pays`');
  return found;
}

const AMOUNTS = ['ListPrice', 'LeaseAmount'];
const CURRENCIES: Readonly<Record<string, string>> = { US: 'USD', PR: 'USD', CA: 'CAD' };
const STREET = ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix', 'StreetDirSuffix'] as const;

/** The address as the agent wrote it, else built from its parts; undefined if it must not be shown. */
function addressOf(record: JsonRecord): string | undefined {
  if (!showsAddress(record)) return undefined;
  return plainLine(textOf(record['UnparsedAddress']) ?? '') ?? streetOf(record);
}

function streetOf(record: JsonRecord): string | undefined {
  if (textOf(record['StreetName']) === undefined) return undefined;
  const street = STREET.map((field) => textOf(record[field]) ?? '').join(' ');
  const unit = textOf(record['UnitNumber']);
  return plainLine(unit === undefined ? street : `${street} #${unit}`);
}

function measure(field: string, unitField: string, usual?: AreaUnit): v.Verb<JsonRecord, number> {
  return v.area(field, v.unit(AREA_UNITS, unitField, usual), DIGITS);
}

const YEAR_FIRST = /^\d{4}/;

/** The year must come first, as in the protocol: `03/04/2024` means different days in different countries. */
export function toYearFirst(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && YEAR_FIRST.test(text) ? toIsoDate(text) : undefined;
}

/** Reads a date like `toYearFirst`, and warns about digits in another order. */
function isoDate(field: string): v.Verb<JsonRecord, string> {
  return v.computed((record: JsonRecord, context) => {
    const written = textOf(record[field]) ?? '';
    if (/[1-9]/.test(written) && !YEAR_FIRST.test(written))
      context.warn('implausible_value', field, written.slice(0, 120));
    return toYearFirst(written);
  });
}

function isoDay(field: string): v.Verb<JsonRecord, string> {
  const date = isoDate(field);
  return v.computed((record: JsonRecord, context) => date.read(record, context)?.slice(0, 10));
}

function standingOf(record: JsonRecord, context: RecordContext): Statut | undefined {
  return statutOf(record, MAPPING.typeTransaction.read(record, context) === 'location');
}
