import type { JsonRecord } from '../../formats/json-records';
import { toSquareMetres } from '../../kit/clean/area';
import { toCoordinates } from '../../kit/clean/coordinates';
import { toCountry } from '../../kit/clean/country';
import { toEmail } from '../../kit/clean/email';
import { toNumber } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { agencyOf } from './agencies';
import { type Details, readDetails } from './details';
import { AGREEMENTS, AREA_UNITS, EXCLUSIVE_AGREEMENTS, TYPE_BY_SUBTYPE, TYPES } from './lookups';
import { type Offer, readOffer } from './offer';
import { picturesOf } from './pictures';
import { showsAddress } from './raw-fields';
import { descriptionOf, titleOf } from './texts';

const offer = v.together<JsonRecord, Offer>(readOffer);
const details = v.together<JsonRecord, Details>(readDetails);
const typeOf = v.oneOf(TYPES, 'type', 'autre');
const at = {
  areaValue: compilePath('area.value'),
  areaUnit: compilePath('area.unit'),
  zipcode: compilePath('city.zipcode'),
  email: compilePath('user.email'),
  firstName: compilePath('user.firstname'),
  lastName: compilePath('user.lastname'),
  currency: compilePath('price.currency'),
  agreement: compilePath('agreement.type'),
};

/** Paths from one element of `properties`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  affId: v.text('id'),
  affNum: v.text('reference'),
  intitule: v.computed(titleOf),
  commentaires: v.computed(descriptionOf),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('category'),
  typeCode: v.computed(
    (record, context) => TYPE_BY_SUBTYPE[textOf(record['subtype']) ?? ''] ?? typeOf.read(record, context),
  ),
  typeCodeSource: v.text('type'),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed((record, context) => readCurrency(textOf(at.currency(record)), 'price.currency', context)),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  surfaceHabitable: v.computed((record, context) => (isPlot(record) ? undefined : mainArea(record, context))),
  nbrePieces: v.rooms('rooms'),
  nbreChambres: v.rooms('bedrooms'),
  ville: v.text('city.name'),
  codePostal: v.computed((record) => toPostcode(scalarOf(at.zipcode(record)), countryOf(record))),
  pays: v.computed((record, context) => readCountry(textOf(record['country']), 'country', context)),
  adresse: v.computed(addressOf),
  quartier: v.text('district.name'),
  latitude: v.computed(
    (record) => toCoordinates(scalarOf(record['latitude']), scalarOf(record['longitude']))?.latitude,
  ),
  longitude: v.computed(
    (record) => toCoordinates(scalarOf(record['latitude']), scalarOf(record['longitude']))?.longitude,
  ),
  photos: v.photos('pictures', picturesOf),
  agenceNom: v.computed(
    (record, context) => agencyOf(record, context)?.name ?? plainLine(context.settings['agence-nom']),
  ),
  agenceTel: v.computed((record, context) => agencyOf(record, context)?.phone),
  negoNom: v.computed((record) =>
    plainLine(`${textOf(at.firstName(record)) ?? ''} ${textOf(at.lastName(record)) ?? ''}`),
  ),
  negoEmail: v.computed((record) => toEmail(textOf(at.email(record)))),
  negoTel: v.first(v.text('user.phone'), v.text('user.mobile')),
  surfaceTerrain: v.first(
    v.computed((record: JsonRecord, context) => (isPlot(record) ? mainArea(record, context) : undefined)),
    details.part('surfaceTerrain'),
  ),
  surfaceCarrez: details.part('surfaceCarrez'),
  nbreSallesDeBain: details.part('nbreSallesDeBain'),
  nbreSallesEau: details.part('nbreSallesEau'),
  etage: v.floor('floor.value'),
  nbreEtages: v.integer('floor.floors'),
  anneeConstruction: v.year('construction.construction_year'),
  meuble: v.computed(isFurnished),
  exclusivite: v.computed((record) => {
    const agreement = textOf(at.agreement(record)) ?? '';
    return AGREEMENTS.find(agreement) === undefined ? undefined : EXCLUSIVE_AGREEMENTS.has(agreement);
  }),
  neuf: v.computed((record) =>
    textOf(record['condition']) === NEW_CONDITION || textOf(record['subcategory']) === NEW_PROGRAMME ? true : undefined,
  ),
  balcon: details.part('balcon'),
  terrasse: details.part('terrasse'),
  parking: details.part('parking'),
  ascenseur: details.part('ascenseur'),
  piscine: details.part('piscine'),
  charges: offer.part('charges'),
  depotGarantie: v.money('price.deposit'),
  honoraires: offer.part('honoraires'),
  honorairesUnite: offer.part('honorairesUnite'),
  honorairesCharge: v.absent('the API does not say who pays them'),
  honorairesEtatDesLieux: v.money('price.inventory'),
  honorairesBareme: v.absent('not in the API'),
  prixHorsHonoraires: v.absent('price.net_seller is private'),
  bouquet: offer.part('bouquet'),
  rente: offer.part('rente'),
  chargesModalite: v.absent('regulation 132 has no published words'),
  loyerBase: v.absent('not in the API'),
  loyerComplement: details.part('loyerComplement'),
  loyerReferenceMajore: details.part('loyerReferenceMajore'),
  loyerEncadrement: v.absent('not in the API'),
  mandatNum: v.text('agreement.reference'),
  mandatType: v.oneOf(AGREEMENTS, 'agreement.type'),
  taxeFonciere: details.part('taxeFonciere'),
  copropriete: v.absent('a number of lots says it where it is so'),
  coproLots: v.integer('residence.lots'),
  coproCharges: offer.part('coproCharges'),
  coproProcedure: v.absent('regulations 14 to 16 have no published words'),
  dpeClasse: details.part('dpeClasse'),
  dpeValeur: details.part('dpeValeur'),
  gesClasse: details.part('gesClasse'),
  gesValeur: details.part('gesValeur'),
  dpeDate: details.part('dpeDate'),
  dpeVersion: v.absent('not in the API'),
  dpeCoutMin: details.part('dpeCoutMin'),
  dpeCoutMax: details.part('dpeCoutMax'),
  dpeAnneeReference: details.part('dpeAnneeReference'),
  dpeEnergieFinale: details.part('dpeEnergieFinale'),
  visiteVirtuelle: details.part('visiteVirtuelle'),
  video: details.part('video'),
  disponibilite: v.first(v.day('available_at'), v.day('delivered_at')),
  dateCreation: v.date('created_at'),
  dateModification: v.date('updated_at'),
};

/** Catalog `property_condition`: new. */
const NEW_CONDITION = '8';
/** Catalog `property_subcategory`. */
const NEW_PROGRAMME = '41';
const FURNISHED = '22';
const UNFURNISHED = '21';
const isFurnishedByService = details.part('isFurnished');

function isFurnished(record: JsonRecord, context: RecordContext): boolean | undefined {
  const subcategory = textOf(record['subcategory']);
  if (subcategory === FURNISHED) return true;
  if (subcategory === UNFURNISHED) return false;
  return isFurnishedByService.read(record, context);
}

function isPlot(record: JsonRecord): boolean {
  return textOf(record['type']) === '3';
}

function mainArea(record: JsonRecord, context: RecordContext): number | undefined {
  const value = toNumber(scalarOf(at.areaValue(record)));
  if (value === undefined || value <= 0) return undefined;
  const code = textOf(at.areaUnit(record)) ?? '1';
  const unit = AREA_UNITS[code];
  if (unit === undefined) context.warn('implausible_value', 'area.unit', code.slice(0, 120));
  return unit === undefined ? undefined : toSquareMetres(value, unit);
}

function countryOf(record: JsonRecord): string | undefined {
  return toCountry(textOf(record['country']));
}

function addressOf(record: JsonRecord): string | undefined {
  if (!showsAddress(record)) return undefined;
  const lines = [textOf(record['address']), textOf(record['address_more'])].filter((line) => line !== undefined);
  return plainLine(lines.join(', '));
}
