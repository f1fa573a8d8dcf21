import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';

/** The kinds of offer: resales and lettings. The sale of a business is a sale with a separate flag. */
export const OFFERS: readonly TypeTransaction[] = ['vente', 'location', 'location-saisonniere', 'fonds-de-commerce'];

/** PROP_SUB_ID. */
export const TYPES: Readonly<Record<TypeCode, number>> = {
  appartement: 8,
  maison: 26,
  terrain: 20,
  parking: 45,
  immeuble: 143,
  bureau: 178,
  local: 19,
  boutique: 137,
  chateau: 92,
  'hotel-particulier': 120,
  loft: 28,
  fonds: 19,
  autre: 0,
};

/** LET_RENT_FREQUENCY; other periods are converted to a month. */
export const FREQUENCIES: Readonly<Partial<Record<RentPeriod, number>>> = { semaine: 0, mois: 1, trimestre: 2, an: 3 };

/** PRICE_QUALIFIER, by the words of adverts in lower case. */
export const QUALIFIERS: Readonly<Record<string, number>> = {
  ...{ 'guide price': 2, 'fixed price': 3, 'offers in excess of': 4, oiro: 5, 'sale by tender': 6, from: 7 },
  ...{ 'shared ownership': 9, 'offers over': 10, 'part buy part rent': 11, 'shared equity': 12, 'equity loan': 14 },
  'offers invited': 15,
};
export const ON_REQUEST = 1;

/** TENURE_TYPE_ID. */
export const TENURES: Readonly<Record<string, number>> = {
  ...{ freehold: 1, leasehold: 2, feudal: 3, commonhold: 4, 'share of freehold': 5 },
};

/** AREA_SIZE_UNIT_ID: square metres. */
export const SQUARE_METRES = 2;

export const MOST_PHOTOS = 60;
const MOST_FEATURES = 10;
const MOST_PLANS = 10;
const MOST_DOCUMENTS = 10;

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${String(at).padStart(2, '0')}`);
const media = (family: string, count: number): { value: string; text: string }[] =>
  numbered('', count).map((at) => ({ value: `MEDIA_${family}_${at}`, text: `MEDIA_${family}_TEXT_${at}` }));

export const FEATURE_COLUMNS = Array.from({ length: MOST_FEATURES }, (_, at) => `FEATURE${at + 1}`);
export const IMAGE_COLUMNS = media('IMAGE', MOST_PHOTOS);
export const PLAN_COLUMNS = media('FLOOR_PLAN', MOST_PLANS);
export const DOCUMENT_COLUMNS = media('DOCUMENT', MOST_DOCUMENTS);

/** The columns in the order of the definition. */
export const COLUMNS: readonly string[] = [
  ...['AGENT_REF', 'ADDRESS_1', 'TOWN', 'POSTCODE1', 'POSTCODE2'],
  ...FEATURE_COLUMNS,
  ...['SUMMARY', 'DESCRIPTION', 'BRANCH_ID', 'STATUS_ID', 'BEDROOMS', 'BATHROOMS', 'LIVING_ROOMS', 'PRICE'],
  ...['PRICE_QUALIFIER', 'PROP_SUB_ID', 'CREATE_DATE', 'UPDATE_DATE', 'DISPLAY_ADDRESS', 'PUBLISHED_FLAG'],
  ...['LET_DATE_AVAILABLE', 'LET_BOND', 'LET_TYPE_ID', 'LET_FURN_ID', 'LET_RENT_FREQUENCY', 'TENURE_TYPE_ID'],
  ...['TENURE_UNEXPIRED_YEARS', 'TRANS_TYPE_ID', 'NEW_HOME_FLAG', 'BUSINESS_FOR_SALE_FLAG', 'MIN_SIZE_ENTERED'],
  ...['AREA_SIZE_UNIT_ID', 'COUNCIL_TAX_BAND', 'SHARED_OWNERSHIP', 'SHARED_OWNERSHIP_PERCENTAGE'],
  ...['ANNUAL_GROUND_RENT', 'ANNUAL_SERVICE_CHARGE', 'DEVELOPMENT_NAME', 'LATITUDE', 'LONGITUDE'],
  ...[...IMAGE_COLUMNS, ...PLAN_COLUMNS, ...DOCUMENT_COLUMNS].flatMap(({ value, text }) => [value, text]),
  ...numbered('MEDIA_VIRTUAL_TOUR_', 2),
];
