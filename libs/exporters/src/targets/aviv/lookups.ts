import type { TypeCode, TypeTransaction } from '@passerelle/domain';

export const OFFERS: readonly TypeTransaction[] = ['vente', 'investissement', 'location'];

export interface EstateType {
  estateType: string;
  /** The member of `estateSubType`, where the type is more precise. */
  subType?: Readonly<Record<string, string>>;
}

/** `estateType` and `estateSubType`. */
export const TYPES: Readonly<Record<TypeCode, EstateType>> = {
  appartement: { estateType: 'APARTMENT' },
  maison: { estateType: 'HOUSE' },
  terrain: { estateType: 'PLOT' },
  parking: { estateType: 'PARKING' },
  immeuble: { estateType: 'HOUSE', subType: { house: 'APARTMENT_HOUSE' } },
  bureau: { estateType: 'OFFICE' },
  local: { estateType: 'OFFICE' },
  boutique: { estateType: 'TRADING' },
  chateau: { estateType: 'HOUSE', subType: { house: 'CASTLE' } },
  'hotel-particulier': { estateType: 'HOUSE', subType: { house: 'MANSION' } },
  loft: { estateType: 'APARTMENT', subType: { apartment: 'LOFT' } },
  fonds: { estateType: 'TRADING' },
  autre: { estateType: 'MISCELLANEOUS' },
};

/** `country` is ISO 3166-1 alpha-3. France and its territories, and its neighbours. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ FR: 'FRA', MC: 'MCO', AD: 'AND', BE: 'BEL', LU: 'LUX', CH: 'CHE', DE: 'DEU', IT: 'ITA', ES: 'ESP', PT: 'PRT' },
  ...{ GP: 'GLP', MQ: 'MTQ', GF: 'GUF', RE: 'REU', YT: 'MYT', MF: 'MAF', BL: 'BLM', PM: 'SPM' },
};

/** `propertyOrientation`, by the directions that the words name. */
export const ORIENTATIONS: readonly (readonly [RegExp, string])[] = [
  [/nord[- ]?est|north[- ]?east/i, 'NORTH_EAST'],
  [/sud[- ]?est|south[- ]?east/i, 'SOUTH_EAST'],
  [/sud[- ]?ouest|south[- ]?west/i, 'SOUTH_WEST'],
  [/nord[- ]?ouest|north[- ]?west/i, 'NORTH_WEST'],
  [/nord|north/i, 'NORTH'],
  [/sud|south/i, 'SOUTH'],
  [/ouest|west/i, 'WEST'],
  [/\best\b|east/i, 'EAST'],
];

/** Statuses whose processing goes on. */
export const IS_UNDER_WAY = /^RECEIV|ING$/;
export const IS_FAILED = /_FAILED$/;
export const DELETED = 'DELETED';
