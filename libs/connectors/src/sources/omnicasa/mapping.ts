import { isRental } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toFlag } from '../../kit/clean/fold-word';
import { toInteger, toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { features } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { dayOf, moment } from './dates';
import { statutOf, showsAddress } from './display';
import { countryOf, languageOf, type PropertyType, TYPES } from './lookups';
import { type Offer, readOffer } from './offer';
import { firstSaid, said } from './said';
import type { PhotoSource } from '../../kit/clean/photos';
import { standing } from '../../kit/status';

/** The members that list the photos, the largest size first. Each lists the same photos. */
const SIZES = ['XLargePictureItems', 'LargePictureItems', 'LargePictures', 'MediumPictureItems', 'MediumPictures'];

/** Elements are addresses, or objects `{"ID": …, "Url": …}`. Without a list there is only the first photo. */
function photosOf(record: JsonRecord): PhotoSource[] {
  for (const size of SIZES) {
    const found = listOf(record[size]).flatMap((one) => {
      const url = textOf(typeof one === 'object' && one !== null ? (one as JsonRecord)['Url'] : one);
      return url === undefined ? [] : [{ value: url }];
    });
    if (found.length > 0) return found;
  }
  const first = textOf(record['LargePicture']);
  return first === undefined ? [] : [{ value: first }];
}
const PHOTO_PATHS = [...SIZES, 'LargePicture'];

const TYPE_NAMES = ['MainTypeName', 'WebIDName'] as const;
const CONDITION = 'ConditionName';

const prices = together<JsonRecord, Offer>(readOffer);
const texts = together<JsonRecord, ListingTexts>(textsIn);
const where = place<JsonRecord>({
  country: v.computed((record: JsonRecord) => countryOf(said(record, 'CountryAbbr')), 'CountryAbbr'),
  postcode: v.word('Zip'),
  usual: 'BE',
});
const consumption = v.decimal('EnergyPerformance');
/** Only the consumption, because no public client reads a class. */
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [{ field: 'EnergyPerformance', valeur: consumption.read(record, context) }],
}));
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const isLet = (record: JsonRecord, context: RecordContext): boolean =>
  isRental(prices.field('typeTransaction').read(record, context) ?? 'autre');

/** Names are members of one element of `Items`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('no public client reads it', {
    'only a consumption': ['certificate'],
    'a rent is one amount': ['rentParts'],
    'specific to French law': ['frenchLaw', 'otherAreas'],
    'no public client reads what Belgian law asks of adverts': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'a manager has a name and contact details': ['licences'],
    'projects are another request': ['project'],
    'there is only the current price': ['priceDetails'],
  }),
  affId: v.identifier('ID'),
  affNum: firstSaid('Ident'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts, ...TYPE_NAMES)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixMetreCarre'),
  ...prices.fields('loyer', 'loyerPeriode', 'loyerSource'),
  typeTransactionSource: v.text('Goal'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed(
    (record: JsonRecord, context) => {
      const words = TYPE_NAMES.map((name) => said(record, name)).filter((word) => word !== undefined);
      if (words.length === 0) return undefined;
      return (typeOf(record) ?? lookUp(TYPES, words[0], TYPE_NAMES[0], context))?.code ?? 'autre';
    },
    ...TYPE_NAMES,
  ),
  typeCodeSource: firstSaid(...TYPE_NAMES),
  prixCurrency: v.currency('devise', 'EUR'),
  charges: v.when(isLet, v.money('ChargesRenter')),
  depotGarantie: v.when(isLet, v.money('DepositAmount')),
  surfaceHabitable: v.unless(isPlot, v.area('SurfaceTotal')),
  surfaceTerrain: v.first(v.firstOf(v.area, 'SurfaceGround', 'SurfaceGround2'), v.when(isPlot, v.area('SurfaceTotal'))),
  surfaceTotale: v.unless(isPlot, v.area('SurfaceConstructed')),
  surfaceBureaux: v.area('SurfaceOffice'),
  nbreChambres: v.rooms('NumberOfBedRooms'),
  nbreSallesDeBain: v.integer('NumberOfBathRooms'),
  nbreSallesEau: v.integer('NumberOfShowerRooms'),
  nbreWc: v.integer('NumberOfToilets'),
  nbreParkings: v.computed(
    (record: JsonRecord) => {
      const places = ['NumberOfGarages', 'NumberOfParkings'].map((name) => toInteger(scalarOf(record[name])) ?? 0);
      const sum = places.filter((count) => count > 0).reduce((all, count) => all + count, 0);
      return sum > 0 ? sum : undefined;
    },
    'NumberOfGarages',
    'NumberOfParkings',
  ),
  parking: v.anyOf('NumberOfGarages', 'NumberOfParkings'),
  // Only flats have a floor: houses have the default floor 0.
  etage: v.when((record: JsonRecord) => typeOf(record)?.code === 'appartement', v.floor('Floor')),
  anneeConstruction: v.year('ConstructionYear'),
  ville: v.computed((record: JsonRecord) => said(record, 'City'), 'City'),
  quartier: firstSaid('District'),
  ...where,
  adresse: v.when(
    (record: JsonRecord, context) => showsAddress(record, context) === true,
    v.computed(
      (record: JsonRecord) => {
        const street = said(record, 'Street');
        return street === undefined ? undefined : plainLine(`${street} ${said(record, 'HouseNumber') ?? ''}`);
      },
      'Street',
      'HouseNumber',
    ),
  ),
  // X is the latitude.
  ...position<JsonRecord>('GoogleX', 'GoogleY', showsAddress),
  photos: v.photos(PHOTO_PATHS[0] ?? '', photosOf),
  agenceNom: v.first(v.setting('agence-nom'), firstSaid('OfficeName')),
  negoNom: firstSaid('ManagerName'),
  negoEmail: v.email('ManagerEmail'),
  negoTel: firstSaid('ManagerDirectPhone', 'ManagerMobilePhone'),
  ...energy.fields('energie', 'dpeValeur'),
  etat: firstSaid(CONDITION),
  neuf: v.computed(
    (record: JsonRecord) =>
      /^(?:neu|nieuw|new|nouve|à construire|te bouwen|to build)/i.test(said(record, CONDITION) ?? '') || undefined,
    CONDITION,
  ),
  chauffageType: firstSaid('HeatingName'),
  exposition: firstSaid('OrientationT'),
  cuisineEquipee: v.computed(isKitchenFitted, 'KitchenName'),
  meuble: v.flag('HasFurnished'),
  ascenseur: v.flag('HasLift'),
  cave: v.flag('HasCellar'),
  jardin: v.first<JsonRecord, boolean>(v.anyOf('HasGarden', 'SurfaceGarden'), v.flag('HasGarden')),
  terrasse: v.first<JsonRecord, boolean>(v.anyOf('HasTerrace', 'SurfaceTerrace'), v.flag('HasTerrace')),
  caracteristiques: features(
    (record: JsonRecord) => [
      ...['ConstructionName', 'MainStyleName', 'WindowGlazing'].flatMap((name) => said(record, name) ?? []),
      ...(toFlag(scalarOf(record['HasAttic'])) === true ? ['Grenier'] : []),
    ],
    ...['ConstructionName', 'MainStyleName', 'WindowGlazing', 'HasAttic'],
  ),
  visiteVirtuelle: v.url('VirtualTour'),
  disponibilite: dayOf('DateFree'),
  dateCreation: moment('CreatedDate'),
  dateModification: moment('LastChangedDate'),
  ...v.absent(
    'no public client reads it',
    'url',
    'numeroEnregistrement',
    'regimePropriete',
    'region',
    'commission',
    'surfaceUtile',
  ),
  ...v.absent('bedrooms are not all rooms', 'nbrePieces'),
  ...v.absent('specific to French law', 'loyerReferenceMajore', 'loyerEncadrement'),
};

function typeOf(record: JsonRecord): PropertyType | undefined {
  return TYPES_OF.map((name) => TYPES.find(said(record, name) ?? '')).find((type) => type !== undefined);
}
const TYPES_OF: readonly string[] = TYPE_NAMES;

/** Title and text in the requested language; the Dutch and English titles are in other members. */
function textsIn(record: JsonRecord, { settings }: RecordContext): ListingTexts {
  const language = languageOf(settings);
  const titles = textsOf([
    [language, said(record, 'TypeDescription')],
    ['nl', said(record, 'TypeDescriptionNl')],
    ['en', said(record, 'TypeDescriptionEn')],
  ]);
  const descriptions = ['DescriptionA', 'DescriptionB'].map((name) => textOf(record[name])?.trim());
  const description = descriptions.find((text) => text !== undefined && !/^[-–—.]*$/.test(text));
  return inLanguages(titles, textsOf([[language, description]]), [language, ...languagesOf(settings)]);
}

const NOT_FITTED = /\b(?:non|niet|not|pas|aucune|geen|none|no|unfitted)\b/i;
const FITTED = /[ée]quip|ingericht|ge[ïi]nstalleerd|equipped|fitted|ausgestattet/i;

/** `semi` means neither yes nor no. */
function isKitchenFitted(record: JsonRecord): boolean | undefined {
  const kitchen = said(record, 'KitchenName');
  if (kitchen === undefined || /semi|half|partly|partiel/i.test(kitchen)) return undefined;
  if (NOT_FITTED.test(kitchen)) return false;
  return FITTED.test(kitchen) || undefined;
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(record['NumberOfBedRooms'])),
    ville: said(record, 'City'),
  };
}
