export const TYPES_TRANSACTION = [
  'vente',
  'location',
  'location-saisonniere',
  'viager',
  'fonds-de-commerce',
  'cession-de-bail',
  'investissement',
  'programme',
  'enchere',
  'autre',
] as const;
export type TypeTransaction = (typeof TYPES_TRANSACTION)[number];

export const TYPES_CODE = [
  'appartement',
  'maison',
  'terrain',
  'parking',
  'immeuble',
  'bureau',
  'local',
  'boutique',
  'chateau',
  'hotel-particulier',
  'loft',
  'fonds',
  'autre',
] as const;
export type TypeCode = (typeof TYPES_CODE)[number];

export const RENT_PERIODS = ['jour', 'semaine', 'quinzaine', 'mois', 'trimestre', 'semestre', 'an'] as const;
export type RentPeriod = (typeof RENT_PERIODS)[number];

/** `statut` of a listing that is not simply on the market. */
export const STATUTS = ['vendu', 'loue', 'sous-offre', 'sous-compromis'] as const;
export type Statut = (typeof STATUTS)[number];

/** Units of `honoraires`: a share of the price, or an amount. */
export const FEE_UNITS = ['pourcentage', 'montant'] as const;

export const FEE_PAYERS = ['acquereur', 'vendeur', 'acquereur-et-vendeur', 'locataire'] as const;

/** Flood scores of plots and buildings in Flanders: D is the worst. */
export const FLOOD_SCORES = ['A', 'B', 'C', 'D'] as const;

const RENTALS: ReadonlySet<TypeTransaction> = new Set(['location', 'location-saisonniere']);

/** Whether the price of an offer of this type is a rent. */
export function isRental(typeTransaction: TypeTransaction): boolean {
  return RENTALS.has(typeTransaction);
}
