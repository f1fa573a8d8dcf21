import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { NumberPlaces } from '../../formats/number-survey';
import { wordTable } from '../../kit/word-table';

/** Cell 4. */
export const OFFERS = wordTable<TypeTransaction>({
  SALE: 'vente',
  SELL: 'vente',
  BUY: 'vente',
  RENT: 'location',
  RENTAL: 'location',
  LEASE: 'location',
});

export interface PriceUnit {
  /** The offer that this unit implies if the row names no offer. */
  offer: TypeTransaction;
  period?: RentPeriod;
  isPerSquareMetre?: true;
}

/** Cell 21. */
export const PRICE_UNITS = wordTable<PriceUnit>({
  SELL: { offer: 'vente' },
  SELLM2: { offer: 'vente', isPerSquareMetre: true },
  YEARLY: { offer: 'location', period: 'an' },
  M2YEARLY: { offer: 'location', period: 'an', isPerSquareMetre: true },
  MONTHLY: { offer: 'location', period: 'mois' },
  WEEKLY: { offer: 'location', period: 'semaine' },
  DAILY: { offer: 'location', period: 'jour' },
});

export interface ObjectKind {
  code: TypeCode;
  title: TitleWord;
  isFurnished?: true;
  hasTerrace?: true;
}

const kind = (code: TypeCode, title: TitleWord): ObjectKind => ({ code, title });

/** Cell 2. */
export const CATEGORIES = wordTable<ObjectKind>({
  APPT: kind('appartement', 'Appartement'),
  HOUSE: kind('maison', 'Maison'),
  PROP: kind('terrain', 'Terrain'),
  PARK: kind('parking', 'Place de parc'),
  INDUS: kind('local', 'Local commercial'),
  GASTRO: kind('local', 'Établissement'),
  AGRI: kind('autre', 'Domaine agricole'),
  SECONDARY: kind('autre', 'Local annexe'),
  GARDEN: kind('terrain', 'Jardin'),
});

/** Cells 2 and 3: the types that are more precise than their category, or differ from it. */
export const TYPES: Readonly<Record<string, ObjectKind>> = {
  'APPT 2': kind('appartement', 'Duplex'),
  'APPT 3': kind('appartement', 'Attique'),
  'APPT 4': kind('appartement', 'Appartement sous les toits'),
  'APPT 5': kind('appartement', 'Studio'),
  'APPT 6': kind('appartement', 'Chambre'),
  'APPT 7': { ...kind('appartement', 'Appartement meublé'), isFurnished: true },
  'APPT 8': { ...kind('appartement', 'Appartement en terrasses'), hasTerrace: true },
  'APPT 10': kind('loft', 'Loft'),
  'HOUSE 2': kind('maison', 'Maison en rangée'),
  'HOUSE 3': kind('maison', 'Maison jumelée'),
  'HOUSE 5': kind('maison', 'Villa'),
  'HOUSE 6': kind('maison', 'Ferme'),
  'HOUSE 7': kind('immeuble', 'Immeuble'),
  'HOUSE 10': kind('chateau', 'Château'),
  'HOUSE 12': kind('maison', 'Chalet'),
  'HOUSE 13': kind('maison', 'Rustico'),
  'INDUS 1': kind('bureau', 'Bureau'),
  'INDUS 2': kind('boutique', 'Surface de vente'),
  'INDUS 6': kind('bureau', 'Cabinet'),
  'INDUS 7': kind('boutique', 'Kiosque'),
  'INDUS 20': kind('immeuble', 'Immeuble mixte'),
  'INDUS 34': kind('immeuble', 'Immeuble commercial'),
  'INDUS 37': kind('parking', 'Parking'),
  'INDUS 38': kind('parking', 'Parking'),
  'GASTRO 1': kind('local', 'Hôtel'),
  'GASTRO 2': kind('local', 'Restaurant'),
  'PROP 1': kind('terrain', 'Terrain à bâtir'),
};

export interface PictureCells {
  file: number;
  title: number;
  text: number;
  url: number;
}

/** Three blocks of five, four and four pictures, added by three versions of the format. */
export const PICTURES: readonly PictureCells[] = [
  ...block(5, { file: 46, title: 51, text: 56, url: 99 }),
  ...block(4, { file: 87, title: 91, text: 95, url: 104 }),
  ...block(4, { file: 142, title: 146, text: 150, url: 154 }),
];

/** Cells that stay private. */
export const PRIVATE_CELLS: Readonly<Record<number, string>> = {
  71: 'the person within the agency who is responsible for the listing',
  77: 'the mobile telephone of a person',
  81: 'visit contact: a name',
  82: 'visit contact: a telephone',
  83: 'visit contact: an e-mail address',
  84: 'visit contact: notes',
  85: 'how long portals show the listing',
  86: 'the portals that the agency has booked',
  ...Object.fromEntries(range(127, 139).map((cell) => [cell, 'the address that bills go to'])),
  140: 'a number between agency and portal',
  141: 'a number between agency and portal',
  158: 'how agencies share a commission',
  159: 'how agencies share a commission',
  160: 'how agencies share a commission',
  ...Object.fromEntries(
    [179, 181, 182].map((cell) => [cell, 'a spare cell: no one knows what an agency writes there']),
  ),
};

function block(size: number, first: PictureCells): PictureCells[] {
  return range(0, size - 1).map((step) => ({
    file: first.file + step,
    title: first.title + step,
    text: first.text + step,
    url: first.url + step,
  }));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Cells with amounts: the price or gross rent, the net rent and the extra costs. */
export const NUMBER_CELLS: NumberPlaces<number> = { amounts: [18, 19, 20], areas: [] };

/** Flags without a listing field, in the words of the format's description. */
export const SAID_BY_FLAGS = {
  ...{ 34: 'Kabel-TV', 36: 'Kinderfreundlich', 114: 'ISDN-Anschluss', 117: 'Rampe', 118: 'Hebebühne' },
  ...{ 119: 'Bahnanschluss', 120: 'Toilette', 121: 'Wasseranschluss', 122: 'Abwasseranschluss', 123: 'Stromanschluss' },
  ...{ 124: 'Gasanschluss', 164: 'WG-geeignet', 165: 'Eckhaus', 166: 'Mittelhaus', 167: 'Bauland erschlossen' },
  ...{
    168: 'Gartenhaus',
    169: 'Hochparterre',
    173: 'Überdacht',
    175: 'Minergie-Bauweise',
    176: 'Minergie-zertifiziert',
  },
} as const;
