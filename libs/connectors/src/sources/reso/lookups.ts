import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { wordTable, type WordTable } from '../../kit/word-table';

const SEPARATORS = /[\s_/.-]+/g;

/** Servers send the same value as `ResidentialLease` and as `Residential Lease`, so separators are ignored. */
function enumTable<T extends string | number | boolean | object>(words: Readonly<Record<string, T>>): WordTable<T> {
  const table = wordTable(
    Object.fromEntries(Object.entries(words).map(([word, meaning]) => [squeezed(word), meaning])),
  );
  return { find: (word) => table.find(squeezed(word)) };
}

/** A lookup value in one spelling, for comparison. */
export function squeezed(word: string): string {
  return word.replace(SEPARATORS, '').toLowerCase();
}

/** The values of a field that may hold several values: a list, or one text with commas. */
export function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map(squeezed);
  return Array.isArray(value) ? value.flatMap(valuesOf) : [];
}

/** `PropertyType`. A value that ends in "Lease" means a rental. */
export const TRANSACTIONS = enumTable<TypeTransaction>({
  BusinessOpportunity: 'fonds-de-commerce',
  CommercialLease: 'location',
  CommercialSale: 'vente',
  Farm: 'vente',
  Land: 'vente',
  ManufacturedInPark: 'vente',
  Residential: 'vente',
  ResidentialIncome: 'investissement',
  ResidentialLease: 'location',
  Rental: 'location',
  ResidentialRental: 'location',
});

export interface PropertyKind {
  code: TypeCode;
  title: TitleWord;
}

const kind = (code: TypeCode, title: TitleWord): PropertyKind => ({ code, title });

/** `PropertySubType`. Forms of ownership do not name a type. */
export const SUB_TYPES = enumTable<PropertyKind>({
  Agriculture: kind('autre', 'Propriété agricole'),
  Apartment: kind('appartement', 'Appartement'),
  BoatSlip: kind('autre', 'Place d’amarrage'),
  Business: kind('fonds', 'Fonds de commerce'),
  Cabin: kind('maison', 'Chalet'),
  Condominium: kind('appartement', 'Appartement'),
  CoOwnership: kind('autre', 'Copropriété'),
  DeededParking: kind('parking', 'Place de parking'),
  Duplex: kind('immeuble', 'Immeuble de deux logements'),
  Farm: kind('autre', 'Ferme'),
  HotelMotel: kind('local', 'Hôtel'),
  Industrial: kind('local', 'Local industriel'),
  ManufacturedHome: kind('maison', 'Maison préfabriquée'),
  ManufacturedOnLand: kind('maison', 'Maison préfabriquée'),
  MixedUse: kind('autre', 'Immeuble mixte'),
  MobileHome: kind('maison', 'Mobil-home'),
  MobileHomePark: kind('autre', 'Parc de mobil-homes'),
  MultiFamily: kind('immeuble', 'Immeuble'),
  Office: kind('bureau', 'Bureau'),
  OwnYourOwn: kind('appartement', 'Appartement'),
  Quadruplex: kind('immeuble', 'Immeuble de quatre logements'),
  Ranch: kind('autre', 'Ranch'),
  Retail: kind('boutique', 'Boutique'),
  SingleFamilyResidence: kind('maison', 'Maison individuelle'),
  SingleFamily: kind('maison', 'Maison individuelle'),
  SingleFamilyHome: kind('maison', 'Maison individuelle'),
  SingleFamilyDetached: kind('maison', 'Maison individuelle'),
  Detached: kind('maison', 'Maison individuelle'),
  StockCooperative: kind('appartement', 'Appartement'),
  TenancyInCommon: kind('autre', 'Bien en indivision'),
  Timeshare: kind('autre', 'Multipropriété'),
  Townhouse: kind('maison', 'Maison de ville'),
  Townhome: kind('maison', 'Maison de ville'),
  Condo: kind('appartement', 'Appartement'),
  Lot: kind('terrain', 'Terrain'),
  VacantLand: kind('terrain', 'Terrain'),
  LotsAndLand: kind('terrain', 'Terrain'),
  Duplexes: kind('immeuble', 'Immeuble de deux logements'),
  Triplex: kind('immeuble', 'Immeuble de trois logements'),
  UnimprovedLand: kind('terrain', 'Terrain'),
  Warehouse: kind('local', 'Entrepôt'),
});

/** `PropertyType`, for records without a subtype. */
export const TYPES = enumTable<PropertyKind>({
  BusinessOpportunity: kind('fonds', 'Fonds de commerce'),
  CommercialLease: kind('local', 'Local commercial'),
  CommercialSale: kind('local', 'Local commercial'),
  Farm: kind('autre', 'Ferme'),
  Land: kind('terrain', 'Terrain'),
  ManufacturedInPark: kind('maison', 'Maison préfabriquée'),
  // Residential property may be a house or a flat.
  Residential: kind('autre', 'Bien résidentiel'),
  ResidentialIncome: kind('immeuble', 'Immeuble de rapport'),
  ResidentialLease: kind('autre', 'Bien résidentiel'),
  ResidentialRental: kind('autre', 'Bien résidentiel'),
  Rental: kind('autre', 'Location'),
});

/** A payment frequency: the factor to a monthly amount, and our rent period if there is one. */
export interface Frequency {
  perMonth: number;
  period?: RentPeriod;
}

const MONTH: Frequency = { perMonth: 1, period: 'mois' };
const YEAR: Frequency = { perMonth: 1 / 12, period: 'an' };
const WEEK: Frequency = { perMonth: 52 / 12, period: 'semaine' };

/** `LeaseAmountFrequency` and `AssociationFeeFrequency`. "Once" and "seasonal" cannot be converted to a month. */
export const FREQUENCIES = enumTable<Frequency>({
  Annually: { perMonth: 1 / 12, period: 'an' },
  Annual: { perMonth: 1 / 12, period: 'an' },
  Yearly: { perMonth: 1 / 12, period: 'an' },
  BiMonthly: { perMonth: 1 / 2 },
  BiWeekly: { perMonth: 26 / 12, period: 'quinzaine' },
  Daily: { perMonth: 365 / 12, period: 'jour' },
  Monthly: { perMonth: 1, period: 'mois' },
  Quarterly: { perMonth: 1 / 3, period: 'trimestre' },
  SemiAnnually: { perMonth: 1 / 6, period: 'semestre' },
  SemiMonthly: { perMonth: 2 },
  Weekly: { perMonth: 52 / 12, period: 'semaine' },
});

/** Units of a price that mean the whole property. A period, such as `Month`, is one too; every other unit is a part. */
export const PRICE_UNITS = enumTable<'whole' | Frequency>({
  ...{
    ForSale: 'whole',
    Sale: 'whole',
    ForLease: 'whole',
    Lease: 'whole',
    Total: 'whole',
    Each: 'whole',
    None: 'whole',
  },
  ...{ NetLease: 'whole', GrossLease: 'whole', Dollar: 'whole', Dollars: 'whole', 'Lump Sum': 'whole' },
  ...{ Month: MONTH, PerMonth: MONTH, Year: YEAR, PerYear: YEAR, Week: WEEK, PerWeek: WEEK },
});

/** `LivingAreaUnits`, `BuildingAreaUnits` and `LotSizeUnits`. */
export const AREA_UNITS = enumTable<AreaUnit>({
  SquareFeet: 'ft2',
  SquareFoot: 'ft2',
  SqFt: 'ft2',
  SF: 'ft2',
  SquareMeters: 'm2',
  SquareMetres: 'm2',
  SqM: 'm2',
  M2: 'm2',
  Acres: 'acre',
  Acre: 'acre',
  Hectares: 'ha',
  Hectare: 'ha',
  SquareYards: 'yd2',
});

/** `Furnished`. "Partially" and "Negotiable" mean neither yes nor no. */
export const FURNISHED = enumTable<boolean>({ Furnished: true, Unfurnished: false });

/** `ListingAgreement`. */
export const EXCLUSIVE_AGREEMENTS = enumTable<boolean>({
  ExclusiveAgency: true,
  ExclusiveRightToLease: true,
  ExclusiveRightToSell: true,
  ExclusiveRightWithException: true,
  Open: false,
});

/** `MediaCategory`: which media are photos of the property. */
export const MEDIA_CATEGORIES = enumTable<'photo' | 'plan' | 'tour' | 'video' | 'other'>({
  Photo: 'photo',
  Photos: 'photo',
  PropertyPhoto: 'photo',
  Image: 'photo',
  FloorPlan: 'plan',
  BrandedVirtualTour: 'tour',
  UnbrandedVirtualTour: 'tour',
  VirtualTour: 'tour',
  Video: 'video',
  AgentPhoto: 'other',
  OfficeLogo: 'other',
  OfficePhoto: 'other',
  Document: 'other',
});

/** The values of `StandardStatus` that are shown, unless the gateway's settings name others. */
export const SHOWN_STATUSES: readonly string[] = ['Active', 'ComingSoon', 'ActiveUnderContract', 'Pending'];

/** The values of `StandardStatus`, each with the other words that servers and their local `MlsStatus` use for it. */
const WORDS_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  Active: [
    'A',
    'Act',
    'Available',
    'New',
    'New Listing',
    'Back On Market',
    'Price Change',
    'Price Changed',
    'Reduced',
    'Extended',
  ],
  ActiveUnderContract: [
    ...['Active Contingent', 'Active Option', 'Active Option Contract', 'Active Kick Out', 'Active With Contract'],
    ...['Active Backup', 'Backup', 'Contingent', 'Contingency', 'Kick Out', 'Kickout', 'Option Pending'],
  ],
  Canceled: ['Cancelled', 'Cancel', 'K', 'Terminated'],
  Closed: ['S', 'Sld', 'Sold', 'Leased', 'Lsd', 'Let', 'Rented', 'Rntd', 'Comp Sold', 'Sold Off Market'],
  ComingSoon: ['CS'],
  Delete: ['Deleted', 'Removed'],
  Expired: ['X', 'Exp', 'Lapsed'],
  Hold: ['On Hold', 'Temp Off Market', 'Temporarily Off Market', 'TOM', 'Off Market', 'Inactive', 'Suspended'],
  Incomplete: ['Draft'],
  Pending: ['P', 'Pend', 'Pnd', 'Under Contract', 'Under Agreement', 'Under Offer', 'Pending Continue To Show'],
  Withdrawn: ['W', 'Wdn', 'Withdrawn Conditional', 'Withdrawn Unconditional'],
};

export const STATUSES = enumTable<string>(
  Object.fromEntries(
    Object.entries(WORDS_BY_STATUS).flatMap(([status, words]) =>
      [status, ...words].map((word) => [word, squeezed(status)]),
    ),
  ),
);
