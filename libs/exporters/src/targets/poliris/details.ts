import type { Listing } from '@passerelle/domain';
import { decimal, frenchDay } from '../../kit/text';
import {
  CONDITION_RANKS,
  FLAG_RANKS,
  HEAT_SOURCE_SUMS,
  HEATING_SUMS,
  ORIENTATIONS,
  REVERSIBLE,
  VIEW_RANKS,
} from './lookups';
import type { Row } from './row';

const LONGEST_NUMBER = 12;

export function writeDetails(row: Row, listing: Listing): void {
  writeSizes(row, listing);
  writeBuilding(row, listing);
  writeComfort(row, listing);
  writeWords(row, listing);
  writeCoOwnership(row, listing);
  row.text(112, listing.mandatNum, 15);
  row.whole(104, listing.visiteVirtuelle, 256);
  row.whole(22, frenchDay(listing.disponibilite), 10);
  row.text(182, listing.disponibiliteTexte, 255);
}

/** A plot has its area in both ranks, because rank 16 may not be empty. */
function writeSizes(row: Row, listing: Listing): void {
  const isPlot = listing.typeCode === 'terrain';
  size(row, 16, isPlot ? listing.surfaceTerrain : listing.surfaceHabitable);
  size(row, 17, listing.surfaceTerrain);
  count(row, 18, listing.nbrePieces);
  count(row, 19, listing.nbreChambres);
  count(row, 29, listing.nbreSallesDeBain);
  count(row, 30, listing.nbreSallesEau);
  count(row, 31, listing.nbreWc);
}

function writeBuilding(row: Row, listing: Listing): void {
  row.whole(24, listing.etage, 4);
  count(row, 25, listing.nbreEtages);
  row.flag(26, listing.meuble);
  row.whole(27, listing.anneeConstruction, 4);
  row.flag(41, listing.ascenseur);
  row.flag(42, listing.cave);
  row.flag(83, listing.exclusivite);
  // The rank is a number of balconies: a balcony is at least one.
  if (listing.balcon === true) row.whole(39, 1, 1);
  row.flag(48, listing.terrasse);
  const isGarage = /\b(?:box|garages?)\b/i.test(listing.parkingType ?? '');
  const spaces = listing.nbreParkings ?? (listing.parking === true ? 1 : undefined);
  row.whole(isGarage ? 44 : 43, spaces, 4);
}

function writeComfort(row: Row, listing: Listing): void {
  row.whole(33, heatingCode(listing), 5);
  // 9 is "équipée", of no stated shape. The format cannot say that a kitchen is not fitted.
  if (listing.cuisineEquipee === true) row.whole(34, 9, 1);
  row.flag(64, listing.climatisation);
  row.flag(65, listing.piscine);
  row.flag(66, listing.accessible);
  row.flag(67, listing.animaux);
  row.flag(68, listing.cheminee);
}

/** The code of the heating; undefined for words that the format does not have. */
export function heatingCode({ chauffageType = '', chauffageEnergie = '' }: Listing): number | undefined {
  const kind = chauffageType.toLowerCase();
  if (kind === 'climatisation réversible') return REVERSIBLE;
  const emission = sumOf(kind.replace(/\bmixte\b/, 'radiateur sol'), HEATING_SUMS);
  const sources = HEAT_SOURCE_SUMS.filter(([pattern]) => pattern.test(chauffageEnergie.toLowerCase()));
  const source = sources.length === 1 ? sources[0]![1] : 0;
  return emission + source === 0 ? undefined : emission + source;
}

function sumOf(text: string, sums: typeof HEATING_SUMS): number {
  return sums.reduce((sum, [pattern, part]) => sum + (pattern.test(text) ? part : 0), 0);
}

/** Words of the listing that are words of the format. Other features are free text in rank 239. */
function writeWords(row: Row, listing: Listing): void {
  for (const { rank, pattern } of ORIENTATIONS) row.yes(rank, pattern.test(listing.exposition ?? ''));
  for (const word of wordsOf(listing.etat)) row.yes(CONDITION_RANKS[word] ?? Infinity, true);
  for (const word of wordsOf(listing.vue)) row.yes(VIEW_RANKS[word] ?? Infinity, true);
  const free: string[] = [];
  for (const feature of listing.caracteristiques ?? []) {
    const rank = FLAG_RANKS[feature.toLowerCase().replaceAll('’', "'")];
    if (rank === undefined) free.push(feature);
    else row.yes(rank, true);
  }
  row.text(239, free.length === 0 ? undefined : free.join('\n'), 4000);
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(',').map((word) => word.trim().toLowerCase());
}

function writeCoOwnership(row: Row, listing: Listing): void {
  row.flag(258, listing.copropriete);
  count(row, 259, listing.coproLots);
  size(row, 260, listing.coproCharges);
  row.flag(261, listing.coproProcedure);
}

function size(row: Row, rank: number, value: number | undefined): void {
  row.whole(rank, value === undefined ? undefined : decimal(value), LONGEST_NUMBER);
}

/** Counts are whole numbers in the format: of 4.5 rooms four are whole. */
function count(row: Row, rank: number, value: number | undefined): void {
  row.whole(rank, value === undefined || value < 1 ? undefined : Math.floor(value), 6);
}
