import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import type { BlmRow } from '../../formats/blm-rows';
import type { NumberPlaces } from '../../formats/number-survey';
import { type AreaUnit, toInteger } from '../../kit/clean/number';
import { textOf } from '../../kit/values';
import { wordTable, type WordTable } from '../../kit/word-table';
import { hidden, LET, type Showing, SHOWN, SOLD, UNDER_OFFER } from '../../kit/status';

/** TRANS_TYPE_ID. */
export const TRANSACTIONS = wordTable<'vente' | 'location'>({
  '1': 'vente',
  '2': 'location',
  sale: 'vente',
  sales: 'vente',
  resale: 'vente',
  letting: 'location',
  lettings: 'location',
});

/** A rent of one person, in LET_RENT_FREQUENCY or after the figures. How many persons pay is unknown. */
const PER_PERSON = /\b(?:pppw|pppm|pp|(?:per|each) (?:person|room|tenant|bed|bedroom))\b/i;

export function isPerPerson(word: string): boolean {
  return word === '5' || PER_PERSON.test(word);
}

/** LET_RENT_FREQUENCY. A rent without a code is monthly. */
export const RENT_FREQUENCIES = wordTable<RentPeriod>({
  '0': 'semaine',
  '1': 'mois',
  '2': 'trimestre',
  '3': 'an',
  weekly: 'semaine',
  week: 'semaine',
  'per week': 'semaine',
  pw: 'semaine',
  'p/w': 'semaine',
  monthly: 'mois',
  month: 'mois',
  'per month': 'mois',
  'per calendar month': 'mois',
  pm: 'mois',
  pcm: 'mois',
  'p.c.m.': 'mois',
  'p/m': 'mois',
  quarterly: 'trimestre',
  quarter: 'trimestre',
  'per quarter': 'trimestre',
  pq: 'trimestre',
  annual: 'an',
  annually: 'an',
  yearly: 'an',
  year: 'an',
  'per annum': 'an',
  'per year': 'an',
  pa: 'an',
  'p.a.': 'an',
});

/** LET_FURN_ID. The codes 1 (part furnished), 3 (not specified) and 4 (either way) mean neither yes nor no. */
export const FURNISHED = wordTable({ '0': true, '2': false, furnished: true, unfurnished: false });
export const FURNISHED_UNSAID: ReadonlySet<string> = new Set(['1', '3', '4']);

/** AREA_SIZE_UNIT_ID. The codes come from two public readers that agree; the sources of other codes lack them. */
export const AREA_UNITS = wordTable<AreaUnit>({ '1': 'ft2', '2': 'm2', '3': 'acre', '4': 'ha' });

/** The setting `unite-surface`. */
export const NAMED_AREA_UNITS = wordTable<AreaUnit>({
  m2: 'm2',
  'm²': 'm2',
  ft2: 'ft2',
  sqft: 'ft2',
  acre: 'acre',
  ha: 'ha',
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

type Types = readonly [code: TypeCode, title: TitleWord, ...ids: readonly number[]];

/** PROP_SUB_ID: residential and overseas codes up to 144, commercial codes from 178. */
const TYPES_BY_ID: readonly Types[] = [
  ['autre', 'Bien', 0],
  ['maison', 'Maison mitoyenne', 1, 2, 3, 5, 6, 21, 26],
  ['maison', 'Maison', 4, 22, 25, 46, 48],
  ['maison', 'Bungalow', 12, 13, 14, 15],
  ['maison', 'Cottage', 23],
  ['maison', 'Chalet', 24, 118, 119],
  ['maison', 'Villa', 27, 128, 131],
  ['maison', 'Maison de campagne', 30, 43, 62, 65, 71, 74, 86, 89, 104, 113, 116, 511],
  ['maison', 'Ferme', 52],
  ['maison', 'Maison de village', 95],
  ['maison', 'Maison troglodyte', 101],
  ['maison', 'Manoir', 120],
  ['maison', 'Riad', 140],
  ['appartement', 'Appartement', 7, 8, 28, 44, 49],
  ['appartement', 'Studio', 9],
  ['appartement', 'Duplex', 10, 11, 56],
  ['appartement', 'Penthouse', 29],
  ['appartement', 'Triplex', 59],
  ['appartement', 'Résidence étudiante', 144],
  ['chateau', 'Château', 92, 121],
  ['terrain', 'Terrain', 20, 107, 110, 241],
  ['parking', 'Parking', 45],
  ['parking', 'Garage', 51],
  ['immeuble', 'Immeuble', 143, 268],
  ['bureau', 'Bureau', 178, 184],
  ['local', 'Hôtel', 17, 142, 202],
  ['local', 'Maison d’hôtes', 18, 277],
  ['local', 'Local commercial', 19, 181, 208, 244, 247, 253, 256, 262, 265, 271, 274, 280, 283, 301],
  ['local', 'Restaurant', 80, 83, 298],
  ['local', 'Bar', 134, 211],
  ['local', 'Garage automobile', 196, 205],
  ['local', 'Local d’activité', 214, 217, 220, 223, 226, 229, 232, 238],
  ['boutique', 'Boutique', 137, 187, 190, 193, 199, 235, 310],
  ['autre', 'Résidence mobile', 16, 50, 117],
  ['autre', 'Résidence pour seniors', 47],
  ['autre', 'Propriété équestre', 53],
  ['autre', 'Grange', 68],
  ['autre', 'Ruine', 77],
  ['autre', 'Programme neuf', 125, 250],
  ['autre', 'Péniche', 141],
  ['autre', 'Exploitation agricole', 259, 304],
  ['autre', 'Lieu de culte', 307],
];

const TYPE_BY_ID: ReadonlyMap<number, PropertyType> = new Map(
  TYPES_BY_ID.flatMap(([code, title, ...ids]) => ids.map((id): [number, PropertyType] => [id, { code, title }])),
);

/** Types by their number, in any spelling of the number. */
export const TYPES: WordTable<PropertyType> = {
  find: (word) => TYPE_BY_ID.get(toInteger(word) ?? NaN),
};

export interface MediaColumn {
  value: string;
  caption: string;
}

/** MEDIA_IMAGE_60 is the energy certificate, 61 the home information pack; 70 to 99 are further photos. */
export const isPhotoNumber = (number: number): boolean => number < 60 || number >= 70;
export const PHOTO_COLUMNS = mediaColumns('IMAGE', isPhotoNumber);
export const CERTIFICATE_COLUMNS = mediaColumns('IMAGE', (number) => !isPhotoNumber(number));
export const FLOOR_PLAN_COLUMNS = mediaColumns('FLOOR_PLAN');
/** From 50 on, certificate and home information pack as documents. */
export const DOCUMENT_COLUMNS = mediaColumns('DOCUMENT');
export const TOUR_COLUMNS: readonly string[] = Array.from(
  { length: 10 },
  (_, number) => `MEDIA_VIRTUAL_TOUR_${String(number).padStart(2, '0')}`,
);

const PUBLIC_COLUMNS =
  'AGENT_REF BRANCH_ID STATUS_ID CREATE_DATE UPDATE_DATE DISPLAY_ADDRESS PUBLISHED_FLAG TOWN POSTCODE1 POSTCODE2 ' +
  'OS_TOWN_CITY OS_REGION ZIPCODE COUNTRY_CODE LATITUDE LONGITUDE ' +
  'SUMMARY DESCRIPTION BEDROOMS BATHROOMS LIVING_ROOMS PRICE PRICE_QUALIFIER PRICE_PER_UNIT PROP_SUB_ID TRANS_TYPE_ID ' +
  'TENURE_TYPE_ID NEW_HOME_FLAG DEVELOPMENT_NAME LET_DATE_AVAILABLE LET_BOND LET_TYPE_ID LET_FURN_ID LET_RENT_FREQUENCY ' +
  'LET_CONTRACT_IN_MONTHS LET_WASHING_MACHINE_FLAG LET_DISHWASHER_FLAG LET_BURGLAR_ALARM_FLAG LET_BILL_INC_WATER ' +
  'LET_BILL_INC_GAS LET_BILL_INC_ELECTRICITY LET_BILL_INC_TV_LICENCE LET_BILL_INC_TV_LICIENCE LET_BILL_INC_TV_SUBSCRIPTION ' +
  'LET_BILL_INC_INTERNET ADMINISTRATION_FEE MIN_SIZE_ENTERED MAX_SIZE_ENTERED AREA_SIZE_UNIT_ID BUSINESS_FOR_SALE_FLAG ' +
  'COUNCIL_TAX_BAND SHARED_OWNERSHIP SHARED_OWNERSHIP_PERCENTAGE ANNUAL_GROUND_RENT GROUND_RENT_REVIEW_PERIOD_YEARS ' +
  'ANNUAL_SERVICE_CHARGE TENURE_UNEXPIRED_YEARS';
const PUBLIC_NAMES: ReadonlySet<string> = new Set(PUBLIC_COLUMNS.split(' '));
const PUBLIC_FAMILIES =
  /^(?:FEATURE|COMM_CLASS_ORDER_|MEDIA_(?:IMAGE|FLOOR_PLAN|DOCUMENT|VIRTUAL_TOUR)_(?:TEXT_)?)\d{1,2}$/;

export function isPublicColumn(column: string): boolean {
  return PUBLIC_NAMES.has(column) || PUBLIC_FAMILIES.test(column);
}

/** Columns with the exact location. DISPLAY_ADDRESS is the part of the address that the agency shows. */
export const PRIVATE_COLUMNS: Readonly<Record<string, string>> = {
  EXACT_LATITUDE: 'the door',
  EXACT_LONGITUDE: 'the door',
  // One description of the format has this spelling mistake, and so do some exporters.
  EXACT_LONGDITUDE: 'the door',
  ADDRESS_1: 'the full address',
  ADDRESS_2: 'the full address',
  ADDRESS_3: 'the full address',
  ADDRESS_4: 'the full address',
  HOUSE_NAME_NUMBER: 'the full address',
  STREET_NAME: 'the full address',
};

/** Without leading zeros: `02` and `2` are the same. Some exporters write words instead of codes. */
export function codeOf(row: BlmRow, column: string): string | undefined {
  return textOf(row[column])?.replace(/^0+(?=\d)/, '');
}

/**
 * STATUS_ID: sold or let subject to contract, under offer, reserved; 0 is available. The words are those of exports that
 * write no numbers.
 */
export const STATUSES = wordTable<Showing>({
  ...{ 0: SHOWN, 1: UNDER_OFFER, 2: UNDER_OFFER, 3: UNDER_OFFER, 4: UNDER_OFFER, 5: UNDER_OFFER },
  ...{ available: SHOWN, 'for sale': SHOWN, 'to let': SHOWN, sstc: UNDER_OFFER, sstcm: UNDER_OFFER },
  ...{ 'sold subject to contract': UNDER_OFFER, 'sold stc': UNDER_OFFER, 'under offer': UNDER_OFFER },
  ...{ reserved: UNDER_OFFER, 'let agreed': UNDER_OFFER, 'let stc': UNDER_OFFER },
  ...{ sold: SOLD, completed: SOLD, exchanged: SOLD, let: LET, withdrawn: hidden('withdrawn') },
});

export const NUMBER_COLUMNS: NumberPlaces<string> = {
  amounts: ['PRICE', 'LET_BOND', 'ANNUAL_SERVICE_CHARGE'],
  areas: ['MIN_SIZE_ENTERED', 'MAX_SIZE_ENTERED'],
};

/** PRICE_QUALIFIER, with the words that adverts use. 0 means no qualifier, 1 means on application. */
export const PRICE_QUALIFIERS = wordTable({
  ...{ 2: 'Guide price', 3: 'Fixed price', 4: 'Offers in excess of', 5: 'OIRO', 6: 'Sale by tender', 7: 'From' },
  ...{ 9: 'Shared ownership', 10: 'Offers over', 11: 'Part buy part rent', 12: 'Shared equity', 14: 'Equity loan' },
  15: 'Offers invited',
});
export const UNQUALIFIED: ReadonlySet<string> = new Set(['0', '1']);

/** TENURE_TYPE_ID. */
export const TENURES = wordTable({
  ...{ 1: 'freehold', 2: 'leasehold', 3: 'feudal', 4: 'commonhold', 5: 'share of freehold' },
  ...{ freehold: 'freehold', leasehold: 'leasehold', 'share of freehold': 'share of freehold' },
  ...{ feudal: 'feudal', commonhold: 'commonhold' },
});

export const LETTING_FLAGS = {
  LET_WASHING_MACHINE_FLAG: 'Washing machine',
  LET_DISHWASHER_FLAG: 'Dishwasher',
  LET_BURGLAR_ALARM_FLAG: 'Burglar alarm',
  LET_BILL_INC_WATER: 'Water bill included',
  LET_BILL_INC_GAS: 'Gas bill included',
  LET_BILL_INC_ELECTRICITY: 'Electricity bill included',
  LET_BILL_INC_TV_LICENCE: 'TV licence included',
  LET_BILL_INC_TV_LICIENCE: 'TV licence included',
  LET_BILL_INC_TV_SUBSCRIPTION: 'TV subscription included',
  LET_BILL_INC_INTERNET: 'Internet included',
};

/** The columns of a family with two-digit numbers, and those with one digit that some exporters write instead. */
function mediaColumns(family: string, isWanted: (number: number) => boolean = () => true): readonly MediaColumn[] {
  return Array.from({ length: 100 }, (_, number) => number)
    .filter(isWanted)
    .flatMap((number) => (number < 10 ? [`0${number}`, String(number)] : [String(number)]))
    .map((index) => ({ value: `MEDIA_${family}_${index}`, caption: `MEDIA_${family}_TEXT_${index}` }));
}

/** Some exporters write 1 instead of 01, so both spellings are included. */
export function numbered(name: string, count: number): string[] {
  const numbers = Array.from({ length: count }, (_, number) => String(number));
  return [...new Set(numbers.flatMap((number) => [`${name}${number.padStart(2, '0')}`, `${name}${number}`]))];
}
