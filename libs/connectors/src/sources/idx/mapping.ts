import type { IdxRow } from '../../formats/idx-rows';
import { toUrl } from '../../kit/clean/links';
import { toNumber, toRooms, toSquareMetres } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import { features, links, namesOfYes, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place } from '../../kit/place';
import { together } from '../../kit/together';
import { textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { readCurrency } from '../../kit/word-table';
import { categoryOf, kindOf } from './kind';
import { type ObjectKind, PICTURES, SAID_BY_FLAGS } from './lookups';
import { type Offer, readOffer } from './offer';

const prices = together<IdxRow, Offer>(readOffer);

const flags = namesOfYes(SAID_BY_FLAGS);

/** Numbers are the positions of IDX 3.01, counted from 0. */
export const MAPPING: ListingMapping<IdxRow> = {
  ...absentGroups('not in the format', {
    'Minergie (cells 175 and 176) is a label, not a class': ['certificate'],
    'costs on top of the net rent are one amount: cell 20': ['rentParts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'an agency has names and contact details; commissions are between agencies': ['licences'],
    'the visit contact is private, and there is no other person': ['contact'],
    'a line is one object, of no project': ['project'],
    'cells 18 to 20 are current prices': ['priceDetails'],
    'areas are living, usable, and the plot': ['otherAreas'],
    'cells 37 and 38 are a yes or a no': ['amenities'],
    'no cell says how it is heated': ['heating'],
    'no cell says that a tenant stays': ['investment'],
    'no cell says so': ['comfort'],
    'pictures are not marked as plans': ['media'],
  }),
  affId: v.computed(affIdOf),
  affNum: v.computed((row) => plainLine(referenceOf(row) ?? textOf(row[178]))),
  intitule: v.first(v.text('16'), v.builtTitle(titleParts)),
  commentaires: v.prose('17'),
  ...prices.fields(
    'typeTransaction',
    'prix',
    'prixSurDemande',
    'loyer',
    'loyerPeriode',
    'loyerSource',
    'charges',
    'loyerBase',
    'loyerHorsCharges',
    'loyerChargesComprises',
  ),
  typeTransactionSource: v.text('4'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.text('2'),
  prixCurrency: v.computed(currencyOf),
  // Offices and workshops have only a usable area. The area of a plot is its land area.
  surfaceHabitable: v.computed((row, context) =>
    isPlot(row) ? undefined : (area(row, 27, context) ?? area(row, 29, context)),
  ),
  nbrePieces: v.computed(roomsOf),
  ville: v.text('10'),
  ...place({ country: v.computed(countryWordOf, '12'), postcode: v.computed(postcodeOf, '9'), usual: 'CH' }),
  adresse: v.when((_row, context) => showsAddress(context), v.text('8')),
  photos: v.photos('46', picturesOf),
  agenceNom: v.first(v.text('69'), v.text('70'), v.setting('agence-nom')),
  agenceTel: v.text('76'),
  negoEmail: v.email('79'),
  surfaceTerrain: v.computed(
    (row, context) =>
      area(row, 28, context) ?? (isPlot(row) ? (area(row, 29, context) ?? area(row, 27, context)) : undefined),
  ),
  etage: v.floor('24'),
  nbreEtages: v.integer('162'),
  anneeConstruction: v.year('31'),
  meuble: v.computed((row) => kindOf(row)?.isFurnished),
  neuf: v.flag('170'),
  balcon: v.flag('39'),
  terrasse: v.computed((row) => kindOf(row)?.hasTerrace),
  parking: v.computed(parkingOf),
  ascenseur: v.flag('35'),
  piscine: v.flag('174'),
  // Cell 180 is spare: portals have agreed to use it for tours.
  visiteVirtuelle: v.url('180'),
  url: v.url('67'),
  video: v.url('61'),
  disponibilite: v.day('15'),
  dateModification: v.date('177'),
  // The canton; 13 is a region in words.
  region: v.firstOf(v.text, '11', '13'),
  surfaceUtile: v.computed((row, context) => (isPlot(row) ? undefined : area(row, 29, context)), '29'),
  rendement: v.decimal('23'),
  vue: yesInWords({ 32: 'Aussicht' }),
  cheminee: v.flag('33'),
  accessible: v.flag('115'),
  animaux: v.flag('116'),
  etat: yesInWords({ 171: 'Altbau' }),
  regimePropriete: yesInWords({ 172: 'Im Baurecht' }),
  caracteristiques: features<IdxRow>(flags, ...Object.keys(SAID_BY_FLAGS)),
  disponibiliteTexte: v.when<IdxRow, string>((row) => /\p{L}/u.test(row[15] ?? ''), v.text('15')),
  documents: links<IdxRow>((row) => [{ value: row[64], titre: row[65] }], '64', '65'),
  ...v.absent('not in the format', 'latitude', 'longitude', 'surfaceCarrez', 'sousOffre', 'statut'),
  ...v.absent('the format counts rooms, not bedrooms', 'nbreChambres'),
  ...v.absent('cell 13 is a region, not a part of the town', 'quartier'),
  ...v.absent('the visit contact is private', 'negoTel'),
  ...v.absent('a line has one language, and does not say which', 'textes', 'langue'),
  ...v.absent('cell 120 says that there is a toilet, not how many', 'nbreWc'),
  ...v.absent('the format is older than it, or has no cell', 'fraisCommunaute', 'numeroEnregistrement'),
};

/** Cell 68 in one spelling. */
export function agencyOf(row: IdxRow): string | undefined {
  return textOf(row[68])?.toUpperCase();
}

/** The references of property, house and object, such as `4711.01.0003`, which portals display. */
function referenceOf(row: IdxRow): string | undefined {
  const references = [row[5], row[6], row[7]].map((reference) => textOf(reference) ?? '');
  // An empty reference in the middle keeps its position, so that two objects never share a reference.
  return references.join('.').replace(/^\.+|(?<!\.)\.+$/g, '') || undefined;
}

/** One file may contain several agencies. Cell 178 comes from a portal, sometimes later, so references come first. */
function affIdOf(row: IdxRow): string | undefined {
  const agency = agencyOf(row);
  const own = referenceOf(row) ?? textOf(row[178]);
  if (own === undefined) return undefined;
  return agency === undefined ? own : `${agency}-${own}`;
}

/** The format does not say, so the street is shown unless the operator's setting forbids it. */
export function showsAddress(context: RecordContext): boolean {
  return toFlag(context.settings['publier-adresse']) !== false;
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

function titleParts(row: IdxRow): TitleParts {
  return { type: kindOf(row)?.title, pieces: toSwissRooms(row[25]), ville: plainLine(row[10] ?? '') };
}

function roomsOf(row: IdxRow, context: RecordContext): number | undefined {
  const text = row[25]?.trim() ?? '';
  const rooms = toSwissRooms(text);
  // A range that became one number gives a warning, and so does a text that is no number.
  if (text !== '' && (rooms === undefined ? toNumber(text) !== 0 : text.includes('-')))
    context.warn('implausible_value', '25', text.slice(0, 120));
  return rooms;
}

const RANGE = /^(\d{1,2}(?:[.,]5)?)\s*[-–/]\s*(\d{1,2}(?:[.,]5)?)$/;
const HALF = /^(\d{1,2})\s*(?:½|1\/2)$/;
const UNIT = /(?<!\s)\s*(?:zimmer|zi\.?|locali|vani)$/i;

/** Reads `4.5`, `4,5`, `4½`, `4 1/2`, `4½ Zimmer`. A range such as `4-5` becomes its middle: it means a half room. */
export function toSwissRooms(value: unknown): number | undefined {
  const plain = toRooms(value);
  if (plain !== undefined || typeof value !== 'string') return plain;
  const text = value.trim().replace(UNIT, '');
  const half = HALF.exec(text)?.[1];
  if (half !== undefined) return Number(half) + 0.5;
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) return toRooms(text);
  const [least, most] = [toRooms(from), toRooms(to)];
  return least === undefined || most === undefined || most < least ? undefined : (least + most) / 2;
}

/** An area that is only partly readable ("ca. 100") is omitted, with a warning. */
function area(row: IdxRow, cell: number, context: RecordContext): number | undefined {
  return toSquareMetres(v.readSize(row[cell], String(cell), context));
}

function parkingOf(row: IdxRow): boolean | undefined {
  const parking = toFlag(row[37]);
  const garage = toFlag(row[38]);
  return parking === true || garage === true ? true : (parking ?? garage);
}

/** Country codes of vehicle plates, which some exporters write in addresses. */
const CAR_LETTERS: Readonly<Record<string, string>> = { FL: 'LI', D: 'DE', A: 'AT', F: 'FR', I: 'IT' };
const COUNTRY_AHEAD = /^(?:CH|FL|LI|DE?|AT?|FR?|IT?)-\s*(?=\d)/i;

function countryWordOf(row: IdxRow): string | undefined {
  const word = row[12]?.trim() ?? '';
  return word === '' ? undefined : (CAR_LETTERS[word.toUpperCase()] ?? word);
}

/** `CH-1003` is `1003`. */
function postcodeOf(row: IdxRow): string | undefined {
  return row[9]?.trim().replace(COUNTRY_AHEAD, '');
}

const FRANCS: ReadonlySet<string> = new Set(['sfr', 'fr', 'frs', 'fs']);

function currencyOf(row: IdxRow, context: RecordContext): string | undefined {
  const word = row[22]?.trim() ?? '';
  if (FRANCS.has(foldWord(word))) return 'CHF';
  return readCurrency(word === '' ? undefined : word, '22', context, 'CHF');
}

/** A picture has a file, an address, or both. If the address is a folder, the name of the file is appended. */
function* picturesOf(row: IdxRow): Generator<PhotoSource> {
  for (const { file: fileCell, title, text, url } of PICTURES) {
    const name = row[fileCell]?.trim() ?? '';
    const address = row[url]?.trim() ?? '';
    const legende = row[title]?.trim() === '' ? row[text] : row[title];
    // The cell for the file may contain an address instead.
    if (toUrl(name) !== undefined) yield { value: address === '' || address.endsWith('/') ? name : address, legende };
    else if (name !== '') yield { file: name, ...(address !== '' && { value: withFile(address, name) }), legende };
    else if (address !== '' && !address.endsWith('/')) yield { value: address, legende };
  }
}

function withFile(address: string, name: string): string {
  return address.endsWith('/') ? address + name : address;
}
