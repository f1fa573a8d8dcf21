import type { Listing, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { NumberPlaces } from '../../formats/number-survey';
import { wordTable } from '../../kit/words';

/** Rank 3. The specification writes lower case; its own example and its validator do not. */
export const TRANSACTIONS = wordTable<TypeTransaction>({
  vente: 'vente',
  'vente de prestige': 'vente',
  'produit catalogue': 'vente',
  achat: 'vente',
  'à vendre': 'vente',
  'vente neuf': 'vente',
  location: 'location',
  'à louer': 'location',
  'location meublée': 'location',
  'location vide': 'location',
  'location vacances': 'location-saisonniere',
  'location de vacances': 'location-saisonniere',
  'location saisonnière': 'location-saisonniere',
  saisonnier: 'location-saisonniere',
  viager: 'viager',
  'vente en viager': 'viager',
  'viager libre': 'viager',
  'viager occupé': 'viager',
  'vente viager': 'viager',
  'vente-fonds-de-commerce': 'fonds-de-commerce',
  'vente de fonds de commerce': 'fonds-de-commerce',
  'fonds de commerce': 'fonds-de-commerce',
  'cession de bail': 'cession-de-bail',
  'cession de droit au bail': 'cession-de-bail',
  "produit d'investissement": 'investissement',
  'produit investissement': 'investissement',
  investissement: 'investissement',
});

/** Rank 4. */
export const TYPES = wordTable<TypeCode>({
  appartement: 'appartement',
  studio: 'appartement',
  duplex: 'appartement',
  bâtiment: 'autre',
  boutique: 'boutique',
  bureaux: 'bureau',
  bureau: 'bureau',
  château: 'chateau',
  inconnu: 'autre',
  'hôtel particulier': 'hotel-particulier',
  immeuble: 'immeuble',
  local: 'local',
  'local commercial': 'local',
  'loft/atelier/surface': 'loft',
  loft: 'loft',
  'maison/villa': 'maison',
  maison: 'maison',
  villa: 'maison',
  'maison avec terrain': 'maison',
  'modèle de maison': 'autre',
  'parking/box': 'parking',
  parking: 'parking',
  box: 'parking',
  garage: 'parking',
  entreprises: 'fonds',
  entreprise: 'fonds',
  terrain: 'terrain',
});

/** Rank 302. */
export const FEES_PAID_BY = wordTable<NonNullable<Listing['honorairesCharge']>>({
  '1': 'acquereur',
  '2': 'vendeur',
  '3': 'acquereur-et-vendeur',
  acquéreur: 'acquereur',
  vendeur: 'vendeur',
  'acquéreur et vendeur': 'acquereur-et-vendeur',
  locataire: 'locataire',
});

/** Rank 304. */
export const CHARGES_TERMS = wordTable({
  '1': 'forfaitaires mensuelles',
  '2': 'prévisionnelles mensuelles avec régularisation annuelle',
  '3': 'remboursement annuel par le locataire',
});

/** Ranks that never leave, and why. */
export const PRIVATE_RANKS: Readonly<Record<number, string>> = {
  108: 'the real postcode, where the advert shows another',
  109: 'the real town, where the advert shows another',
  110: 'how agencies share the sale',
  111: 'how agencies share the sale',
  114: 'the owner: name',
  115: 'the owner: first name',
  116: 'the owner: company',
  117: 'the owner: address',
  118: 'the owner: postcode',
  119: 'the owner: town',
  120: 'the owner: telephone',
  121: 'comments on the owner',
  122: 'comments for the agency alone',
  ...Object.fromEntries(
    [...ranks(136, 25), 263].map((rank) => [rank, 'a field of the agency: nobody else knows what is in it']),
  ),
};

/** Photos 1 to 30 with their titles, in rank order. */
export const PHOTO_RANKS: readonly { photo: number; title: number }[] = [
  ...ranks(85, 9).map((photo, index) => ({ photo, title: 94 + index })),
  ...ranks(164, 11).map((photo, index) => ({ photo, title: 274 + index })),
  ...ranks(264, 10).map((photo, index) => ({ photo, title: 285 + index })),
];

/** Seasonal prices by period, the low season first. */
export const SEASONAL_PRICES = [
  { rank: 51, period: 'mois' },
  { rank: 49, period: 'semaine' },
  { rank: 50, period: 'quinzaine' },
  { rank: 54, period: 'mois' },
  { rank: 52, period: 'semaine' },
  { rank: 53, period: 'quinzaine' },
] as const;

function ranks(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Texts in other languages: the code of the language, title and description. */
export const LANGUAGE_RANKS = [
  { language: 124, title: 126, description: 127 },
  { language: 128, title: 130, description: 131 },
  { language: 132, title: 134, description: 135 },
] as const;

/** Amounts, less those that may be a percentage, and areas. Rank 16 is the living area, 17 the plot. */
export const NUMBER_RANKS: NumberPlaces<number> = {
  amounts: [11, 23, 49, 50, 51, 52, 53, 54, 161, 185, 186, 202, 260, 303, 305, 306, 326, 327, 331, 332],
  areas: [16, 17],
};

/** Where the property stands to the door: address, latitude, longitude, and how precise these are. */
export const PLACE_RANKS: ReadonlySet<number> = new Set([8, 298, 299, 300]);
