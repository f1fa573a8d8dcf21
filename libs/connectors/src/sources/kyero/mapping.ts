import type { XmlRecord } from '../../formats/xml-records';
import {
  byLanguage,
  inLanguages,
  languagesOf,
  type TextsByLanguage,
  textsByLanguage,
  type ListingTexts,
} from '../../kit/by-language';
import type { LinkSource } from '../../kit/clean/attachments';
import { toLanguage } from '../../kit/clean/language';
import { type Features, toFeatures } from '../../kit/clean/features';
import { toNumber, toRooms, toSquareMetres } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { toUrl } from '../../kit/clean/links';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { features as listed, links, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { styleOf } from '../../kit/number-style';
import { offer } from '../../kit/offer';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf, wrappedList } from '../../kit/values';
import { noticedNumber } from '../../kit/verb';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { PRICE_FREQUENCIES, type PriceFrequency, type PropertyType, TYPES } from './lookups';

/** A price, or a rent for the period that `price_freq` names. A price of `x` or 0 is on request. */
const prices = offer<XmlRecord>({
  transaction: v.computed((record, context) => {
    const word = frequencyWordOf(record);
    if (word === undefined) return undefined;
    return lookUp(PRICE_FREQUENCIES, word, 'price_freq', context)?.typeTransaction ?? 'autre';
  }),
  price: 'price',
  period: v.computed((record, context) => {
    const period = frequencyOf(record)?.period;
    if (period === undefined)
      context.warn('implausible_value', 'price_freq', `${frequencyWordOf(record) ?? ''}: no period`);
    return period;
  }),
});

const texts = together<XmlRecord, ListingTexts>((record, context) =>
  inLanguages(spoken(record['title']), spoken(record['desc']), wantedLanguages(context)),
);
/** The features, which are free text in the agency's language. */
const features = together<XmlRecord, Features>((record, context) =>
  toFeatures(
    featuresOf(record).flatMap((feature) => textOf(feature) ?? []),
    (text) => {
      context.warn('implausible_value', 'features.feature', text.slice(0, 120));
    },
  ),
);
const featuresOf = (record: XmlRecord): readonly unknown[] => wrappedList(record['features'], 'feature');

const where = place<XmlRecord>({
  country: v.word('country'),
  // The import specification has no postcode, but exporters add one under these names.
  postcode: v.firstOf(v.word, 'postcode', 'postalcode', 'post_code', 'postal_code'),
  usual: 'ES',
});
const ratings = {
  consumption: compilePath('energy_rating.consumption'),
  index: compilePath('energy_rating.energy_index'),
  energy: compilePath('energy'),
  emissions: compilePath('energy_rating.emissions'),
};
/** The certificate has two letters, on the scale of the property's country. */
const energy = certificate<XmlRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    {
      field: 'energy_rating.consumption',
      classe: scalarOf(ratings.consumption(record)) ?? ratings.energy(record),
      valeur: toNumber(scalarOf(ratings.index(record))),
    },
    { grandeur: 'emissions', field: 'energy_rating.emissions', classe: ratings.emissions(record) },
  ],
}));

/** Paths start at `property`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'a rent is one amount': ['rentParts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'catastral is the number of the parcel, not a category or an income': ['registrations'],
    'the agent block has a name and contact details': ['licences'],
    'a property of the format is one unit, of no project': ['project'],
    'price is one number, the current price': ['priceDetails'],
    'baths counts all bathrooms': ['bathrooms'],
    'the features are free words: they are in caracteristiques': ['amenities', 'heating', 'investment', 'comfort'],
    'the format has no place for it': ['media'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('ref'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  url: v.computed((record, context) => {
    const pages = spoken(record['url']);
    const language = wantedLanguages(context).find((one) => pages.has(one));
    return toUrl(pages.get(language ?? '') ?? [...pages.values()][0]);
  }),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource'),
  typeTransactionSource: v.text('price_freq'),
  typeCode: v.computed((record, context) => {
    const word = typeWordOf(record);
    return word === undefined ? undefined : (lookUp(TYPES, word, 'type', context)?.code ?? 'autre');
  }),
  typeCodeSource: v.computed(typeWordOf),
  prixCurrency: v.currency('currency'),
  surfaceHabitable: v.computed((record, context) =>
    typeOf(record)?.code === 'terrain' ? undefined : builtArea(record, context),
  ),
  nbreChambres: v.rooms('beds'),
  ville: v.text('town'),
  ...where,
  quartier: v.text('location_detail'),
  ...position('location.latitude', 'location.longitude'),
  photos: v.photos('images.image', imagesOf),
  // The agent block comes before the properties, if the feed has one.
  agenceNom: v.first(v.beside(v.text('agent.name')), v.setting('agence-nom')),
  agenceTel: v.beside(v.text('agent.tel')),
  negoEmail: v.first(v.email('email'), v.beside(v.email('agent.email'))),
  surfaceTerrain: v.computed(plotArea),
  // A half bath is a bathroom without a bathtub or shower.
  nbreSallesDeBain: v.rooms('baths'),
  neuf: v.computed((record) => frequencyOf(record)?.isNew === true || toFlag(scalarOf(record['new_build']))),
  // An empty pool and a pool of zero mean unknown.
  piscine: v.first(v.anyOf('pool'), features.field('piscine')),
  // If the terrace has an area, there is a terrace.
  terrasse: v.first(v.anyOf('surface_area.terrace', 'terrace_m2'), features.field('terrasse')),
  jardin: v.first(v.anyOf('surface_area.garden'), features.field('jardin')),
  ascenseur: v.first(v.anyOf('elevator'), features.field('ascenseur')),
  parking: v.first(v.anyOf('parking'), features.field('parking')),
  etage: v.first(v.floor('floor'), features.field('etage')),
  ...features.fields('balcon', 'meuble', 'nbreEtages', 'climatisation', 'cheminee', 'cuisineEquipee'),
  ...energy.fields('energie', 'dpeClasse', 'gesClasse'),
  // Elements that exporters add to the format: see README.md.
  prixAncien: v.money('price_old'),
  anneeConstruction: v.firstOf(v.year, 'year_build', 'year_built', 'property_year'),
  nbreWc: v.firstOf(v.integer, 'wc', 'toilets'),
  nbreParkings: v.firstOf(v.integer, 'parking_plazas', 'property_garage'),
  nbrePieces: v.rooms('rooms'),
  surfaceUtile: v.area('usable_living_area_m2', 'm2'),
  adresse: v.text('location.address'),
  negoNom: v.text('contact_name'),
  etat: v.text('condition'),
  exposition: v.text('orientation'),
  visiteVirtuelle: v.firstOf(v.url, 'virtual_tour_url', 'v360'),
  // One address, or one for each language.
  video: v.first(
    v.url('video_url'),
    v.computed((record: XmlRecord, context) => toUrl(byLanguage(record['video_url'], wantedLanguages(context)))),
  ),
  dateModification: v.date('date'),
  region: v.text('province'),
  caracteristiques: listed<XmlRecord>(
    (record) => [...featuresOf(record), ...wrappedList(record['tags'], 'tag')],
    'features.feature',
  ),
  plans: links(plansOf, 'images.image'),
  regimePropriete: yesInWords({ leasehold: 'leasehold', part_ownership: 'part ownership' }),
  ...v.absent('not in the format', 'sousOffre', 'statut', 'surfaceCarrez'),
  ...v.absent('contact_number is private unless requested', 'negoTel'),
  ...v.absent('the features are free words: they are in caracteristiques', 'disponibiliteTexte'),
  ...v.absent('the format has no place for it', 'fraisCommunaute', 'numeroEnregistrement'),
};

function titleParts(record: XmlRecord): TitleParts {
  return {
    type: typeOf(record)?.title ?? typeWordOf(record),
    chambres: toRooms(scalarOf(record['beds'])),
    ville: plainLine(textOf(record['town'])),
  };
}

/** One text has no language. A child whose name is no language is ignored. */
function spoken(value: unknown): TextsByLanguage {
  return textsByLanguage(value, (name) => name === '#text' || toLanguage(name) !== undefined);
}

/** Version 3 has one word, version 2.1 has one per language: English first, because the table covers it best. */
function typeWordOf(record: XmlRecord): string | undefined {
  return plainLine(byLanguage(record['type'], TYPE_LANGUAGES));
}

const TYPE_LANGUAGES = ['en', 'es', 'fr', 'de'];

function typeOf(record: XmlRecord): PropertyType | undefined {
  return TYPES.find(typeWordOf(record) ?? '');
}

function frequencyWordOf(record: XmlRecord): string | undefined {
  return textOf(record['price_freq']);
}

function frequencyOf(record: XmlRecord): PriceFrequency | undefined {
  return PRICE_FREQUENCIES.find(frequencyWordOf(record) ?? '');
}

/** A number with one separator before exactly three digits, which may be decimals or thousands. */
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}(?![\d.,])/;
/** No building and no plot is smaller. */
const SMALLEST_M2 = 10;

const builtAt = compilePath('surface_area.built');
const plotAt = compilePath('surface_area.plot');

/** It is larger than the living area, but the format has no other area of the building. */
function builtArea(record: XmlRecord, context: RecordContext): number | undefined {
  return readArea(builtAt(record), 'surface_area.built', context, false);
}

/** The area of the plot. */
function plotArea(record: XmlRecord, context: RecordContext): number | undefined {
  return readArea(plotAt(record), 'surface_area.plot', context, true);
}

/**
 * One separator before three digits is read in the style of the record or feed. If that is unknown, an area below 10 m²
 * would be too small, so `1.250` means thousands, with a warning, and a fraction of a plot is absent: `12.500`.
 */
function readArea(value: unknown, field: string, context: RecordContext, isPlot: boolean): number | undefined {
  const written = scalarOf(value);
  const style = styleOf(context, 'areas');
  const group = typeof written === 'string' ? ONE_GROUP.exec(written)?.[0] : undefined;
  const meaning = group === undefined ? undefined : group.includes('.') ? style.point : style.comma;
  const area = noticedNumber(toNumber(written, style), written, field, context);
  if (area === undefined || group === undefined || meaning === 'thousands' || meaning === 'decimal')
    return toSquareMetres(area);
  const isTooSmall = area < SMALLEST_M2;
  const isDoubtful = isPlot || group.endsWith('0');
  if (isTooSmall || isDoubtful) context.warn('implausible_value', field, String(written).slice(0, 120));
  if (isTooSmall) return toSquareMetres(area * 1000);
  return isDoubtful ? undefined : toSquareMetres(area);
}

const tagsAt = compilePath('tags.tag');

/** Without floor plans, sorted by the number of their `id` (10 comes after 9). */
function imagesOf(record: XmlRecord, context: RecordContext): PhotoSource[] {
  const languages = wantedLanguages(context);
  return wrappedList(record['images'], 'image')
    .map((image, index) => ({ image, order: orderOf(image) ?? index + 1 }))
    .sort((a, b) => a.order - b.order)
    .filter(({ image }) => !isFloorPlan(image))
    .map(({ image }) => {
      if (typeof image === 'string') return { value: image };
      const { url, title } = (image ?? {}) as { url?: unknown; title?: unknown };
      return { value: textOf(url) ?? textOf(image), legende: byLanguage(title, languages) };
    });
}

function plansOf(record: XmlRecord, context: RecordContext): LinkSource[] {
  const languages = wantedLanguages(context);
  return wrappedList(record['images'], 'image')
    .filter(isFloorPlan)
    .map((image) => {
      const { url, title } = image as { url?: unknown; title?: unknown };
      return { value: url, titre: byLanguage(title, languages) };
    });
}

function orderOf(image: unknown): number | undefined {
  const order = Number((image as { '@id'?: unknown } | null)?.['@id']);
  return Number.isFinite(order) ? order : undefined;
}

function isFloorPlan(image: unknown): boolean {
  return listOf(tagsAt(image)).some((tag) => /^floor[-_ ]?plans?$/i.test(textOf(tag) ?? ''));
}

/** Descriptions, titles and captions are for a Spanish market: Spanish comes before the other languages of the feed. */
function wantedLanguages(context: RecordContext): readonly string[] {
  return languagesOf(context.settings, 'es');
}
