import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { NumberPlaces } from '../../formats/number-survey';
import { wordTable } from '../../kit/word-table';

/** The meaning of a letter in `prestation/type`. */
export interface Transaction {
  typeTransaction: TypeTransaction;
  prices: 'sale' | 'rent' | 'both';
  isNew?: true;
  /** The reason why an advert with this letter is no listing. */
  isNone?: string;
}

function sale(typeTransaction: TypeTransaction): Transaction {
  return { typeTransaction, prices: 'sale' };
}

function rent(typeTransaction: TypeTransaction): Transaction {
  return { typeTransaction, prices: 'rent' };
}

const vente = sale('vente');
const venteNeuf: Transaction = { ...vente, isNew: true };
const location = rent('location');
const saisonniere = rent('location-saisonniere');
const viager = sale('viager');
const fonds = sale('fonds-de-commerce');
const cession = sale('cession-de-bail');
const enchere = sale('enchere');

/** The letters, and the words that some exports write instead. */
export const TRANSACTIONS = wordTable<Transaction>({
  V: vente,
  L: location,
  S: saisonniere,
  W: viager,
  F: fonds,
  B: cession,
  G: venteNeuf,
  H: venteNeuf,
  I: enchere,
  M: { typeTransaction: 'vente', prices: 'both' },
  // Boats for rent, for which our vocabulary has no word.
  P: { typeTransaction: 'autre', prices: 'both' },
  J: { typeTransaction: 'autre', prices: 'both', isNone: 'a service, not a property (type J)' },
  Z: { typeTransaction: 'autre', prices: 'both', isNone: 'a request for a rental (type Z)' },
  vente,
  location,
  'location saisonnière': saisonniere,
  'location vacances': saisonniere,
  viager,
  'fonds de commerce': fonds,
  'vente de fonds de commerce': fonds,
  'cession de bail': cession,
  enchère: enchere,
  'vente aux enchères': enchere,
});

/** `code_type` by ranges, narrow ranges first: [from, to, type]. */
const RANGES: readonly (readonly [number, number, TypeCode])[] = [
  [1191, 1191, 'loft'],
  [1241, 1241, 'chateau'],
  [1242, 1242, 'hotel-particulier'],
  [1100, 1199, 'appartement'],
  [1200, 1299, 'maison'],
  [1300, 1399, 'terrain'],
  [1400, 1499, 'parking'],
  [1500, 1599, 'immeuble'],
  [1900, 1999, 'autre'],
  [2100, 2399, 'fonds'],
  [2410, 2419, 'bureau'],
  [2431, 2431, 'boutique'],
  [2450, 2459, 'bureau'],
  [2492, 2493, 'bureau'],
  [2400, 2499, 'local'],
  [3100, 3199, 'maison'],
  [3200, 3299, 'appartement'],
  [3400, 3499, 'bureau'],
  [4100, 4199, 'maison'],
  [4200, 4299, 'appartement'],
  [4300, 4399, 'terrain'],
  [4400, 4499, 'bureau'],
  // Goods of companies, and programmes of several kinds.
  [2000, 2099, 'autre'],
  [2900, 2999, 'autre'],
  [3000, 5000, 'autre'],
];

export function typeOfCode(code: string): TypeCode | undefined {
  const number = /^\d{4}$/.test(code) ? Number(code) : NaN;
  return RANGES.find(([from, to]) => number >= from && number <= to)?.[2];
}

export function isProgramme(code: string | undefined): boolean {
  return code !== undefined && /^(?:3\d{3}|5000)$/.test(code);
}

/** Codes that already mean "neuf": a new flat, a new house. */
export const NEW_CODES: ReadonlySet<string> = new Set(['1116', '1211']);
/** A furnished flat. */
export const FURNISHED_CODE = '1193';
/** The word for the type in a built title, for an advert without `libelle_type`. */
export const TYPE_TITLES: Readonly<Partial<Record<TypeCode, string>>> = {
  appartement: 'Appartement',
  maison: 'Maison',
  terrain: 'Terrain',
  parking: 'Parking',
  immeuble: 'Immeuble',
  bureau: 'Bureau',
  local: 'Local',
  boutique: 'Boutique',
  chateau: 'Château',
  'hotel-particulier': 'Hôtel particulier',
  loft: 'Loft',
  fonds: 'Fonds de commerce',
};

/** `libelle_type`, whole or by its first word. */
export const TYPE_LABELS = wordTable<TypeCode>({
  appartement: 'appartement',
  studio: 'appartement',
  chambre: 'appartement',
  duplex: 'appartement',
  triplex: 'appartement',
  penthouse: 'appartement',
  loft: 'loft',
  maison: 'maison',
  villa: 'maison',
  pavillon: 'maison',
  chalet: 'maison',
  mas: 'maison',
  propriété: 'maison',
  ferme: 'maison',
  fermette: 'maison',
  longère: 'maison',
  moulin: 'maison',
  demeure: 'maison',
  manoir: 'maison',
  bastide: 'maison',
  château: 'chateau',
  'hôtel particulier': 'hotel-particulier',
  terrain: 'terrain',
  parking: 'parking',
  garage: 'parking',
  box: 'parking',
  stationnement: 'parking',
  'place de garage': 'parking',
  immeuble: 'immeuble',
  bureau: 'bureau',
  bureaux: 'bureau',
  coworking: 'bureau',
  local: 'local',
  entrepôt: 'local',
  boutique: 'boutique',
  fonds: 'fonds',
  commerce: 'fonds',
  cave: 'autre',
  divers: 'autre',
});

/** `loyer_frequence`: the period of `loyer`. The names of the other rents contain their period. */
export const PERIODS = wordTable<RentPeriod>({
  ...each('jour', 'jour journalier journalière quotidien'),
  ...each('semaine', 'semaine hebdo hebdomadaire'),
  ...each('quinzaine', 'quinzaine'),
  ...each('mois', 'mois mensuel mensuelle'),
  ...each('trimestre', 'trimestre trimestriel trimestrielle'),
  ...each('semestre', 'semestre semestriel semestrielle'),
  ...each('an', 'an année annuel annuelle'),
});

/** Maps each word, and "par" followed by the word, to the period. */
function each(period: RentPeriod, words: string): Record<string, RentPeriod> {
  return Object.fromEntries(words.split(' ').flatMap((word) => [word, `par ${word}`].map((one) => [one, period])));
}

/** The names of amounts and areas, in any block. */
export const NUMBER_NAMES: NumberPlaces<string> = {
  amounts: [
    ...[
      'prix',
      'prix_hors_honoraires',
      'loyer',
      'loyer_cc',
      'loyer_mensuel',
      'loyer_mensuel_cc',
      'loyer_an',
      'loyer_de_base',
    ],
    ...[
      'charges',
      'charges_locatives',
      'charges_mensuelles',
      'charges_locative_an',
      'depot_garantie',
      'depot_de_garantie',
    ],
    ...['viager_bouquet', 'bouquet', 'viager_rente', 'rente', 'taxe_fonciere', 'charges_copropriete'],
    ...['charges_copropriete_annuelle', 'honoraires_location', 'honoraires_etat_des_lieux', 'loyer_reference_majore'],
    ...['prix_min', 'prix_max'],
  ],
  areas: ['surface', 'surface_habitable', 'surface_utile', 'surface_terrain', 'surface_carrez'],
};
