import type { JsonRecord } from '../../formats/json-records';
import { builtTitle } from '../../kit/clean/built-title';
import { type Coordinates, toCoordinates } from '../../kit/clean/coordinates';
import { toRooms } from '../../kit/clean/count';
import { toCountry } from '../../kit/clean/country';
import { toCurrency } from '../../kit/clean/currency';
import { toEmail } from '../../kit/clean/email';
import { toCents } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry } from '../../kit/noticed-words';
import { listOf } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { addressOf } from './address';
import { livingAreaOf, lotAreaOf } from './areas';
import { showsAddress } from './display';
import { squeezed } from './enum-words';
import { hasBalcony, hasElevator, hasParking, hasPool, hasTerrace } from './features';
import { EXCLUSIVE_AGREEMENTS, FURNISHED, type PropertyKind, SUB_TYPES, TYPES } from './lookups';
import { photosOf, tourOf } from './media';
import { isoDate, isoDay } from './dates';
import { amount, DIGITS, frequencyOf, type Offer, readOffer } from './offer';

const offer = v.together<JsonRecord, Offer>(readOffer);

/** Names of the RESO Data Dictionary, 1.7 and 2.0. */
export const MAPPING: ListingMapping<JsonRecord> = {
  affId: v.first(v.text('ListingKey'), v.text('ListingKeyNumeric')),
  affNum: v.text('ListingId'),
  intitule: v.first(v.computed(addressOf), v.computed(titleOf)),
  commentaires: v.prose('PublicRemarks'),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('PropertyType'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.first(
    v.computed((record: JsonRecord) => plainLine(subTypeOf(record))),
    v.text('PropertySubType'),
    v.text('PropertyType'),
  ),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed(currencyOf),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  surfaceHabitable: v.computed((record, context) =>
    kindOf(record)?.code === 'terrain' ? undefined : livingAreaOf(record, context),
  ),
  nbrePieces: v.rooms('RoomsTotal'),
  nbreChambres: v.rooms('BedroomsTotal'),
  ville: v.first(v.text('City'), v.text('PostalCity')),
  codePostal: v.computed((record, context) => toPostcode(scalarOf(record['PostalCode']), countryOf(record, context))),
  pays: v.computed(
    (record, context) => readCountry(textOf(record['Country']), 'Country', context) ?? countryOf(record, context),
  ),
  adresse: v.computed(addressOf),
  quartier: v.computed(subdivisionOf),
  latitude: v.computed((record) => pointOf(record)?.latitude),
  longitude: v.computed((record) => pointOf(record)?.longitude),
  photos: v.computed(photosOf),
  agenceNom: v.first(
    v.text('ListOfficeName'),
    v.computed((_record: JsonRecord, context) => plainLine(context.settings['agence-nom'] ?? '')),
  ),
  agenceTel: v.text('ListOfficePhone'),
  negoNom: v.first(v.text('ListAgentFullName'), v.computed(agentNameOf)),
  negoEmail: v.computed(
    (record) => toEmail(textOf(record['ListAgentEmail'])) ?? toEmail(textOf(record['ListOfficeEmail'])),
  ),
  negoTel: v.first(v.text('ListAgentPreferredPhone'), v.text('ListAgentDirectPhone'), v.text('ListAgentOfficePhone')),
  surfaceTerrain: v.computed(lotAreaOf),
  surfaceCarrez: v.absent('not in the Data Dictionary'),
  nbreSallesDeBain: v.first(v.integer('BathroomsTotalInteger'), v.integer('BathroomsFull')),
  nbreSallesEau: v.absent('the total counts all bathrooms'),
  etage: v.absent('EntryLevel is where one comes in, and 1 is the ground floor there'),
  nbreEtages: v.first(v.integer('StoriesTotal'), v.integer('Stories')),
  anneeConstruction: v.year('YearBuilt'),
  meuble: v.computed((record) => FURNISHED.find(textOf(record['Furnished']) ?? '')),
  exclusivite: v.computed((record) => EXCLUSIVE_AGREEMENTS.find(textOf(record['ListingAgreement']) ?? '')),
  neuf: v.flag('NewConstructionYN'),
  balcon: v.computed(hasBalcony),
  terrasse: v.computed(hasTerrace),
  parking: v.computed(hasParking),
  ascenseur: v.computed(hasElevator),
  piscine: v.computed(hasPool),
  charges: v.absent('what a tenant pays beside the rent is free text: RentIncludes, TenantPays'),
  depotGarantie: v.absent('not in the Data Dictionary'),
  honoraires: v.absent('commissions are between agents'),
  honorairesUnite: v.absent('commissions are between agents'),
  honorairesCharge: v.absent('commissions are between agents'),
  honorairesEtatDesLieux: v.absent('not in the Data Dictionary'),
  honorairesBareme: v.absent('not in the Data Dictionary'),
  prixHorsHonoraires: v.absent('not in the Data Dictionary'),
  bouquet: v.absent('not in the Data Dictionary'),
  rente: v.absent('not in the Data Dictionary'),
  chargesModalite: v.absent('not in the Data Dictionary'),
  loyerBase: v.absent('a word of French rent control'),
  loyerComplement: v.absent('a word of French rent control'),
  loyerReferenceMajore: v.absent('a word of French rent control'),
  loyerEncadrement: v.absent('a word of French rent control'),
  mandatNum: v.absent('not in the Data Dictionary'),
  mandatType: v.text('ListingAgreement'),
  taxeFonciere: v.money('TaxAnnualAmount', DIGITS),
  copropriete: v.flag('AssociationYN'),
  coproLots: v.integer('NumberOfUnitsInCommunity'),
  coproCharges: v.computed(associationFeeOf),
  coproProcedure: v.absent('not in the Data Dictionary'),
  dpeClasse: v.absent('the Data Dictionary has green labels, no European classes'),
  dpeValeur: v.absent('not in the Data Dictionary'),
  gesClasse: v.absent('not in the Data Dictionary'),
  gesValeur: v.absent('not in the Data Dictionary'),
  dpeDate: v.absent('not in the Data Dictionary'),
  dpeVersion: v.absent('not in the Data Dictionary'),
  dpeCoutMin: v.absent('not in the Data Dictionary'),
  dpeCoutMax: v.absent('not in the Data Dictionary'),
  dpeAnneeReference: v.absent('not in the Data Dictionary'),
  dpeEnergieFinale: v.absent('not in the Data Dictionary'),
  visiteVirtuelle: v.first(
    v.url('VirtualTourURLUnbranded'),
    v.url('VirtualTourURLBranded'),
    v.computed((record: JsonRecord) => tourOf(record, 'tour')),
  ),
  video: v.computed((record) => tourOf(record, 'video')),
  disponibilite: isoDay('AvailabilityDate'),
  dateCreation: v.first(isoDate('OriginalEntryTimestamp'), isoDate('ListingContractDate'), isoDate('OnMarketDate')),
  dateModification: isoDate('ModificationTimestamp'),
};

/** "Other" as a subtype says nothing, alone or among others. */
const NO_SUB_TYPE: ReadonlySet<string> = new Set(['other', 'none', 'seeremarks']);

function subTypeOf(record: JsonRecord): string | undefined {
  return listOf(record['PropertySubType'])
    .map(textOf)
    .find((word) => word !== undefined && !NO_SUB_TYPE.has(squeezed(word)));
}

function kindOf(record: JsonRecord): PropertyKind | undefined {
  const subType = subTypeOf(record);
  return subType === undefined ? TYPES.find(textOf(record['PropertyType']) ?? '') : SUB_TYPES.find(subType);
}

function typeCodeOf(record: JsonRecord, context: RecordContext): PropertyKind['code'] | undefined {
  const subType = subTypeOf(record);
  const word = subType ?? textOf(record['PropertyType']);
  if (word === undefined) return undefined;
  const kind = kindOf(record);
  if (kind === undefined)
    context.warn('unknown_word', subType === undefined ? 'PropertyType' : 'PropertySubType', word.slice(0, 120));
  return kind?.code ?? 'autre';
}

/** For addresses that may not be shown: what it is, and where. */
function titleOf(record: JsonRecord): string | undefined {
  return builtTitle({
    type: kindOf(record)?.title ?? plainLine(textOf(record['PropertySubType']) ?? textOf(record['PropertyType']) ?? ''),
    pieces: toRooms(scalarOf(record['RoomsTotal'])),
    chambres: toRooms(scalarOf(record['BedroomsTotal'])),
    ville: plainLine(textOf(record['City']) ?? textOf(record['PostalCity']) ?? ''),
  });
}

/** What agents write where a field must not be empty. */
const NO_SUBDIVISION: ReadonlySet<string> = new Set([
  'none',
  'na',
  'notapplicable',
  'other',
  'unknown',
  'notinasubdivision',
]);

function subdivisionOf(record: JsonRecord): string | undefined {
  const name = textOf(record['SubdivisionName']);
  return name === undefined || NO_SUBDIVISION.has(squeezed(name)) ? undefined : plainLine(name);
}

function pointOf(record: JsonRecord): Coordinates | undefined {
  return showsAddress(record) ? toCoordinates(scalarOf(record['Latitude']), scalarOf(record['Longitude'])) : undefined;
}

function agentNameOf(record: JsonRecord): string | undefined {
  return plainLine(`${textOf(record['ListAgentFirstName']) ?? ''} ${textOf(record['ListAgentLastName']) ?? ''}`);
}

function countryOf(record: JsonRecord, context: RecordContext): string | undefined {
  return toCountry(textOf(record['Country']) ?? context.settings['pays']);
}

/** The Data Dictionary has no currency: that of the setting, else of the country, else US dollars. */
function currencyOf(record: JsonRecord, context: RecordContext): string {
  const { settings } = context;
  return (
    toCurrency(settings['currency'] ?? settings['devise']) ?? CURRENCIES[countryOf(record, context) ?? ''] ?? 'USD'
  );
}

const CURRENCIES: Readonly<Record<string, string>> = { US: 'USD', CA: 'CAD' };
const MONTHS = 12;

/** What the owners' association asks for, by the year. */
function associationFeeOf(record: JsonRecord, context: RecordContext): number | undefined {
  const fee = amount(record, 'AssociationFee');
  const frequency = fee === undefined ? undefined : frequencyOf(record, 'AssociationFeeFrequency', context);
  return fee === undefined || frequency === undefined ? undefined : toCents(fee * frequency.perMonth * MONTHS);
}
