import type { Listing, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { NumberPlaces } from '../../formats/number-survey';
import { wordTable } from '../../kit/word-table';

/** Rank 3. The specification requires lower case, but its example and its validator do not use it. */
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
    [...ranks(136, 25), 263].map((rank) => [rank, 'a field of the agency, with a meaning of its own']),
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

export const LANGUAGE_RANKS = [
  { language: 124, title: 126, description: 127 },
  { language: 128, title: 130, description: 131 },
  { language: 132, title: 134, description: 135 },
] as const;

/**
 * The ranks of amounts (except amounts that may be a percentage) and of areas. Rank 16 is the living area, rank 17 the
 * plot.
 */
export const NUMBER_RANKS: NumberPlaces<number> = {
  amounts: [
    11, 12, 23, 49, 50, 51, 52, 53, 54, 161, 185, 186, 202, 203, 260, 303, 305, 306, 308, 309, 326, 327, 331, 332,
  ],
  areas: [16, 17, 214, 215, 310, 311],
};

/** The exact location: address, latitude, longitude, and their precision. */
export const PLACE_RANKS: ReadonlySet<number> = new Set([8, 298, 299, 300]);

/**
 * Rank 33 is the sum of three numbers: for the heat emitter, the heat source, and shared or individual heating. The
 * specification lists the sums.
 */
const HEATING_SUMS = {
  emission: { 0: '', 128: 'radiateur', 256: 'sol', 384: 'mixte' },
  source: { 0: '', 512: 'gaz', 1024: 'fuel', 2048: 'électrique' },
  access: { 0: '', 4096: 'collectif', 8192: 'individuel' },
} as const;
type HeatingWord = [sum: number, word: string];

function heatingSums(meaning: (access: string, source: string, emission: string) => string): Record<string, string> {
  const parts = Object.values(HEATING_SUMS).map((part) =>
    Object.entries(part).map(([sum, word]): HeatingWord => [Number(sum), word]),
  );
  const [emissions = [], sources = [], accesses = []] = parts;
  const words: Record<string, string> = {};
  for (const [a, access] of accesses) {
    for (const [s, source] of sources) {
      for (const [e, emission] of emissions) if (a + s + e > 0) words[a + s + e] = meaning(access, source, emission);
    }
  }
  return words;
}

/** Rank 33: how the property is heated; empty if the rank names only the source of heat. */
export const HEATING_SYSTEMS = wordTable({
  ...heatingSums((access, _source, emission) => `${access} ${emission}`.trim()),
  ...{ 16384: 'climatisation réversible', 20480: 'climatisation réversible centrale' },
  24576: 'climatisation réversible individuelle',
});

/** Rank 33: the source of heat; empty if the rank does not name it. */
export const HEAT_SOURCES = wordTable(heatingSums((_access, source) => source));

/** Rank 34, by number and in words. */
export const KITCHENS = wordTable({
  ...{ 1: 'aucune', 2: 'américaine', 3: 'séparée', 4: 'industrielle', 5: 'coin cuisine', 6: 'américaine équipée' },
  ...{ 7: 'séparée équipée', 8: 'coin cuisine équipé', 9: 'équipée', aucune: 'aucune', américaine: 'américaine' },
  ...{ séparée: 'séparée', industrielle: 'industrielle', 'coin cuisine': 'coin cuisine', équipée: 'équipée' },
  ...{ 'américaine équipée': 'américaine équipée', 'séparée équipée': 'séparée équipée' },
  'coin cuisine équipé': 'coin cuisine équipé',
});

/** Flags without a listing field, by rank, with the names from the specification. */
export const SAID_BY_FLAGS = {
  ...{ 32: 'WC séparés', 45: 'Digicode', 46: 'Interphone', 47: 'Gardien', 61: 'Alarme', 62: 'Câble TV', 63: 'Calme' },
  ...{ 69: 'Congélateur', 70: 'Four', 71: 'Lave-vaisselle', 72: 'Micro-ondes', 73: 'Placards', 74: 'Téléphone' },
  ...{ 75: 'Proche lac', 76: 'Proche tennis', 77: 'Proche pistes de ski', 81: 'Duplex', 189: 'Entrée' },
  ...{ 190: 'Résidence', 191: 'Parquet', 197: 'Monte-charge', 198: 'Quai', 213: 'Divisible' },
  ...{ 222: 'Équipement bébé', 223: 'Terrain constructible', 231: 'Terrain en pente', 232: "Plan d'eau" },
  ...{ 233: 'Lave-linge', 234: 'Sèche-linge', 235: 'Connexion internet', 246: 'Salle à manger', 247: 'Séjour' },
  ...{ 248: 'Terrain donnant sur la rue', 250: 'Terrain viabilisé', 251: 'Équipement vidéo' },
  317: 'Combles aménageables',
} as const;
