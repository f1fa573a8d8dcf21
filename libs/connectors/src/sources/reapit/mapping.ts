import type { JsonRecord } from '../../formats/json-records';
import { toNumber, toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { features, inOneLine, links, periodic, range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { showsAddress, type Side, sideOf, statutOf } from './display';
import { PERIODS, type PropertyType, SOLE_AGENCIES, TENURES, TYPES, UNITS } from './lookups';
import { charge, depositOf } from './costs';
import { documentsOf, filmOf, photosOf, plansOf } from './media';
import { FIGURES, type Offer, readOffer } from './offer';
import { nameOf } from './walk';
import { standing } from '../../kit/status';
import { furtherOfferId, offerOf } from '../../formats/several-offers';

const at = {
  type: compilePath('type'),
  line2: compilePath('address.line2'),
  line3: compilePath('address.line3'),
  bedrooms: compilePath('bedrooms'),
  epc: compilePath('epc'),
  irishRating: compilePath('regional.irl.buildingEnergyRating'),
  furnishing: compilePath('letting.furnishing'),
  agency: compilePath('selling.agency'),
};
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const areaOf = (path: string, usual: 'ft2' | 'acre'): ((bound: string) => v.Verb<JsonRecord, number>) => {
  const unit = v.unit(UNITS, `${path}.type`, usual);
  return (bound) => v.area(`${path}.${bound}`, unit, FIGURES);
};
const OWN_ID = v.identifier('id');
/** A property with two offers comes twice; each listing has the members of its own side. */
const isFor =
  (side: Side) =>
  (record: JsonRecord): boolean =>
    offerOf(record) === undefined || sideOf(record) === side;
const isShared = (record: JsonRecord): boolean =>
  sideOf(record) === 'selling' && compilePath('selling.sharedOwnership')(record) !== undefined;
const inside = areaOf('internalArea', 'ft2');
const outside = areaOf('externalArea', 'acre');

const prices = together<JsonRecord, Offer>(readOffer);
const where = place<JsonRecord>({
  country: v.word('address.countryId'),
  postcode: v.word('address.postcode'),
  usual: 'GB',
});
/**
 * The certificate has 1 to 100 points and a band, or is marked as not required. In Ireland the points belong to no scale
 * and are ignored; the rating has a member of its own.
 */
const energy = certificate<JsonRecord>((record, context) => {
  const pays = where.pays.read(record, context);
  const { eer, eerRating, eerPotential, eerPotentialRating, exempt } = (at.epc(record) ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const points = (value: unknown): number | undefined => {
    const number = toNumber(scalarOf(value));
    return number !== undefined && number > 0 && number <= 100 ? number : undefined;
  };
  const statut = toFlag(scalarOf(exempt)) === true ? ('non-soumis' as const) : undefined;
  if (pays === 'IE') {
    const { rating, epi } = (at.irishRating(record) ?? {}) as Readonly<Record<string, unknown>>;
    const valeur = toNumber(scalarOf(epi));
    return { pays, figures: [{ field: 'regional.irl.buildingEnergyRating.rating', classe: rating, valeur, statut }] };
  }
  return {
    pays,
    figures: [
      { grandeur: 'note', field: 'epc.eer', classe: eerRating, valeur: points(eer), statut },
      {
        grandeur: 'note-potentielle',
        field: 'epc.eerPotential',
        classe: eerPotentialRating,
        valeur: points(eerPotential),
      },
    ],
  };
});

/** Paths start at one element of `properties`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in the model of a property', {
    'the certificate is British: energie': ['certificate'],
    'fees are those of vendors and landlords': ['fees'],
    'specific to French law': ['lifeAnnuity', 'rentControl', 'frenchLaw'],
    'a rent is one amount': ['rentParts'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to other land registers': ['registrations'],
    'a negotiator has a name and contact details': ['licences'],
    'a plot names its master by a hidden number': ['project'],
    'there is only the current price': ['priceDetails'],
    'internalArea is the living area': ['otherAreas'],
  }),
  affId: v.computed((record, context) => furtherOfferId(OWN_ID.read(record, context), record), 'id'),
  affNum: v.first(v.text('alternateId'), v.text('id')),
  intitule: v.first(v.text('strapline'), v.builtTitle(titleParts)),
  commentaires: v.computed(descriptionOf, 'longDescription', 'description'),
  ...prices.fields(
    'typeTransaction',
    'prix',
    'prixSurDemande',
    'prixPlage',
    'prixMention',
    'loyer',
    'loyerPeriode',
    'loyerSource',
  ),
  typeTransactionSource: v.text('marketingMode'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const words = wordsOf(record);
    if (words.length === 0) return undefined;
    return typeOf(record)?.code ?? lookUp(TYPES, words[0], 'type', context)?.code ?? 'autre';
  }, 'type'),
  typeCodeSource: v.computed(
    (record: JsonRecord) => inOneLine([...wordsOf(record), ...listOf(record['style'])]),
    'type',
    'style',
  ),
  prixCurrency: v.currency('currency', 'GBP'),
  surfaceHabitable: v.unless(isPlot, v.first(inside('min'), inside('max'))),
  surfacePlage: v.computed(
    (record: JsonRecord, context) => {
      if (isPlot(record)) return undefined;
      const found = range(inside('min'), inside('max')).read(record, context);
      return found?.min === undefined || found.max === undefined || found.min === found.max ? undefined : found;
    },
    'internalArea.min',
    'internalArea.max',
  ),
  surfaceTerrain: v.first(outside('min'), outside('max')),
  nbreChambres: v.rooms('bedrooms'),
  nbreSallesDeBain: v.integer('bathrooms'),
  ville: v.firstOf(v.text, 'address.line3', 'address.line2', 'address.line4'),
  ...where,
  adresse: v.when(
    (record: JsonRecord, context) => showsAddress(record, context) === true,
    v.joined('address.buildingName', 'address.buildingNumber', 'address.line1'),
  ),
  quartier: v.when((record: JsonRecord) => textOf(at.line3(record)) !== undefined, v.text('address.line2')),
  region: v.when(
    (record: JsonRecord) => (textOf(at.line3(record)) ?? textOf(at.line2(record))) !== undefined,
    v.text('address.line4'),
  ),
  ...position<JsonRecord>('address.geolocation.latitude', 'address.geolocation.longitude', showsAddress),
  photos: v.photos('images', photosOf),
  agenceNom: v.first(fromList('offices', 'officeIds', v.text('name')), v.setting('agence-nom')),
  agenceTel: fromList('offices', 'officeIds', v.text('workPhone')),
  negoNom: fromList('negotiators', 'negotiatorId', v.text('name')),
  negoEmail: v.first(
    fromList('negotiators', 'negotiatorId', v.email('email')),
    fromList('offices', 'officeIds', v.email('email')),
  ),
  negoTel: fromList('negotiators', 'negotiatorId', v.text('workPhone')),
  exclusivite: v.when(
    isFor('selling'),
    v.computed(
      (record: JsonRecord) => SOLE_AGENCIES.test(textOf(at.agency(record)) ?? '') || undefined,
      'selling.agency',
    ),
  ),
  mandatType: v.when(isFor('selling'), v.text('selling.agency')),
  energie: energy.field('energie'),
  meuble: v.when(isFor('letting'), v.computed(furnishedOf, 'letting.furnishing')),
  balcon: saidIn('situation', /balcony/i),
  terrasse: saidIn('situation', /terrace|patio/i),
  jardin: saidIn('situation', /garden/i),
  ascenseur: saidIn('style', /withLift/i),
  neuf: saidIn('age', /^new/i),
  parking: v.computed(
    (record: JsonRecord) => listOf(record['parking']).some((word) => textOf(word) !== undefined) || undefined,
    'parking',
  ),
  parkingType: v.computed((record: JsonRecord) => inOneLine(listOf(record['parking'])), 'parking'),
  caracteristiques: features(
    (record: JsonRecord) => [
      ...(textOf(record['summary']) ?? '').split(/[\r\n;•]+/),
      ...listOf(record['specialFeatures']),
    ],
    'summary',
    'specialFeatures',
  ),
  disponibilite: v.when(isFor('letting'), v.day('letting.availableFrom')),
  video: v.computed((record: JsonRecord) => filmOf(record, 'video'), 'videoUrl', 'video2Url'),
  visiteVirtuelle: v.computed((record: JsonRecord) => filmOf(record, 'tour'), 'videoUrl', 'video2Url'),
  plans: links(plansOf, 'images'),
  documents: links(
    documentsOf,
    'images',
    'epc.fullDocumentUrl',
    'selling.publicBrochureUrl',
    'letting.publicBrochureUrl',
  ),
  url: v.url('url'),
  etage: v.floor('floorLevel'),
  nbreEtages: v.integer('totalFloors'),
  nbreParkings: v.integer('parkingSpaces'),
  depotGarantie: v.when(isFor('letting'), depositOf),
  redevanceFonciere: v.when(isFor('selling'), charge('groundRent')),
  chargesService: charge('serviceCharge'),
  dateCreation: v.date('created'),
  dateModification: v.date('modified'),
  bandeCouncilTax: v.text('councilTax'),
  partAchetee: v.when(isShared, v.decimal('selling.sharedOwnership.sharedPercentage')),
  loyerPart: v.when(
    isShared,
    periodic(
      v.money('selling.sharedOwnership.rent', FIGURES),
      v.unit(PERIODS, 'selling.sharedOwnership.rentFrequency', 'mois'),
    ),
  ),
  regimePropriete: v.computed(
    (record: JsonRecord, context) =>
      lookUp(TENURES, textOf(compilePath('selling.tenure.type')(record)), 'selling.tenure.type', context) || undefined,
    'selling.tenure.type',
  ),
  ...v.absent('not in the model of a property', 'textes', 'langue', 'numeroEnregistrement', 'commission'),
  ...v.absent('bedrooms and receptions are not all rooms', 'nbrePieces'),
  ...v.absent('specific to French law', 'surfaceCarrez', 'honorairesEtatDesLieux'),
  ...v.absent('the end of a lease is a date: its years depend on today', 'bailAnnees'),
};

function fromList<T>(
  list: 'offices' | 'negotiators',
  idPath: string,
  answer: v.Verb<unknown, T>,
): v.Verb<JsonRecord, T> {
  const idAt = compilePath(idPath);
  return v.computed(
    (record: JsonRecord, context: RecordContext) => answer.read(nameOf(context.feed, list, idAt(record)), context),
    idPath,
  );
}

function saidIn(name: string, word: RegExp): v.Verb<JsonRecord, true> {
  return v.computed(
    (record: JsonRecord) => listOf(record[name]).some((one) => word.test(textOf(one) ?? '')) || undefined,
    name,
  );
}

function wordsOf(record: JsonRecord): string[] {
  return listOf(at.type(record)).flatMap((word) => textOf(word) ?? []);
}

function typeOf(record: JsonRecord): PropertyType | undefined {
  for (const word of wordsOf(record)) {
    const known = TYPES.find(word);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** The long text, after the brief text. If the long text begins with the brief text, only the long text is used. */
function descriptionOf(record: JsonRecord): string | undefined {
  const [brief, long] = ['description', 'longDescription'].map((name) => plainText(textOf(record[name])));
  if (brief === undefined || long === undefined) return long ?? brief;
  return long.startsWith(brief) ? long : `${brief}\n\n${long}`;
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(at.bedrooms(record))),
    ville: plainLine(textOf(at.line3(record)) ?? textOf(at.line2(record))),
  };
}

/** Undefined if a property may be let either furnished or unfurnished. */
function furnishedOf(record: JsonRecord): boolean | undefined {
  const words = listOf(at.furnishing(record)).flatMap((word) => textOf(word) ?? []);
  if (words.length !== 1) return undefined;
  return words[0] === 'furnished' ? true : words[0] === 'unfurnished' ? false : undefined;
}
