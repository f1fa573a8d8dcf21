import { isRental, type Listing, type Statut } from '@passerelle/domain';
import type { BlmRow } from '../../formats/blm-rows';
import { agencyNameFor } from '../../kit/agency-names';
import { toCurrency } from '../../kit/clean/money';
import { type AreaUnit, toRooms, toSquareMetres } from '../../kit/clean/number';
import { type Coordinates, toCoordinates, toCountry, toDistrict } from '../../kit/clean/place';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { links, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { positionOf, readCoordinates, readPostcode } from '../../kit/place';
import { together } from '../../kit/together';
import { textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp, readCountry } from '../../kit/word-table';
import {
  documentsOf,
  factsOf,
  FEATURES,
  photosOf,
  plansOf,
  qualifierOf,
  tenureOf,
  type Tours,
  toursOf,
} from './advert';
import {
  AREA_UNITS,
  codeOf,
  FURNISHED,
  FURNISHED_UNSAID,
  NAMED_AREA_UNITS,
  type PropertyType,
  STATUSES,
  TYPES,
} from './lookups';
import { FIGURES, type Offer, readOffer } from './offer';
import { standing, withdrawalFor } from '../../kit/status';
import { toFlag } from '../../kit/clean/fold-word';

const prices = together<BlmRow, Offer>(readOffer);
const typeTransaction = prices.field('typeTransaction');
const place = together<BlmRow, Place>(readPlace);
const tours = together<BlmRow, Tours>(toursOf);
const areas = together<BlmRow, Areas>(readAreas);
/** In order of preference. */
const TOWN_COLUMNS = ['OS_TOWN_CITY', 'TOWN', 'ADDRESS_3'];

/** Versions 3 and 3i of the Rightmove BLM. Columns are read by their names. */
export const MAPPING: ListingMapping<BlmRow> = {
  ...absentGroups('not in the format', {
    'the certificate is a picture: MEDIA_IMAGE_60': ['certificate'],
    'LET_BILL_INC_… say which bills the rent includes, not how much they are': ['rentTerms'],
    'a rent is one amount': ['rentParts'],
    'COUNCIL_TAX_BAND is a band, not an amount': ['yearlyCosts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to other land registers': ['registrations'],
    'the format knows branches, no licences; fees of lettings are free text': ['licences'],
    'a row is one property, of a development that has only a name': ['project'],
    'PRICE is the current price, and PRICE_PER_UNIT does not say its unit': ['priceDetails'],
    'there is one size, and the format does not say what it measures': ['otherAreas'],
    'BATHROOMS counts all bathrooms': ['bathrooms'],
    'features are free text': ['amenities'],
    'features are free text, and are in caracteristiques': ['heating', 'investment', 'comfort'],
  }),
  affId: v.computed(affIdOf),
  affNum: v.text('AGENT_REF'),
  intitule: v.first(v.text('DISPLAY_ADDRESS'), v.builtTitle(titleParts)),
  commentaires: v.computed(descriptionOf),
  typeTransactionSource: v.text('TRANS_TYPE_ID'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((row, context) => {
    const word = textOf(row['PROP_SUB_ID']);
    return word === undefined ? undefined : (lookUp(TYPES, word, 'PROP_SUB_ID', context)?.code ?? 'autre');
  }),
  typeCodeSource: v.text('PROP_SUB_ID'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource'),
  prixCurrency: v.computed((_row, context) => toCurrency(context.settings['devise']) ?? 'GBP'),
  ...areas.fields('surfaceHabitable', 'surfaceTerrain', 'surfacePlage'),
  nbrePieces: v.computed(roomsOf),
  nbreChambres: v.rooms('BEDROOMS'),
  // Overseas rows have placeholders in the British columns. If both town columns are empty, the third address line is
  // the town.
  ville: v.firstOf(v.text, ...TOWN_COLUMNS),
  ...place.fields('codePostal', 'pays'),
  adresse: v.text('DISPLAY_ADDRESS'),
  ...positionOf(pointOf),
  photos: v.photos('MEDIA_IMAGE', photosOf),
  agenceNom: v.computed((row, context) => agencyNameFor(branchOf(row), context.settings)),
  nbreSallesDeBain: v.integer('BATHROOMS'),
  meuble: v.computed(furnishedOf),
  neuf: v.flag('NEW_HOME_FLAG'),
  depotGarantie: v.money('LET_BOND', FIGURES),
  coproCharges: v.money('ANNUAL_SERVICE_CHARGE', FIGURES),
  ...tours.fields('visiteVirtuelle', 'video'),
  disponibilite: v.day('LET_DATE_AVAILABLE'),
  dateCreation: v.date('CREATE_DATE'),
  dateModification: v.date('UPDATE_DATE'),
  region: v.text('OS_REGION'),
  prixMention: v.first(prices.field('prixMention'), v.computed(qualifierOf, 'PRICE_QUALIFIER')),
  caracteristiques: FEATURES,
  disponibiliteTexte: v.when<BlmRow, string>(
    (row) => /[a-z]/i.test(row['LET_DATE_AVAILABLE'] ?? ''),
    v.text('LET_DATE_AVAILABLE'),
  ),
  plans: links(plansOf, 'MEDIA_FLOOR_PLAN'),
  documents: links(documentsOf, 'MEDIA_DOCUMENT'),
  programmeNom: v.text('DEVELOPMENT_NAME'),
  bandeCouncilTax: v.text('COUNCIL_TAX_BAND'),
  regimePropriete: v.computed(tenureOf, 'TENURE_TYPE_ID'),
  bailAnnees: v.integer('TENURE_UNEXPIRED_YEARS'),
  redevanceFonciere: periodic(v.money('ANNUAL_GROUND_RENT', FIGURES), 'an'),
  chargesService: periodic(v.money('ANNUAL_SERVICE_CHARGE', FIGURES), 'an'),
  partAchetee: v.decimal('SHARED_OWNERSHIP_PERCENTAGE'),
  informations: v.computed(
    factsOf,
    'GROUND_RENT_REVIEW_PERIOD_YEARS',
    'SHARED_OWNERSHIP',
    'SHARED_OWNERSHIP_PERCENTAGE',
  ),
  ...v.absent('not in the format', 'loyerPart', 'negoEmail', 'surfaceCarrez', 'chargesModalite'),
  ...v.absent('ADMINISTRATION_FEE is free text', 'honoraires', 'honorairesUnite'),
  ...v.absent('lines 3 and 4 of the address are not public', 'quartier'),
  ...v.absent('British tenures are not those of a copropriété', 'copropriete'),
  ...v.absent('one language, and no page of its own', 'textes', 'url'),
  ...v.absent('features are free text, and are in caracteristiques', 'nbreParkings', 'parkingType', 'etat'),
  ...v.absent('a row has one language, and does not say which', 'langue'),
  ...v.absent('BATHROOMS counts bathrooms', 'nbreWc'),
  ...v.absent('the service charge is chargesService', 'fraisCommunaute'),
  ...v.absent('the format is older than the registers of short lets', 'numeroEnregistrement'),
};

/** The branch of the agency, in upper case: one file may contain several branches. */
export function branchOf(row: BlmRow): string | undefined {
  return textOf(row['BRANCH_ID'])?.toUpperCase();
}

/**
 * AGENT_REF is unique within a branch. It gets the branch as a prefix unless it already starts with the branch
 * (`99999_D1`).
 */
export function affIdOf(row: BlmRow): string | undefined {
  const reference = textOf(row['AGENT_REF']);
  const branch = branchOf(row);
  if (reference === undefined || branch === undefined) return reference;
  return reference.toUpperCase().startsWith(`${branch}_`) ? reference : `${branch}-${reference}`;
}

function titleParts(row: BlmRow): TitleParts {
  const ville = TOWN_COLUMNS.map((column) => plainLine(row[column] ?? '')).find((town) => town !== undefined);
  // Most categories of the format are not specific, and some rows have no category.
  return { type: typeOf(row)?.title ?? 'Bien', chambres: toRooms(row['BEDROOMS']), ville };
}

/** The summary, then the description; many exporters begin the description with the summary. */
function descriptionOf(row: BlmRow): string | undefined {
  const summary = plainText(textOf(row['SUMMARY']));
  const description = plainText(textOf(row['DESCRIPTION']));
  if (summary === undefined || description === undefined) return summary ?? description;
  // An exporter may shorten the summary or break its lines differently.
  const isBeginning = inOneLine(description).startsWith(inOneLine(summary.replace(CUT_OFF, '')));
  return isBeginning ? description : `${summary}\n\n${description}`;
}

const CUT_OFF = /(?<!\s)\s*(?:(?<!\.)\.{2,}|…)$/;

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function typeOf(row: BlmRow): PropertyType | undefined {
  return TYPES.find(row['PROP_SUB_ID'] ?? '');
}

/** The French `pièces`: living rooms plus bedrooms. The format has no count of all rooms. */
function roomsOf(row: BlmRow): number | undefined {
  const living = toRooms(row['LIVING_ROOMS']);
  return living === undefined ? undefined : living + (toRooms(row['BEDROOMS']) ?? 0);
}

type Areas = Pick<Listing, 'surfaceHabitable' | 'surfaceTerrain' | 'surfacePlage'>;

/**
 * The area is land if the unit is acres or hectares, or if the property is a plot; otherwise it is the size of the
 * building.
 */
function readAreas(row: BlmRow, context: RecordContext): Areas {
  const least = v.readSize(row['MIN_SIZE_ENTERED'], 'MIN_SIZE_ENTERED', context, FIGURES);
  const most = v.readSize(row['MAX_SIZE_ENTERED'], 'MAX_SIZE_ENTERED', context, FIGURES);
  const size = least ?? most;
  if (size === undefined) return {};
  const unit = areaUnitOf(row, context);
  if (unit === undefined) return {};
  const squareMetres = toSquareMetres(size, unit);
  if (squareMetres === undefined) return {};
  const isLand = unit === 'acre' || unit === 'ha' || typeOf(row)?.code === 'terrain';
  const max = least !== undefined && most !== undefined && most > least ? toSquareMetres(most, unit) : undefined;
  return {
    ...(isLand ? { surfaceTerrain: squareMetres } : { surfaceHabitable: squareMetres }),
    ...(max !== undefined && { surfacePlage: { min: squareMetres, max } }),
  };
}

function areaUnitOf(row: BlmRow, context: RecordContext): AreaUnit | undefined {
  const word = codeOf(row, 'AREA_SIZE_UNIT_ID');
  if (word === undefined || word === '0') return NAMED_AREA_UNITS.find(context.settings['unite-surface'] ?? '');
  return lookUp(AREA_UNITS, word, 'AREA_SIZE_UNIT_ID', context);
}

function postcodeOf(row: BlmRow): string | undefined {
  const overseas = plainLine(row['ZIPCODE'] ?? '');
  if (overseas !== undefined) return overseas;
  const outward = plainLine(row['POSTCODE1'] ?? '') ?? '';
  const inward = plainLine(row['POSTCODE2'] ?? '') ?? '';
  // Some exporters write the whole postcode into the first column.
  return plainLine(outward.endsWith(` ${inward}`) ? outward : `${outward} ${inward}`);
}

interface Place {
  pays: string | undefined;
  codePostal: string | undefined;
}

function readPlace(row: BlmRow, context: RecordContext): Place {
  const pays = countryOf(row, context);
  return { pays, codePostal: readPostcode(postcodeOf(row), pays, 'POSTCODE1', context) };
}

/**
 * If a row has no country, the setting `pays` decides. Without this setting a row is British, except an overseas row:
 * its country is unknown.
 */
function countryOf(row: BlmRow, context: RecordContext): string | undefined {
  const word = textOf(row['COUNTRY_CODE']);
  if (word !== undefined) return readCountry(word, 'COUNTRY_CODE', context);
  const isOverseas = textOf(row['OS_TOWN_CITY']) !== undefined || textOf(row['ZIPCODE']) !== undefined;
  return toCountry(context.settings['pays']) ?? (isOverseas ? undefined : 'GB');
}

/** If an exporter writes the exact location into both pairs of columns, only the district is shown. */
function pointOf(row: BlmRow, context: RecordContext): Coordinates | undefined {
  const point = readCoordinates(textOf(row['LATITUDE']), textOf(row['LONGITUDE']), 'LATITUDE', context);
  return point !== undefined && showsExactPosition(row) ? toDistrict(point) : point;
}

/** Whether the point to show is the exact location, within about ten metres. */
export function showsExactPosition(row: BlmRow): boolean {
  const shown = toCoordinates(textOf(row['LATITUDE']), textOf(row['LONGITUDE']));
  const latitude = textOf(row['EXACT_LATITUDE']);
  const longitude = textOf(row['EXACT_LONGITUDE']) ?? textOf(row['EXACT_LONGDITUDE']);
  const door = toCoordinates(latitude, longitude);
  if (shown === undefined || door === undefined) return false;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) < DOOR_DEGREES;
  return isNear(shown.latitude, door.latitude) && isNear(shown.longitude, door.longitude);
}

/** About ten metres. */
const DOOR_DEGREES = 0.0001;

/** Sales have this column too, filled with its first code, so it is ignored for them. */
function furnishedOf(row: BlmRow, context: RecordContext): boolean | undefined {
  const word = codeOf(row, 'LET_FURN_ID');
  const kind = typeTransaction.read(row, context);
  if (word === undefined || kind === undefined || !isRental(kind) || FURNISHED_UNSAID.has(word)) return undefined;
  return lookUp(FURNISHED, word, 'LET_FURN_ID', context);
}

/** Returns why a row must be hidden. An unknown status gives a warning, and does not hide it. */
export function whyWithdrawn(row: BlmRow, context: RecordContext): string | undefined {
  if (toFlag(row['PUBLISHED_FLAG']) === false) return 'PUBLISHED_FLAG is 0: the agency hides it';
  const withdrawn = withdrawalFor(lookUp(STATUSES, codeOf(row, 'STATUS_ID'), 'STATUS_ID', context), context);
  return withdrawn === undefined ? undefined : `STATUS_ID: ${withdrawn}`;
}

function statutOf(row: BlmRow): Statut | undefined {
  return STATUSES.find(codeOf(row, 'STATUS_ID') ?? '')?.statut;
}
