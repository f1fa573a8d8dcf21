import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toIsoDay } from '../../kit/clean/date';
import { toLanguage } from '../../kit/clean/language';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { links, periodic, range, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { once, together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp, readCurrency } from '../../kit/word-table';
import { floorOf, showsPoint, streetOf } from './address';
import { details } from './details';
import { developmentOf, isPromotion } from './developments';
import { energyOf } from './energy';
import { DEVELOPMENT_TYPES, OPERATIONS, PROPERTY_VISIBILITIES, type PropertyType, TYPES } from './lookups';
import { documentsOf, photosOf, plansOf, tourOf, videoOf } from './media';
import { offers } from './offer';

const F = 'propertyFeatures.features';
const at = {
  type: compilePath(`${F}Type`),
  developmentType: compilePath(`${F}NewDevelopmentType`),
  studio: compilePath(`${F}Studio`),
  phone: compilePath('contactPrimaryPhoneNumber'),
  phonePrefix: compilePath('contactPrimaryPhonePrefix'),
};

const texts = together<JsonRecord, ListingTexts>((record, context) =>
  inLanguages(textsOf([]), textsOf(descriptionsOf(record, context)), languagesOf(context.settings, 'es', 'it', 'pt')),
);
const where = place<JsonRecord>({
  country: v.first(v.word('propertyAddress.addressCountry'), v.beside(v.word('customerCountry'))),
  postcode: v.word('propertyAddress.addressPostalCode'),
  usual: 'ES',
});
const energy = energyOf((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
}));
const usableArea = once(v.area(`${F}AreaUsable`));
const builtArea = once(v.area(`${F}AreaConstructed`));
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
/** Whether the record is a room of a shared flat: its areas and its number of rooms describe the whole flat. */
const isRoom = (record: JsonRecord): boolean => textOf(at.type(record))?.startsWith('room_') === true;
const isPart = (record: JsonRecord): boolean => isPlot(record) || isRoom(record);

const availableAt = compilePath(`${F}AvailableFrom`);
/** `featuresAvailableFrom` may be a month: then it is only a text. */
const hasDay = (record: JsonRecord): boolean => toIsoDay(textOf(availableAt(record))) !== undefined;
/** The upper limit of the parts: the format has none. */
const NONE: v.Verb<JsonRecord, number> = { verb: 'none', paths: [], read: () => undefined };

/** Version 6 of idealista. Paths start at one element of `customerProperties`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in the format', {
    'the certificate is two letters and two values': ['certificateDetails'],
    'the format has no income of the agency': ['fees'],
    'operationPriceCommunity has no period: it is in fraisCommunaute': ['rentTerms'],
    'a rent is one amount': ['rentParts'],
    'the file has only what is for sale': ['mandate'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'the parcel has a number, and neither a category nor an income': ['registrations'],
    'the contact has a name and contact details': ['licences'],
    'units have prices of their own, and are not all of them': ['project'],
    'operationPrice is one number, the current price': ['priceDetails'],
    'areas are built or usable': ['otherAreas'],
    'bathrooms are counted as one number': ['bathrooms'],
    'windows are inside or outside, and do not say what they show': ['comfort'],
    'the file has a date, its properties have none': ['dates'],
  }),
  affId: v.identifier('propertyCode'),
  affNum: v.text('propertyReference'),
  intitule: v.first(v.computed(promotionName), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...offers.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'depotGarantie'),
  typeTransactionSource: v.text('propertyOperation.operationType'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const { word, path, table } = typeWordOf(record);
    return word === undefined ? undefined : (lookUp(table, word, path, context)?.code ?? 'autre');
  }, `${F}Type`),
  typeCodeSource: v.computed((record: JsonRecord) => plainLine(typeWordOf(record).word), `${F}Type`),
  prixCurrency: v.computed((_record, context) => readCurrency(undefined, '', context)),
  surfaceHabitable: v.first(v.when(isRoom, v.area(`${F}RoomArea`)), v.unless(isPart, v.first(usableArea, builtArea))),
  surfaceUtile: v.unless(isPart, usableArea),
  surfaceTotale: v.unless(isPart, builtArea),
  surfaceTerrain: v.area(`${F}AreaPlot`),
  // The smallest part of an office or of business land that is offered separately.
  surfacePlage: range<JsonRecord>(v.area(`${F}AreaTradableMinimum`), NONE),
  nbrePieces: v.first(
    v.unless(isRoom, v.rooms(`${F}Rooms`)),
    v.computed((record: JsonRecord) => (isStudio(record) ? 1 : undefined), `${F}Studio`),
  ),
  nbreChambres: v.unless(isStudio, v.rooms(`${F}BedroomNumber`)),
  nbreSallesDeBain: v.rooms(`${F}BathroomNumber`),
  ville: v.text('propertyAddress.addressTown'),
  // The schema says that the urbanization is shown even if the address is hidden.
  quartier: v.text('propertyAddress.addressUrbanization'),
  ...where,
  adresse: v.computed(streetOf, 'propertyAddress.addressStreetName', 'propertyAddress.addressStreetNumber'),
  ...position('propertyAddress.addressCoordinatesLatitude', 'propertyAddress.addressCoordinatesLongitude', showsPoint),
  photos: v.photos('propertyImages', photosOf),
  plans: links(plansOf, 'propertyImages'),
  documents: links(documentsOf, 'propertyImages'),
  video: v.computed(videoOf, 'propertyVideos'),
  visiteVirtuelle: v.computed(tourOf, 'propertyVirtualTours'),
  url: v.url('propertyUrl'),
  agenceNom: v.first(v.beside(v.text('customerName')), v.setting('agence-nom')),
  agenceTel: v.computed((_record, context) => telephoneOf(context.feed['customerContact'])),
  negoNom: v.first(v.text('propertyContact.contactName'), v.beside(v.text('customerContact.contactName'))),
  negoEmail: v.first(v.email('propertyContact.contactEmail'), v.beside(v.email('customerContact.contactEmail'))),
  negoTel: v.computed((record: JsonRecord) => telephoneOf(record['propertyContact']), 'propertyContact'),
  etage: v.computed(floorOf, 'propertyAddress.addressFloor'),
  nbreEtages: v.integer(`${F}FloorsBuilding`),
  anneeConstruction: v.year(`${F}BuiltYear`),
  ...details.fields(
    'etat',
    'neuf',
    'loue',
    'jardin',
    'climatisation',
    'chauffageType',
    'chauffageEnergie',
    'parkingType',
  ),
  ...details.fields('disponibiliteTexte', 'caracteristiques'),
  disponibilite: v.when(hasDay, v.day(`${F}AvailableFrom`)),
  rendement: v.decimal(`${F}RentedYieldPercentage`),
  meuble: v.flag(`${F}EquippedWithFurniture`),
  cuisineEquipee: v.flag(`${F}EquippedKitchen`),
  balcon: v.flag(`${F}Balcony`),
  terrasse: v.flag(`${F}Terrace`),
  piscine: v.flag(`${F}Pool`),
  cheminee: v.flag(`${F}Chimney`),
  ascenseur: v.first<JsonRecord, boolean>(v.flag(`${F}LiftAvailable`), v.anyOf(`${F}LiftNumber`)),
  parking: v.first<JsonRecord, boolean>(v.flag(`${F}ParkingAvailable`), v.anyOf(`${F}ParkingSpacesNumber`)),
  nbreParkings: v.integer(`${F}ParkingSpacesNumber`),
  accessible: v.anyOf(
    `${F}ExteriorAccessibility`,
    `${F}InteriorAccessibility`,
    `${F}HandicapAdaptedAccess`,
    `${F}HandicapAdaptedUse`,
    `${F}BuildingAdapted`,
  ),
  animaux: v.firstOf(v.flag, `${F}PetsAllowed`, `${F}AllowPets`),
  exposition: yesInWords({
    ...{ [`${F}OrientationNorth`]: 'Nord', [`${F}OrientationEast`]: 'Est' },
    ...{ [`${F}OrientationSouth`]: 'Sud', [`${F}OrientationWest`]: 'Ouest' },
  }),
  fraisCommunaute: periodic(v.money('propertyOperation.operationPriceCommunity')),
  numeroEnregistrement: v.text(`${F}ShortTermLicense`),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  programmeNom: v.firstOf(v.text, `newDevelopment.${F}NewDevelopmentName`, `${F}NewDevelopmentName`),
  programmeId: v.first(v.text('newDevelopment.propertyCode'), v.when(isPromotion, v.text('propertyCode'))),
  ...v.absent(
    'a rent is by the month; that of a short let has no period, and is left out',
    'loyerPeriode',
    'loyerSource',
  ),
  ...v.absent('operationPriceCommunity has no period: it is in fraisCommunaute', 'coproCharges'),
  ...v.absent('a town is the smallest place that has a name, beside the estate', 'region'),
  ...v.absent('storage is a room for things, wherever it is: it is in caracteristiques', 'cave'),
  ...v.absent('the file has only what is for sale', 'sousOffre', 'statut'),
  ...v.absent('the format has no income of the agency', 'commission'),
  ...v.absent(
    'not in the format',
    'honorairesEtatDesLieux',
    'honorairesBareme',
    'prixHorsHonoraires',
    'regimePropriete',
  ),
};

const operationAt = compilePath('propertyOperation.operationType');

/** Returns why: it or its development is `private`, so only for the customer, or the operation is over. */
export function whyWithdrawn(record: JsonRecord, context: RecordContext): string | undefined {
  for (const one of [record, developmentOf(record)]) {
    const word = textOf(one?.['propertyVisibility']);
    if (lookUp(PROPERTY_VISIBILITIES, word, 'propertyVisibility', context) === false)
      return 'the agency alone sees it (propertyVisibility "private")';
  }
  const operation = OPERATIONS.find(textOf(operationAt(record)) ?? '');
  const flag = operation === 'vente' ? 'propertyForSale' : operation === 'location' ? 'propertyForRent' : undefined;
  return flag !== undefined && toFlag(scalarOf(record[flag])) === false
    ? `no longer on offer (${flag} false)`
    : undefined;
}

/** A text in an unknown language is kept without a language, with a warning. */
function* descriptionsOf(record: JsonRecord, context: RecordContext): Generator<readonly [string, unknown]> {
  for (const one of listOf(record['propertyDescriptions'])) {
    if (typeof one !== 'object' || one === null) {
      yield ['', one];
      continue;
    }
    const { descriptionLanguage, descriptionText } = one as JsonRecord;
    const word = textOf(descriptionLanguage) ?? '';
    const language = toLanguage(word);
    if (language === undefined && word !== '')
      context.warn('unknown_word', 'propertyDescriptions.descriptionLanguage', word.slice(0, 120));
    yield [language ?? '', descriptionText];
  }
}

interface TypeWord {
  word: string | undefined;
  path: string;
  table: typeof TYPES;
}

/** The word for the type. Developments have it in a different member. */
function typeWordOf(record: JsonRecord): TypeWord {
  return isPromotion(record)
    ? { word: textOf(at.developmentType(record)), path: `${F}NewDevelopmentType`, table: DEVELOPMENT_TYPES }
    : { word: textOf(at.type(record)), path: `${F}Type`, table: TYPES };
}

function typeOf(record: JsonRecord): PropertyType | undefined {
  const { word, table } = typeWordOf(record);
  return table.find(word ?? '');
}

function isStudio(record: JsonRecord): boolean {
  return toFlag(scalarOf(at.studio(record))) === true;
}

function promotionName(record: JsonRecord, context: RecordContext): string | undefined {
  return isPromotion(record) ? plainLine(MAPPING.programmeNom.read(record, silently(context))) : undefined;
}

function silently(context: RecordContext): RecordContext {
  return { ...context, warn: () => undefined };
}

/** The format has no titles. */
function titleParts(record: JsonRecord, context: RecordContext): TitleParts {
  const silent = silently(context);
  const pieces = MAPPING.nbrePieces.read(record, silent);
  return {
    type: isStudio(record)
      ? 'Studio'
      : (typeOf(record)?.title ?? plainLine(typeWordOf(record).word?.replaceAll('_', ' '))),
    ...(isStudio(record) ? {} : { pieces, chambres: MAPPING.nbreChambres.read(record, silent) }),
    ville: MAPPING.ville.read(record, silent),
  };
}

function telephoneOf(contact: unknown): string | undefined {
  const number = plainLine(textOf(at.phone(contact)));
  if (number === undefined || !/[1-9]/.test(number)) return undefined;
  const prefix = textOf(at.phonePrefix(contact))?.replace(/\D/g, '').replace(/^0+/, '') ?? '';
  return prefix === '' || number.startsWith('+') ? number : `+${prefix} ${number}`;
}
