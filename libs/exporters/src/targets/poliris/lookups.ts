import type { Listing, TypeCode, TypeTransaction } from '@passerelle/domain';

/** The number of columns of a version; later versions only append. */
export const VERSIONS = { '4.12': 334, '4.11': 333, '4.09': 329 } as const;
export type Version = keyof typeof VERSIONS;

/** Rank 3. The format has no word for an auction and for a project. */
export const TRANSACTIONS: Readonly<Partial<Record<TypeTransaction, string>>> = {
  vente: 'vente',
  location: 'location',
  'location-saisonniere': 'location vacances',
  viager: 'viager',
  'fonds-de-commerce': 'vente-fonds-de-commerce',
  'cession-de-bail': 'cession de bail',
  investissement: "produit d'investissement",
};
export const OFFERS = Object.keys(TRANSACTIONS) as readonly TypeTransaction[];

/** Rank 4. */
export const TYPES: Readonly<Record<TypeCode, string>> = {
  appartement: 'Appartement',
  maison: 'maison/villa',
  terrain: 'terrain',
  parking: 'parking/box',
  immeuble: 'immeuble',
  bureau: 'bureaux',
  local: 'local',
  boutique: 'boutique',
  chateau: 'château',
  'hotel-particulier': 'hôtel particulier',
  loft: 'loft/atelier/surface',
  fonds: 'entreprises',
  autre: 'inconnu',
};

/** Kinds of property that people live in: their adverts must have a number of rooms. */
export const DWELLINGS: ReadonlySet<TypeCode | undefined> = new Set<TypeCode>([
  ...(['appartement', 'maison', 'loft', 'chateau', 'hotel-particulier'] as const),
]);

/** Rank 7, in French; other countries have their code. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ FR: 'France', MC: 'Monaco', AD: 'Andorre', BE: 'Belgique', CH: 'Suisse', LU: 'Luxembourg', DE: 'Allemagne' },
  ...{ ES: 'Espagne', IT: 'Italie', PT: 'Portugal', GB: 'Royaume-Uni', NL: 'Pays-Bas', IE: 'Irlande', AT: 'Autriche' },
  ...{ MA: 'Maroc', TN: 'Tunisie', US: 'États-Unis', CA: 'Canada', GR: 'Grèce', HR: 'Croatie', GP: 'Guadeloupe' },
  ...{ MQ: 'Martinique', GF: 'Guyane', RE: 'La Réunion', YT: 'Mayotte', MF: 'Saint-Martin', BL: 'Saint-Barthélemy' },
};

/** The ranks of photos 1 to 30 and of their titles. */
export const PHOTO_RANKS: readonly { photo: number; title: number }[] = [
  ...ranks(85, 9).map((photo, index) => ({ photo, title: 94 + index })),
  ...ranks(164, 11).map((photo, index) => ({ photo, title: 274 + index })),
  ...ranks(264, 10).map((photo, index) => ({ photo, title: 285 + index })),
];

function ranks(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Texts in up to three further languages. */
export const LANGUAGE_RANKS = [
  { language: 124, title: 126, description: 127 },
  { language: 128, title: 130, description: 131 },
  { language: 132, title: 134, description: 135 },
] as const;
/** The languages of the ranks above, in the order in which they are chosen. */
export const LANGUAGES = ['en', 'es', 'de', 'it', 'nl', 'pt'] as const;

/** Rank 302. */
export const FEES_PAID_BY: Readonly<Partial<Record<NonNullable<Listing['honorairesCharge']>, string>>> = {
  acquereur: '1',
  vendeur: '2',
  'acquereur-et-vendeur': '3',
};

/** Rank 304, by the words of the format. */
export const CHARGES_TERMS: Readonly<Record<string, string>> = {
  'forfaitaires mensuelles': '1',
  'prévisionnelles mensuelles avec régularisation annuelle': '2',
  'remboursement annuel par le locataire': '3',
};

/** Rank 33 is a sum: how the heat is given off, where it comes from, and whether the heating is shared. */
export const HEATING_SUMS: readonly (readonly [pattern: RegExp, sum: number])[] = [
  [/\bradiateurs?\b/, 128],
  [/\b(?:au )?sol\b/, 256],
  [/\bcollecti(?:f|ve)\b/, 4096],
  [/\bindividuel(?:le)?\b/, 8192],
];
export const HEAT_SOURCE_SUMS: readonly (readonly [pattern: RegExp, sum: number])[] = [
  [/\bgaz\b/, 512],
  [/\b(?:fuel|fioul|mazout)\b/, 1024],
  [/[eé]lectri(?:que|cit[eé])/, 2048],
];
export const REVERSIBLE = 16384;

/** Ranks of the four orientations, by the words of several languages. */
export const ORIENTATIONS: readonly { rank: number; pattern: RegExp }[] = [
  { rank: 35, pattern: /(?:sud|south|s[uü]d|sued|zuid|\bsur\b)/i },
  { rank: 36, pattern: /(?:\best\b|east|\bost\b|\beste\b|oost|-est\b)/i },
  { rank: 37, pattern: /(?:ouest|west|oeste|ovest)/i },
  { rank: 38, pattern: /(?:nord|north|noord|norte)/i },
];

/** Ranks of yes-or-no facts by their names in the format: features with exactly such a name are written there. */
export const FLAG_RANKS: Readonly<Record<string, number>> = {
  ...{ 'wc séparés': 32, digicode: 45, interphone: 46, gardien: 47, alarme: 61, 'câble tv': 62, calme: 63 },
  ...{ congélateur: 69, four: 70, 'lave-vaisselle': 71, 'micro-ondes': 72, placards: 73, téléphone: 74 },
  ...{ 'proche lac': 75, 'proche tennis': 76, 'proche pistes de ski': 77, duplex: 81, entrée: 189 },
  ...{ résidence: 190, parquet: 191, 'monte-charge': 197, quai: 198, divisible: 213, 'équipement bébé': 222 },
  ...{ 'terrain constructible': 223, 'terrain en pente': 231, "plan d'eau": 232, 'lave-linge': 233 },
  ...{ 'sèche-linge': 234, 'connexion internet': 235, 'salle à manger': 246, séjour: 247 },
  ...{ 'terrain donnant sur la rue': 248, 'terrain viabilisé': 250, 'équipement vidéo': 251 },
  'combles aménageables': 317,
};

/** Ranks of the condition and of the view, by the words of the format. */
export const CONDITION_RANKS: Readonly<Record<string, number>> = {
  ...{ 'refait à neuf': 28, récent: 162, 'travaux à prévoir': 163 },
};
export const VIEW_RANKS: Readonly<Record<string, number>> = { 'vue dégagée': 78, 'vis-à-vis': 192 };

/** Ranks of a seasonal rent, by its period: the low season, because a listing has one amount. */
export const SEASONAL_RANKS = { semaine: 49, quinzaine: 50, mois: 51 } as const;
