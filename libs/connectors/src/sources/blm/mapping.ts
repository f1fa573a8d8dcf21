import { isRental, type Listing } from '@passerelle/domain';

import type { BlmRow } from '../../formats/blm-rows';
import { agencyNameFor } from '../../kit/agency-names';
import { type AreaUnit, toSquareMetres } from '../../kit/clean/area';
import { builtTitle } from '../../kit/clean/built-title';
import { toCoordinates } from '../../kit/clean/coordinates';
import { toInteger, toRooms } from '../../kit/clean/count';
import { toCountry } from '../../kit/clean/country';
import { toCurrency } from '../../kit/clean/currency';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import { toUrl } from '../../kit/clean/url';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry } from '../../kit/noticed-words';
import { textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { codeOf } from './codes';
import { affIdOf, branchOf } from './identity';
import {
  AREA_UNITS,
  FURNISHED,
  FURNISHED_UNSAID,
  NAMED_AREA_UNITS,
  PHOTO_COLUMNS,
  type PropertyType,
  TOUR_COLUMNS,
  TYPES,
} from './lookups';
import { FIGURES, type Offer, readOffer } from './offer';

const offer = v.together<BlmRow, Offer>(readOffer);
const typeTransaction = offer.part('typeTransaction');
const place = v.together<BlmRow, Place>(readPlace);
const areas = v.together<BlmRow, Areas>(readAreas);
const point = v.together<BlmRow, Pick<Listing, 'latitude' | 'longitude'>>(pointOf);

/** Versions 3 and 3i of the Rightmove BLM; columns by name. */
export const MAPPING: ListingMapping<BlmRow> = {
  affId: v.computed(affIdOf),
  affNum: v.text('AGENT_REF'),
  intitule: v.first(v.text('DISPLAY_ADDRESS'), v.computed(titleOf)),
  commentaires: v.computed(descriptionOf),
  typeTransaction,
  typeTransactionSource: v.text('TRANS_TYPE_ID'),
  typeCode: v.computed((row, context) => {
    const word = textOf(row['PROP_SUB_ID']);
    if (word === undefined) return undefined;
    const known = typeOf(row);
    if (known === undefined) context.warn('unknown_word', 'PROP_SUB_ID', word.slice(0, 120));
    return known?.code ?? 'autre';
  }),
  typeCodeSource: v.text('PROP_SUB_ID'),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed((_row, context) => toCurrency(context.settings['devise']) ?? 'GBP'),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  surfaceHabitable: areas.part('surfaceHabitable'),
  nbrePieces: v.computed(roomsOf),
  nbreChambres: v.rooms('BEDROOMS'),
  // The overseas columns stand beside the British ones, which then hold what an importer insists on.
  ville: v.first(v.text('OS_TOWN_CITY'), v.text('TOWN')),
  codePostal: place.part('codePostal'),
  pays: place.part('pays'),
  adresse: v.text('DISPLAY_ADDRESS'),
  quartier: v.absent('lines 3 and 4 of the address are not for show'),
  latitude: point.part('latitude'),
  longitude: point.part('longitude'),
  photos: v.photos('MEDIA_IMAGE', photosOf),
  agenceNom: v.computed((row, context) => agencyNameFor(branchOf(row), context.settings)),
  agenceTel: v.absent('not in the format'),
  negoNom: v.absent('not in the format'),
  negoEmail: v.absent('not in the format'),
  negoTel: v.absent('not in the format'),
  surfaceTerrain: areas.part('surfaceTerrain'),
  surfaceCarrez: v.absent('not in the format'),
  nbreSallesDeBain: v.integer('BATHROOMS'),
  nbreSallesEau: v.absent('BATHROOMS counts all of them'),
  etage: v.absent('not in the format'),
  nbreEtages: v.absent('not in the format'),
  anneeConstruction: v.absent('not in the format'),
  meuble: v.computed(furnishedOf),
  exclusivite: v.absent('not in the format'),
  neuf: v.flag('NEW_HOME_FLAG'),
  balcon: v.absent('features are free text'),
  terrasse: v.absent('features are free text'),
  parking: v.absent('features are free text'),
  ascenseur: v.absent('features are free text'),
  piscine: v.absent('features are free text'),
  charges: v.absent('LET_BILL_INC_… say which bills the rent includes, not how much they are'),
  depotGarantie: v.money('LET_BOND', FIGURES),
  honoraires: v.absent('ADMINISTRATION_FEE is free text'),
  honorairesUnite: v.absent('ADMINISTRATION_FEE is free text'),
  honorairesCharge: v.absent('not in the format'),
  honorairesEtatDesLieux: v.absent('not in the format'),
  honorairesBareme: v.absent('not in the format'),
  prixHorsHonoraires: v.absent('not in the format'),
  bouquet: v.absent('not in the format'),
  rente: v.absent('not in the format'),
  chargesModalite: v.absent('not in the format'),
  loyerBase: v.absent('not in the format'),
  loyerComplement: v.absent('not in the format'),
  loyerReferenceMajore: v.absent('not in the format'),
  loyerEncadrement: v.absent('not in the format'),
  mandatNum: v.absent('not in the format'),
  mandatType: v.absent('not in the format'),
  taxeFonciere: v.absent('COUNCIL_TAX_BAND is a band, not an amount'),
  copropriete: v.absent('British tenures are not those of a copropriété'),
  coproLots: v.absent('not in the format'),
  coproCharges: v.money('ANNUAL_SERVICE_CHARGE', FIGURES),
  coproProcedure: v.absent('not in the format'),
  dpeClasse: v.absent('the certificate is a picture: MEDIA_IMAGE_60'),
  dpeValeur: v.absent('the certificate is a picture: MEDIA_IMAGE_60'),
  gesClasse: v.absent('the certificate is a picture: MEDIA_IMAGE_60'),
  gesValeur: v.absent('the certificate is a picture: MEDIA_IMAGE_60'),
  dpeDate: v.absent('not in the format'),
  dpeVersion: v.absent('not in the format'),
  dpeCoutMin: v.absent('not in the format'),
  dpeCoutMax: v.absent('not in the format'),
  dpeAnneeReference: v.absent('not in the format'),
  dpeEnergieFinale: v.absent('not in the format'),
  visiteVirtuelle: v.computed(tourOf),
  video: v.absent('a virtual tour may be a film: the format does not tell them apart'),
  disponibilite: v.day('LET_DATE_AVAILABLE'),
  dateCreation: v.date('CREATE_DATE'),
  dateModification: v.date('UPDATE_DATE'),
};

function titleOf(row: BlmRow): string | undefined {
  const ville = plainLine(row['OS_TOWN_CITY'] ?? '') ?? plainLine(row['TOWN'] ?? '');
  return builtTitle({ type: typeOf(row)?.title, chambres: toRooms(row['BEDROOMS']), ville });
}

/** The summary, then the description; many exporters start the one with the other. */
function descriptionOf(row: BlmRow): string | undefined {
  const summary = plainText(textOf(row['SUMMARY']));
  const description = plainText(textOf(row['DESCRIPTION']));
  if (summary === undefined || description === undefined) return summary ?? description;
  return description.startsWith(summary) ? description : `${summary}\n\n${description}`;
}

function typeOf(row: BlmRow): PropertyType | undefined {
  const id = toInteger(row['PROP_SUB_ID']);
  return id === undefined ? undefined : TYPES.get(id);
}

/** Nobody counts all rooms in the format: living rooms and bedrooms are what makes a room in France. */
function roomsOf(row: BlmRow): number | undefined {
  const living = toRooms(row['LIVING_ROOMS']);
  return living === undefined ? undefined : living + (toRooms(row['BEDROOMS']) ?? 0);
}

type Areas = Pick<Listing, 'surfaceHabitable' | 'surfaceTerrain'>;

/** The size entered is that of the building, or of the land: where there is only land, and in units of land. */
function readAreas(row: BlmRow, context: RecordContext): Areas {
  const size =
    positive(toNumber(row['MIN_SIZE_ENTERED'], FIGURES)) ?? positive(toNumber(row['MAX_SIZE_ENTERED'], FIGURES));
  if (size === undefined) return {};
  const unit = areaUnitOf(row, context);
  if (unit === undefined) return {};
  const squareMetres = toSquareMetres(size, unit);
  if (squareMetres === undefined) return {};
  const isLand = unit === 'acre' || unit === 'ha' || typeOf(row)?.code === 'terrain';
  return isLand ? { surfaceTerrain: squareMetres } : { surfaceHabitable: squareMetres };
}

function areaUnitOf(row: BlmRow, context: RecordContext): AreaUnit | undefined {
  const word = codeOf(row, 'AREA_SIZE_UNIT_ID');
  if (word === undefined || word === '0') return NAMED_AREA_UNITS.find(context.settings['unite-surface'] ?? '');
  const unit = AREA_UNITS.find(word);
  if (unit === undefined) context.warn('unknown_word', 'AREA_SIZE_UNIT_ID', word.slice(0, 120));
  return unit;
}

function postcodeOf(row: BlmRow): string | undefined {
  const overseas = plainLine(row['ZIPCODE'] ?? '');
  if (overseas !== undefined) return overseas;
  const outward = plainLine(row['POSTCODE1'] ?? '') ?? '';
  const inward = plainLine(row['POSTCODE2'] ?? '') ?? '';
  // Some write the whole postcode into the first of the two.
  return plainLine(outward.endsWith(` ${inward}`) ? outward : `${outward} ${inward}`);
}

interface Place {
  pays: string | undefined;
  codePostal: string | undefined;
}

function readPlace(row: BlmRow, context: RecordContext): Place {
  const pays = countryOf(row, context);
  return { pays, codePostal: toPostcode(postcodeOf(row), pays) };
}

/** Version 3 is British; in overseas rows a missing country is not known. */
function countryOf(row: BlmRow, context: RecordContext): string | undefined {
  const word = textOf(row['COUNTRY_CODE']);
  if (word !== undefined) return readCountry(word, 'COUNTRY_CODE', context);
  const isOverseas = textOf(row['OS_TOWN_CITY']) !== undefined || textOf(row['ZIPCODE']) !== undefined;
  return toCountry(context.settings['pays']) ?? (isOverseas ? undefined : 'GB');
}

/** One description of the format misspells the longitude, and so do its exporters. */
function pointOf(row: BlmRow): Pick<Listing, 'latitude' | 'longitude'> {
  const exactLongitude = textOf(row['EXACT_LONGITUDE']) ?? textOf(row['EXACT_LONGDITUDE']);
  return (
    toCoordinates(textOf(row['EXACT_LATITUDE']), exactLongitude) ??
    toCoordinates(textOf(row['LATITUDE']), textOf(row['LONGITUDE'])) ??
    {}
  );
}

function* photosOf(row: BlmRow): Generator<PhotoSource> {
  for (const { photo, caption } of PHOTO_COLUMNS) {
    const value = row[photo];
    if (value === undefined || value === '') continue;
    const legende = textOf(row[caption]);
    // Certificates and plans have columns of their own; older exporters put them among the photos, under their name.
    if (legende === undefined || !NOT_A_PHOTO.test(legende)) yield { value, legende };
  }
}

const NOT_A_PHOTO = /^(?:epc\b.*|hip|energy performance certificate.*|floor[ -]?plans?(?: \d+)?)$/i;

function tourOf(row: BlmRow): string | undefined {
  for (const column of TOUR_COLUMNS) {
    const address = toUrl(row[column]);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Sales have the column too, with whatever its first code is. */
function furnishedOf(row: BlmRow, context: RecordContext): boolean | undefined {
  const word = codeOf(row, 'LET_FURN_ID');
  const kind = typeTransaction.read(row, context);
  if (word === undefined || kind === undefined || !isRental(kind) || FURNISHED_UNSAID.has(word)) return undefined;
  const furnished = FURNISHED.find(word);
  if (furnished === undefined) context.warn('unknown_word', 'LET_FURN_ID', word.slice(0, 120));
  return furnished;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
