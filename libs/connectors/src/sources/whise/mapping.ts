import { isRental } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, textsOf, type ListingTexts } from '../../kit/by-language';
import { toNumber, toRooms } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { features, inOneLine, range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate, reading } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { offer } from '../../kit/offer';
import { place, positionOf, readCoordinates } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp, type WordTable } from '../../kit/word-table';
import { detail, featuresOf, wordOf } from './details';
import { statutOf, showsAddress, showsPrice } from './display';
import * as tables from './lookups';
import { CATEGORIES, COUNTRIES, type EstateType, PURPOSES, SUB_CATEGORIES } from './lookups';
import { number, numberOf } from './numbers';

const purpose = v.computed((record: JsonRecord, context) => {
  const word = numberOf(record, 'purpose');
  return word === undefined ? undefined : (lookUp(PURPOSES, word, 'purpose', context) ?? 'autre');
}, 'purpose.id');
const prices = offer<JsonRecord>({
  transaction: purpose,
  price: 'price',
  isHidden: (record) => !showsPrice(record),
});
const texts = together<JsonRecord, ListingTexts>(textsIn);
const agent = compilePath('representatives');
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';

const where = place<JsonRecord>({
  country: v.computed((record: JsonRecord, context) => {
    const word = numberOf(record, 'country');
    return word !== undefined && /^\d+$/.test(word) ? (lookUp(COUNTRIES, word, 'country', context) ?? word) : word;
  }, 'country.id'),
  postcode: v.word('zip'),
  usual: 'BE',
});
const epc = {
  label: v.first<JsonRecord, string>(detail('energyLabel', v.word), v.word('energyClass')),
  value: reading('energyValue'),
  detailValue: detail('energyValue', reading),
  emission: detail('emission', v.decimal),
};
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    {
      ...{ field: 'energyClass', classe: epc.label.read(record, context) },
      ...{ valueField: 'energyValue', valeur: valueOf(record, context) },
    },
    { grandeur: 'emissions', field: 'details.2090', valeur: epc.emission.read(record, context) },
  ],
}));

/** The member `energyValue` may be zero when only the detail is filled. */
function valueOf(record: JsonRecord, context: RecordContext): number | undefined {
  const value = epc.value.read(record, context);
  return value === undefined || value === 0 ? (epc.detailValue.read(record, context) ?? value) : value;
}

const isLet = (record: JsonRecord, context: RecordContext): boolean =>
  isRental(purpose.read(record, context) ?? 'autre');
const yes = (name: 'indoorParking' | 'outdoorParking'): v.Verb<JsonRecord, true> =>
  detail(name, (path) => v.anyOf(path));
const [indoorParking, outdoorParking] = [yes('indoorParking'), yes('outdoorParking')];
const [latitude, longitude] = [detail('latitude', v.word), detail('longitude', v.word)];
const heatingGroup = detail('heatingType', (path) => v.oneOf(tables.HEATING_TYPES, path));

/** Paths start at one element of `estates`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('no public description has it', {
    'emissions come without a class': ['certificate'],
    'the charges of a tenant are one detail: 301': ['rentParts'],
    'the cadastral income is a base, no tax': ['yearlyCosts'],
    'specific to French law': ['frenchLaw'],
    'the numbers of the details for flood scores are not public': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'Belgium has one cadastral figure: cadastralIncome': ['registrations'],
    'a representative has a name and contact details': ['licences'],
    'a unit has only the number of its project: parentId': ['project'],
    'there is only the current price': ['priceDetails'],
    'area and the net area are the living area, detail 27 is the footprint': ['otherAreas'],
    'no public client reads such a detail': ['amenities', 'heating', 'comfort'],
    'no detail is a yield': ['investment'],
    'pictures are not marked as plans; documents are another request': ['media'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('referenceNumber'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer'),
  typeTransactionSource: number('purpose'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const word = numberOf(record, 'category');
    const known = lookUp(CATEGORIES, word, 'category', context);
    return (typeOf(record) ?? known)?.code ?? (word === undefined ? undefined : 'autre');
  }, 'category.id'),
  typeCodeSource: v.first(number('subCategory'), number('category')),
  prixCurrency: v.currency('currency'),
  surfaceHabitable: v.unless(
    isPlot,
    v.first<JsonRecord, number>(
      v.area('area'),
      detail('netArea', (path) => v.area(path)),
    ),
  ),
  // Details may list only some rooms with an area, so do not count the rooms there.
  nbreChambres: v.rooms('bedrooms'),
  ville: v.text('city'),
  ...where,
  adresse: v.when(showsAddress, v.joined('address', 'number', 'box')),
  ...positionOf<JsonRecord>((record, context) =>
    showsAddress(record)
      ? readCoordinates(latitude.read(record, context), longitude.read(record, context), 'details.1849', context)
      : undefined,
  ),
  photos: v.photos('pictures', photosOf),
  agenceNom: v.first(v.text('office'), v.text('client'), v.setting('agence-nom')),
  negoNom: v.computed((record) => {
    const { name, firstName, lastName } = agentOf(record);
    return plainLine(textOf(name) ?? [firstName, lastName].map((part) => textOf(part) ?? '').join(' '));
  }, 'representatives'),
  negoEmail: v.email('representatives.email'),
  negoTel: v.first(v.text('representatives.phone'), v.text('representatives.mobile')),
  surfaceTerrain: v.first(v.area('groundArea'), v.when(isPlot, v.area('area'))),
  nbreSallesDeBain: v.integer('bathRooms'),
  nbreWc: detail('toilets', v.integer),
  etage: v.floor('floor'),
  nbreEtages: detail('floors', v.integer),
  anneeConstruction: detail('yearBuilt', v.year),
  meuble: v.flag('furnished'),
  terrasse: v.flag('terrace'),
  parking: v.first<JsonRecord, true>(v.anyOf('parking', 'garage'), indoorParking, outdoorParking),
  parkingType: v.computed((record: JsonRecord, context) => {
    const [indoor, outdoor] = [indoorParking.read(record, context), outdoorParking.read(record, context)];
    return inOneLine([indoor && 'parking intérieur', outdoor && 'parking extérieur']);
  }, 'details.id'),
  accessible: detail('accessible', v.flag),
  climatisation: detail('airConditioning', v.flag),
  loue: v.unless(isLet, detail('let', v.flag)),
  caracteristiques: features(featuresOf, 'details.id'),
  programmeId: v.text('parentId'),
  ascenseur: detail('lift', v.flag),
  piscine: v.first<JsonRecord, boolean>(v.flag('swimmingPool'), detail('pool', v.flag)),
  charges: v.when(isLet, detail('tenantCharges', v.money)),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesValeur'),
  visiteVirtuelle: v.first(v.url('linkVirtualVisit'), v.url('link3DModel')),
  video: v.url('linkVideo'),
  disponibilite: v.day('availabilityDateTime'),
  dateCreation: v.first(v.date('createDateTime'), v.date('putOnlineDateTime')),
  dateModification: v.date('updateDateTime'),
  surfacePlage: range(v.area('minArea'), v.area('maxArea')),
  etat: said('state', tables.STATES),
  disponibiliteTexte: said('availability', tables.AVAILABILITIES),
  jardin: v.first<JsonRecord, boolean>(v.flag('garden'), v.anyOf('gardenArea')),
  // Detail 1020 is a word for a fuel, a system, or both.
  chauffageType: v.computed(
    (record: JsonRecord, context) => inOneLine([heatingGroup.read(record, context), wordOf(record, 'heating')]),
    'details.id',
  ),
  exposition: detail('orientation', (path) => v.oneOf(tables.ORIENTATIONS, path)),
  cuisineEquipee: yesOrNo(detail('kitchen', (path) => v.oneOf(tables.KITCHENS, path))),
  revenuCadastral: v.first<JsonRecord, number>(v.money('cadastralIncome'), detail('cadastralIncome', v.money)),
  permisUrbanisme: detail('buildingPermit', v.flag),
  permisLotir: detail('landDivision', v.flag),
  droitPreemption: detail('preemption', v.flag),
  inondationZone: v.first<JsonRecord, string>(
    detail('floodArea', (path) => v.oneOf(tables.FLOOD_AREAS, path)),
    detail('possibleFlood', (path) => v.oneOf(tables.FLOOD_AREAS, path)),
  ),
  affectationUrbanisme: detail('groundDestination', (path) => v.oneOf(tables.GROUND_DESTINATIONS, path)),
  citationUrbanisme: yesOrNo(detail('summons', (path) => v.oneOf(tables.SUMMONS, path))),
  ...v.absent('no public description has it', 'url', 'loyerPeriode', 'loyerSource', 'quartier', 'balcon'),
  ...v.absent('specific to French law', 'surfaceCarrez', 'loyerReferenceMajore', 'loyerEncadrement'),
  ...v.absent('the format does not say whether `rooms` counts bedrooms', 'nbrePieces'),
  ...v.absent(
    'no public client reads such a detail',
    'region',
    'fraisCommunaute',
    'numeroEnregistrement',
    'regimePropriete',
  ),
};

/** Returns the word for a number in a record; a number that is not in the table gives a warning. */
function said(name: string, table: WordTable<string>): v.Verb<JsonRecord, string> {
  return v.computed(
    (record: JsonRecord, context) => lookUp(table, numberOf(record, name), name, context) || undefined,
    `${name}.id`,
  );
}

/** Turns words that mean neither yes nor no into undefined. */
function yesOrNo(answer: v.Verb<JsonRecord, boolean | string>): v.Verb<JsonRecord, boolean> {
  return {
    ...answer,
    read(record, context) {
      const value = answer.read(record, context);
      return typeof value === 'boolean' ? value : undefined;
    },
  };
}

function typeOf(record: JsonRecord): EstateType | undefined {
  return (
    SUB_CATEGORIES.find(numberOf(record, 'subCategory') ?? '') ?? CATEGORIES.find(numberOf(record, 'category') ?? '')
  );
}

/** Texts are lists of `{languageId, content}`. The name is one text or a list of this kind. */
function textsIn(record: JsonRecord, context: RecordContext): ListingTexts {
  const descriptions = ['description', 'longDescription', 'shortDescription'].map((name) => inList(record[name]));
  const found = descriptions.find((pairs) => textsOf(pairs).size > 0) ?? [];
  return inLanguages(textsOf(inList(record['name'])), textsOf(found), languagesOf(context.settings, 'nl'));
}

function inList(value: unknown): [string, unknown][] {
  return listOf(value).map((one) => {
    if (typeof one !== 'object' || one === null) return ['', one];
    const { languageId, content } = one as Readonly<Record<string, unknown>>;
    return [textOf(languageId) ?? '', content];
  });
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(record['bedrooms'])),
    ville: plainLine(textOf(record['city'])),
  };
}

function agentOf(record: JsonRecord): Readonly<Record<string, unknown>> {
  const first = listOf(agent(record))[0];
  return typeof first === 'object' && first !== null ? (first as Readonly<Record<string, unknown>>) : {};
}

function photosOf(record: JsonRecord): PhotoSource[] {
  return listOf(record['pictures'])
    .map((picture, index) => {
      if (typeof picture !== 'object' || picture === null) return { value: textOf(picture), order: index };
      const { urlXXL, urlLarge, urlSmall, order } = picture as Readonly<Record<string, unknown>>;
      return {
        value: textOf(urlXXL) ?? textOf(urlLarge) ?? textOf(urlSmall),
        order: toNumber(scalarOf(order)) ?? index,
      };
    })
    .sort((a, b) => a.order - b.order);
}
