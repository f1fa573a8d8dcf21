import type { IdxRow } from '../../formats/idx-rows';
import { toSquareMetres } from '../../kit/clean/area';
import { builtTitle } from '../../kit/clean/built-title';
import { toCountry } from '../../kit/clean/country';
import { toEmail } from '../../kit/clean/email';
import { toFlag } from '../../kit/clean/flag';
import { foldWord } from '../../kit/clean/fold';
import { toNumber } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import type { PhotoSource } from '../../kit/clean/photos';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import * as v from '../../kit/verbs';
import { affIdOf, referenceOf } from './identity';
import { CATEGORIES, type ObjectKind, PICTURES, TYPES } from './lookups';
import { type Offer, readOffer } from './offer';
import { toSwissRooms } from './rooms';

const offer = v.together<IdxRow, Offer>(readOffer);

/** Numbers are the positions of IDX 3.01, counted from 0. */
export const MAPPING: ListingMapping<IdxRow> = {
  affId: v.computed(affIdOf),
  affNum: v.computed((row) => referenceOf(row) ?? plainLine(row[178] ?? '')),
  intitule: v.first(v.text('16'), v.computed(titleOf)),
  commentaires: v.prose('17'),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('4'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.text('2'),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed(currencyOf),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  // Offices and workshops have a usable area only; that of a plot is the plot.
  surfaceHabitable: v.computed((row, context) =>
    isPlot(row) ? undefined : (area(row, 27, context) ?? area(row, 29, context)),
  ),
  nbrePieces: v.computed(roomsOf),
  nbreChambres: v.absent('the format counts rooms, not bedrooms'),
  ville: v.text('10'),
  codePostal: v.computed(postcodeOf),
  pays: v.computed((row, context) => readCountry(countryWordOf(row), '12', context) ?? countryOf(row, context)),
  adresse: v.computed((row, context) => (showsAddress(context) ? plainLine(row[8] ?? '') : undefined)),
  quartier: v.absent('cell 13 is a region, not a part of the town'),
  latitude: v.absent('not in the format'),
  longitude: v.absent('not in the format'),
  photos: v.photos('46', picturesOf),
  agenceNom: v.first(
    v.text('69'),
    v.text('70'),
    v.computed((_row: IdxRow, context) => plainLine(context.settings['agence-nom'] ?? '')),
  ),
  agenceTel: v.text('76'),
  negoNom: v.absent('the visit contact is private, and there is no other person'),
  negoEmail: v.computed((row) => toEmail(row[79])),
  negoTel: v.absent('the visit contact is private'),
  surfaceTerrain: v.computed(
    (row, context) =>
      area(row, 28, context) ?? (isPlot(row) ? (area(row, 29, context) ?? area(row, 27, context)) : undefined),
  ),
  surfaceCarrez: v.absent('not in the format'),
  nbreSallesDeBain: v.absent('not in the format'),
  nbreSallesEau: v.absent('not in the format'),
  etage: v.floor('24'),
  nbreEtages: v.integer('162'),
  anneeConstruction: v.year('31'),
  meuble: v.computed((row) => kindOf(row)?.isFurnished),
  exclusivite: v.absent('not in the format'),
  neuf: v.flag('170'),
  balcon: v.flag('39'),
  terrasse: v.computed((row) => kindOf(row)?.hasTerrace),
  parking: v.computed(parkingOf),
  ascenseur: v.flag('35'),
  piscine: v.flag('174'),
  charges: offer.part('charges'),
  depotGarantie: v.absent('not in the format'),
  honoraires: v.absent('not in the format'),
  honorairesUnite: v.absent('not in the format'),
  honorairesCharge: v.absent('not in the format'),
  honorairesEtatDesLieux: v.absent('not in the format'),
  honorairesBareme: v.absent('not in the format'),
  prixHorsHonoraires: v.absent('not in the format'),
  bouquet: v.absent('not in the format'),
  rente: v.absent('not in the format'),
  chargesModalite: v.absent('not in the format'),
  loyerBase: offer.part('loyerBase'),
  loyerComplement: v.absent('not in the format'),
  loyerReferenceMajore: v.absent('not in the format'),
  loyerEncadrement: v.absent('not in the format'),
  mandatNum: v.absent('not in the format'),
  mandatType: v.absent('not in the format'),
  taxeFonciere: v.absent('not in the format'),
  copropriete: v.absent('not in the format'),
  coproLots: v.absent('not in the format'),
  coproCharges: v.absent('not in the format'),
  coproProcedure: v.absent('not in the format'),
  dpeClasse: v.absent('Minergie (cells 175 and 176) is a label, not a class'),
  dpeValeur: v.absent('not in the format'),
  gesClasse: v.absent('not in the format'),
  gesValeur: v.absent('not in the format'),
  dpeDate: v.absent('not in the format'),
  dpeVersion: v.absent('not in the format'),
  dpeCoutMin: v.absent('not in the format'),
  dpeCoutMax: v.absent('not in the format'),
  dpeAnneeReference: v.absent('not in the format'),
  dpeEnergieFinale: v.absent('not in the format'),
  visiteVirtuelle: v.absent('not in the format'),
  video: v.url('61'),
  disponibilite: v.day('15'),
  dateCreation: v.absent('not in the format'),
  dateModification: v.date('177'),
};

/** Whether the street may be shown: the format has no word for it, an operator may. */
export function showsAddress(context: RecordContext): boolean {
  return toFlag(context.settings['publier-adresse']) !== false;
}

function kindOf(row: IdxRow): ObjectKind | undefined {
  const type = row[3]?.trim() ?? '';
  return TYPES[`${categoryOf(row)} ${type.replace(/^0+(?=\d)/, '')}`] ?? CATEGORIES.find(row[2] ?? '');
}

function categoryOf(row: IdxRow): string {
  return row[2]?.trim().toUpperCase() ?? '';
}

function typeCodeOf(row: IdxRow, context: RecordContext): ObjectKind['code'] | undefined {
  const category = categoryOf(row);
  if (category === '') return undefined;
  const kind = kindOf(row);
  if (kind === undefined) context.warn('unknown_word', '2', category.slice(0, 120));
  return kind?.code ?? 'autre';
}

function isPlot(row: IdxRow): boolean {
  return kindOf(row)?.code === 'terrain';
}

function titleOf(row: IdxRow): string | undefined {
  return builtTitle({ type: kindOf(row)?.title, pieces: toSwissRooms(row[25]), ville: plainLine(row[10] ?? '') });
}

function roomsOf(row: IdxRow, context: RecordContext): number | undefined {
  const text = row[25]?.trim() ?? '';
  const rooms = toSwissRooms(text);
  // A range that became one number, and what is no number at all, deserve a look.
  if (text !== '' && (rooms === undefined ? toNumber(text) !== 0 : text.includes('-')))
    context.warn('implausible_value', '25', text.slice(0, 120));
  return rooms;
}

/** What can be read of an area only in part ("ca. 100") is left out, and noticed. */
function area(row: IdxRow, cell: number, context: RecordContext): number | undefined {
  const number = toNumber(row[cell]);
  if (number === undefined && /[1-9]/.test(row[cell] ?? ''))
    context.warn('implausible_value', String(cell), row[cell]?.slice(0, 120) ?? '');
  return toSquareMetres(number);
}

/** A place to park, or a garage. */
function parkingOf(row: IdxRow): boolean | undefined {
  const parking = toFlag(row[37]);
  const garage = toFlag(row[38]);
  return parking === true || garage === true ? true : (parking ?? garage);
}

/** What cars have on their backs, and some write in addresses. */
const CAR_LETTERS: Readonly<Record<string, string>> = { FL: 'LI', D: 'DE', A: 'AT', F: 'FR', I: 'IT' };
const COUNTRY_AHEAD = /^(?:CH|FL|LI|DE?|AT?|FR?|IT?)-\s*(?=\d)/i;

function countryWordOf(row: IdxRow): string | undefined {
  const word = row[12]?.trim() ?? '';
  return word === '' ? undefined : (CAR_LETTERS[word.toUpperCase()] ?? word);
}

function countryOf(row: IdxRow, context: RecordContext): string | undefined {
  const word = countryWordOf(row);
  return word === undefined ? (toCountry(context.settings['pays']) ?? 'CH') : toCountry(word);
}

/** `CH-1003` is `1003`. */
function postcodeOf(row: IdxRow, context: RecordContext): string | undefined {
  return toPostcode(row[9]?.trim().replace(COUNTRY_AHEAD, ''), countryOf(row, context));
}

/** What francs are called in files. */
const FRANCS: ReadonlySet<string> = new Set(['sfr', 'fr', 'frs', 'fs']);

function currencyOf(row: IdxRow, context: RecordContext): string | undefined {
  const word = row[22]?.trim() ?? '';
  if (FRANCS.has(foldWord(word))) return 'CHF';
  return readCurrency(word === '' ? undefined : word, '22', context, 'CHF');
}

/** The address of a picture where there is one, else its file name; an address that is a folder is completed with it. */
function* picturesOf(row: IdxRow): Generator<PhotoSource> {
  for (const { file, title, text, url } of PICTURES) {
    const name = row[file]?.trim() ?? '';
    const address = row[url]?.trim() ?? '';
    const isFolder = address.endsWith('/');
    const value = isFolder && name !== '' ? `${address}${name}` : isFolder || address === '' ? name : address;
    if (value !== '') yield { value, legende: row[title]?.trim() === '' ? row[text] : row[title] };
  }
}
