import type { TitleWord } from '../../kit/title-words';
import type { Statut } from '@passerelle/domain';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { wordTable } from '../../kit/word-table';

/** Catalog `property_category`. */
export const CATEGORIES = wordTable<TypeTransaction>({
  '1': 'vente',
  '2': 'location',
  '3': 'location-saisonniere',
  '4': 'programme',
  '5': 'viager',
  '6': 'enchere',
});

/** Catalog `property_type`. */
export const TYPES = wordTable<TypeCode>({
  '1': 'appartement',
  '2': 'maison',
  '3': 'terrain',
  '4': 'local',
  '5': 'parking',
  '6': 'immeuble',
  '7': 'bureau',
  '8': 'autre',
  '9': 'local',
  '10': 'parking',
});

/** Subtypes that are more precise than their type. */
export const TYPE_BY_SUBTYPE: Readonly<Record<string, TypeCode>> = {
  '7': 'chateau',
  '12': 'loft',
  '34': 'fonds',
  '37': 'hotel-particulier',
  '49': 'fonds',
  '62': 'boutique',
  '104': 'fonds',
};

const TITLE_BY_TYPE: Readonly<Record<string, TitleWord>> = {
  '1': 'Appartement',
  '2': 'Maison',
  '3': 'Terrain',
  '4': 'Local commercial',
  '5': 'Parking',
  '6': 'Immeuble',
  '7': 'Bureau',
  '8': 'Bateau',
  '9': 'Local d’activité',
  '10': 'Cave',
};
const TITLE_BY_SUBTYPE: Readonly<Record<string, TitleWord>> = {
  '1': 'Triplex',
  '2': 'Terrain constructible',
  '4': 'Penthouse',
  '6': 'Studio',
  '7': 'Château',
  '9': 'Duplex',
  '10': 'Manoir',
  '11': 'Ferme',
  '12': 'Loft',
  '13': 'Maison de village',
  '14': 'Villa',
  '16': 'Grange',
  '19': 'Propriété',
  '21': 'Moulin',
  '22': 'Garage',
  '25': 'Maison de ville',
  '28': 'Chambre',
  '30': 'Mas',
  '32': 'Chalet',
  '34': 'Fonds de commerce',
  '35': 'Droit au bail',
  '37': 'Hôtel particulier',
  '41': 'Entrepôt',
  '43': 'Parking',
  '44': 'Hôtel',
  '47': 'Bastide',
};

export function titleWordOf(type: string | undefined, subtype: string | undefined): string | undefined {
  return TITLE_BY_SUBTYPE[subtype ?? ''] ?? TITLE_BY_TYPE[type ?? ''];
}

/** Statuses of a property for which an offer was accepted: under offer, contract under way, waiting for the deed. */
export const UNDER_OFFER: Readonly<Record<string, Statut>> = {
  '22': 'sous-offre',
  '24': 'sous-compromis',
  '25': 'sous-compromis',
};

/** Subtypes that sell a business or a lease, not a building. */
export const TRANSACTION_BY_SUBTYPE: Readonly<Record<string, TypeTransaction>> = {
  '34': 'fonds-de-commerce',
  '35': 'cession-de-bail',
};

/**
 * Catalog `property_period`. 6 is omitted, because its names differ by a factor of four: "Bimensuel" in French,
 * "Bimonthly" in English.
 */
export const PERIODS = wordTable<RentPeriod>({
  '1': 'jour',
  '2': 'semaine',
  '3': 'quinzaine',
  '4': 'mois',
  '5': 'trimestre',
  '7': 'semestre',
  '8': 'an',
});

/** Catalog `unit_area`. Toises, perches and arpents (9 to 11) are omitted: their size differs by country. */
export const AREA_UNITS = wordTable<AreaUnit>({
  '1': 'm2',
  '2': 'ft2',
  '3': 'kanal',
  '4': 'marla',
  '5': 'yd2',
  '6': 'acre',
  '7': 'ha',
  '8': 'are',
});

/** Catalog `property_agreement`. */
export const AGREEMENTS = wordTable({
  '1': 'simple',
  '2': 'co-exclusif',
  '3': 'exclusif',
  '4': 'délégation',
  '5': 'exclusif agence',
  '6': 'confrère',
  '7': 'verbal',
});
export const EXCLUSIVE_AGREEMENTS: ReadonlySet<string> = new Set(['3', '5']);

/** Catalog `property_service`: the services that have a listing field. */
export const SERVICE_MEANINGS = byNumber({ ascenseur: [6, 57], piscine: [11, 91, 125], meuble: [47] });

/** Catalog `property_areas`: the rooms that have a listing field. */
export const ROOM_MEANINGS = byNumber({
  salleDeBain: [8, 41],
  salleEau: [13, 42],
  terrasse: [18],
  balcon: [43],
  parking: [4, 5, 74, 75, 85],
  piscine: [64],
  terrain: [51, 101],
});

/** Services (`property_service`) and rooms (`property_areas`) that become a flag or a count. */
export const FEATURE_SERVICES = byNumber({ cheminee: [2], accessible: [3], climatisation: [4], animaux: [62] });
export const ROOMS_OF_NOTE = byNumber({
  nbreWc: [16, 41, 42, 107],
  jardin: [49, 50],
  cave: [6, 109],
  cuisineEquipee: [96],
});

/** Catalog `property_regulation`: the regulations that have a listing field. */
export const REGULATIONS = {
  dpeValeur: [1, 102],
  gesValeur: [2],
  dpeClasse: [50],
  gesClasse: [52],
  carrez: [3],
  taxeFonciere: [133, 22, 25, 26],
  loyerComplement: [106],
  loyerReferenceMajore: [135],
  dpeCoutMin: [120],
  dpeCoutMax: [121],
  dpeAnneeReference: [122],
  dpeEnergieFinale: [145],
  numero: [60, 77],
} as const;

export const WITHDRAWN_STATUSES: Readonly<Record<string, string>> = {
  '30': 'sold or let by the agency',
  '31': 'sold or let by the owner',
  '32': 'sold or let by another agency',
  '33': 'withdrawn by the agency',
  '34': 'withdrawn by the owner',
  '35': 'the sale or rental was cancelled',
  '39': 'closed for another reason',
  '40': 'marked to be deleted',
};
/** Sold or let, by any agency or the owner. */
export const SOLD_STATUSES: ReadonlySet<string> = new Set(['30', '31', '32']);
/** A status or step that is in none of these lists gives a warning. */
export const SHOWN_STATUSES: ReadonlySet<string> = new Set(['1', '20', '21', '22', '24', '25', '28', '29']);
export const SHOWN_STEPS: ReadonlySet<string> = new Set(['1', '2']);
export const WITHDRAWN_STEPS: Readonly<Record<string, string>> = { '3': 'closed', '4': 'deleted' };

function byNumber<K extends string>(numbers: Readonly<Record<K, readonly number[]>>): ReadonlyMap<number, K> {
  return new Map(
    (Object.entries(numbers) as [K, readonly number[]][]).flatMap(([meaning, ids]) =>
      ids.map((id) => [id, meaning] as const),
    ),
  );
}
