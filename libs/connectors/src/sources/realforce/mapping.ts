import { isRental } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toFlag } from '../../kit/clean/fold-word';
import { toMonthlyRent } from '../../kit/clean/money';
import { toYear } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { features, inOneLine, links, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { offer } from '../../kit/offer';
import { place, position } from '../../kit/place';
import { once, together } from '../../kit/together';
import { listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp, readCurrency } from '../../kit/word-table';
import { statutOf } from './display';
import { labelled, labelOf, wordOf } from './labels';
import * as tables from './lookups';

const STYLE = { point: 'decimal' } as const;

const transaction = v.oneOf(tables.TRANSACTIONS, 'transaction_type_id', 'autre');
/** A rent with an unknown period is omitted. */
const period = once(
  v.computed((record: JsonRecord, context) => {
    const code = textOf(record['frequency_id']);
    if (code === undefined || code === '0') return 'mois' as const;
    const word = labelOf(context, 'choices', code) ?? code;
    return lookUp(tables.PERIODS, word, 'frequency_id', context, 'implausible_value');
  }, 'frequency_id'),
);
const prices = offer<JsonRecord>({ transaction, price: 'price', period, style: STYLE });
const isLet = (record: JsonRecord, context: RecordContext): boolean =>
  isRental(transaction.read(record, context) ?? 'autre');

/** Whether a rent exists but was omitted: then it is not on request. */
const isRentLost = (record: JsonRecord, context: RecordContext): boolean =>
  isLet(record, context) && /[1-9]/.test(textOf(record['price']) ?? '') && period.read(record, context) === undefined;

const texts = together<JsonRecord, ListingTexts>((record, context) => {
  const all = Object.entries(asObject(record['description']));
  const named = (name: string): [string, unknown][] => all.map(([language, one]) => [language, asObject(one)[name]]);
  return inLanguages(textsOf(named('title')), textsOf(named('description')), languagesOf(context.settings, 'de', 'it'));
});
const category = once(
  v.computed(
    (record: JsonRecord, context) => {
      const sub = labelOf(context, 'categories', record['sub_category_id']);
      const known = sub === undefined ? undefined : tables.CATEGORIES.find(sub);
      if (known !== undefined) return known;
      const main = wordOf(record['main_category_id'], 'categories', 'main_category_id', context);
      const meant = lookUp(tables.CATEGORIES, main, 'main_category_id', context);
      return (
        meant ?? (textOf(record['main_category_id'] ?? record['sub_category_id']) === undefined ? undefined : 'autre')
      );
    },
    'main_category_id',
    'sub_category_id',
  ),
);
const amenityLabels = (record: JsonRecord, context: RecordContext): string[] =>
  listOf(record['amenities']).flatMap((code) => labelOf(context, 'amenities', code) ?? []);
const amenity = (meant: tables.Amenity): v.Verb<JsonRecord, true> =>
  v.computed(
    (record: JsonRecord, context) =>
      amenityLabels(record, context).some((label) => tables.AMENITIES.find(label) === meant) || undefined,
    'amenities',
  );
const availability = (record: JsonRecord, context: RecordContext): string =>
  labelOf(context, 'choices', record['availability_id']) ?? '';

/** Paths start at one element of `data`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in a property of the API', {
    'the API has no certificate; Minergie is a label of how a house was built': ['certificate'],
    'the API has no certificate': ['certificateDetails'],
    'a Swiss agency is paid by its client': ['fees'],
    'specific to French law': ['rentControl', 'frenchLaw'],
    'the meaning of `charges_included_id` is not public': ['rentParts'],
    'whether `tax` is yearly is not public': ['yearlyCosts'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'a broker has a name and contact details': ['licences'],
    'projects are a list of their own': ['project'],
    'there is only the current price': ['priceDetails'],
    'weighted areas are not real areas': ['otherAreas'],
    '`income` is not public': ['investment'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('reference'),
  ...texts.fields('intitule', 'commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'loyer', 'loyerPeriode', 'loyerSource'),
  prixSurDemande: v.unless(isRentLost, prices.field('prixSurDemande')),
  typeTransactionSource: v.first(
    v.computed(
      (record: JsonRecord, context) => labelOf(context, 'choices', record['transaction_type_id']),
      'transaction_type_id',
    ),
    v.text('transaction_type_id'),
  ),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: category,
  typeCodeSource: v.computed(
    (record: JsonRecord, context) =>
      inOneLine(['main_category_id', 'sub_category_id'].map((name) => labelOf(context, 'categories', record[name]))),
    'main_category_id',
    'sub_category_id',
  ),
  prixCurrency: v.computed((record: JsonRecord, context) => {
    const given = textOf(record['currency_id']);
    const code = given === '0' ? undefined : given;
    return readCurrency(labelOf(context, 'choices', code) ?? code, 'currency_id', context, 'CHF');
  }, 'currency_id'),
  prixMetreCarre: v.money('m2', STYLE),
  surfaceHabitable: v.area('habitable', 'm2', STYLE),
  surfaceUtile: v.area('usable', 'm2', STYLE),
  surfaceTerrain: v.area('land', 'm2', STYLE),
  nbrePieces: v.rooms('rooms'),
  nbreChambres: v.rooms('bedrooms'),
  nbreSallesDeBain: v.integer('bathrooms'),
  nbreSallesEau: v.integer('showerrooms'),
  nbreWc: v.integer('toilets'),
  etage: v.floor('floor'),
  nbreEtages: v.integer('floors'),
  anneeConstruction: v.year('construction_year'),
  // Off plan: sold before it is built.
  neuf: v.first<JsonRecord, boolean>(v.anyOf('new_construction', 'off_plan'), v.flag('new_construction')),
  ville: labelled('cities', 'city_id'),
  quartier: v.computed(
    (record: JsonRecord, context) => labelOf(context, 'quarters', record['quarter_id']),
    'quarter_id',
  ),
  region: labelled('cantons', 'canton_id'),
  ...place<JsonRecord>({
    country: v.computed(
      (record: JsonRecord, context) => wordOf(record['country_id'], 'countries', 'country_id', context),
      'country_id',
    ),
    postcode: v.word('zip'),
    usual: 'CH',
  }),
  adresse: v.joined('address1', 'address2', 'address3'),
  ...position<JsonRecord>('latitude', 'longitude'),
  photos: v.photos('photosObject', photosOf),
  plans: links((record: JsonRecord) => picturesOf(record, true).map(asLink), 'photosObject'),
  video: v.url('videosObject.url'),
  agenceNom: v.setting('agence-nom'),
  negoNom: v.joined('broker_firstname', 'broker_lastname'),
  negoEmail: v.email('broker_email'),
  negoTel: v.firstOf(v.text, 'broker_phone', 'broker_mobile'),
  meuble: v.computed((record: JsonRecord, context) => {
    const word = wordOf(record['furnish_id'], 'choices', 'furnish_id', context);
    const known = lookUp(tables.FURNISHINGS, word, 'furnish_id', context);
    return typeof known === 'boolean' ? known : undefined;
  }, 'furnish_id'),
  balcon: v.first<JsonRecord, true>(v.anyOf('balcony'), amenity('balcon')),
  terrasse: v.first<JsonRecord, true>(v.anyOf('terrace'), amenity('terrasse')),
  jardin: v.first<JsonRecord, true>(v.anyOf('garden'), amenity('jardin')),
  parking: v.first<JsonRecord, true>(v.anyOf('garage_capacity'), amenity('parking')),
  nbreParkings: v.integer('garage_capacity'),
  parkingType: labelled('choices', 'garage_id'),
  ascenseur: amenity('ascenseur'),
  piscine: amenity('piscine'),
  climatisation: amenity('climatisation'),
  cheminee: amenity('cheminee'),
  cave: amenity('cave'),
  cuisineEquipee: amenity('cuisineEquipee'),
  accessible: amenity('accessible'),
  animaux: amenity('animaux'),
  caracteristiques: features(
    (record: JsonRecord, context) => [
      ...listOf(record['amenities']).flatMap((code) => wordOf(code, 'amenities', 'amenities', context) ?? []),
      labelOf(context, 'choices', record['minergy_id']),
      ...[toYear(scalarOf(record['renovation_year']))].flatMap((year) =>
        year === undefined ? [] : `Rénové en ${year}`,
      ),
    ],
    'amenities',
    'minergy_id',
    'renovation_year',
  ),
  etat: labelled('choices', 'state_id'),
  vue: labelled('choices', 'view_ids', 'view_id'),
  exposition: labelled('choices', 'orientation_id'),
  chauffageType: labelled('choices', 'heating_type_id'),
  chauffageEnergie: labelled('choices', 'heating_energy_type_id'),
  charges: v.when(isLet, v.first(v.money('monthly_charges', STYLE), monthlyOf(v.money('annual_charges', STYLE)))),
  chargesChauffage: v.when(isLet, v.money('monthly_charges_heating', STYLE)),
  depotGarantie: v.when(isLet, v.money('deposit', STYLE)),
  fraisCommunaute: periodic<JsonRecord>(v.money('monthly_charges_ppe', STYLE), 'mois'),
  copropriete: v.anyOf('ppe'),
  loue: v.computed(
    (record: JsonRecord, context) =>
      (!isLet(record, context) && /^(?:loué|occupé)$/i.test(availability(record, context))) || undefined,
    'availability_id',
  ),
  disponibilite: v.day('availability_date'),
  disponibiliteTexte: v.computed((record: JsonRecord, context) => {
    const label = availability(record, context);
    return label === '' || /^choisir date$/i.test(label) ? undefined : label;
  }, 'availability_id'),
  programmeId: v.text('promotion_reference'),
  dateCreation: v.date('creation'),
  dateModification: v.date('lastupdate'),
  ...v.absent('not in a property of the API', 'url', 'numeroEnregistrement'),
  ...v.absent('the contract with the seller is not public', 'mandatType', 'commission'),
  ...v.absent('the API has no certificate; Minergie is a label of how a house was built', 'dpeDate'),
  ...v.absent('specific to French law', 'surfaceCarrez'),
};

/** A yearly amount by the month. */
function monthlyOf(yearly: v.Verb<unknown, number>): v.Verb<unknown, number> {
  return {
    ...yearly,
    read(record, context) {
      const amount = yearly.read(record, context);
      return amount === undefined ? undefined : toMonthlyRent(amount, 'an');
    },
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}

/** `photosObject` says which pictures are plans; `photos` has only the addresses. */
function picturesOf(record: JsonRecord, isPlan: boolean): JsonRecord[] {
  const described = listOf(record['photosObject']).map(asObject);
  const all = described.length > 0 ? described : listOf(record['photos']).map((url) => ({ url, isPlan: false }));
  return all.filter((picture) => (toFlag(scalarOf(picture['isPlan'])) === true) === isPlan);
}

function titleOf({ titles }: JsonRecord): string | undefined {
  return Object.values(asObject(titles)).flatMap((title) => textOf(title) ?? [])[0];
}

function photosOf(record: JsonRecord): PhotoSource[] {
  return picturesOf(record, false).map((picture) => ({ value: textOf(picture['url']), legende: titleOf(picture) }));
}

function asLink(picture: JsonRecord): LinkSource {
  return { value: picture['url'], titre: titleOf(picture) };
}
