import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, textsOf, type ListingTexts } from '../../kit/by-language';
import { toNumber, toRooms } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { inWords, lookedUpInOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { CONDITIONS, ORIENTATIONS, VIEWS } from './catalogs';
import { type Details, readDetails } from './details';
import { AVAILABILITY, comfort, FEATURES, HEAT_SOURCE, HEATING_TYPE, isTenanted } from './features';
import { legalFacts } from './law';
import {
  AGREEMENTS,
  AREA_UNITS,
  EXCLUSIVE_AGREEMENTS,
  titleWordOf,
  TYPE_BY_SUBTYPE,
  TYPES,
  SOLD_STATUSES,
  UNDER_OFFER,
} from './lookups';
import { type Offer, readOffer } from './offer';
import { isForTheInternet, showsAddress } from './raw-fields';
import { agencyOf } from './walk';
import { soldOrLet, standing } from '../../kit/status';

const prices = together<JsonRecord, Offer>(readOffer);
const details = together<JsonRecord, Details>(readDetails);
type Texts = ListingTexts;
const texts = together<JsonRecord, Texts>(textsIn);
const cityAt = compilePath('city.name');
const mainArea = v.area('area.value', v.unit(AREA_UNITS, 'area.unit', 'm2'));
const agreementAt = compilePath('agreement.type');

const where = place({ country: v.word('country'), postcode: v.word('city.zipcode') });
const figures = details.field('figures');
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: figures.read(record, context) ?? [],
}));

/** Paths start at one element of `properties`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in the API', {
    'the API does not say who pays them': ['fees'],
    'regulation 132 has no published words': ['rentTerms'],
    'the API does not say whether price.value has the charges in it; regulation 111 has no period': ['rentParts'],
    'a number of lots shows it': ['coOwnership'],
    'the charges of a sale have their period, and are coproCharges': ['yearlyCosts'],
    'the catalog has no regulation for it': ['frenchLaw'],
    'of British facts the catalog has the council tax band and the tenure': ['britishLaw'],
    'the API says nothing of licences and of how the agent works': ['licences'],
    'the units of a programme are properties of their own': ['project'],
    'price.value is the current price; price.unit is an area unit, and the API does not say what it changes': [
      'priceDetails',
    ],
    'room 10 is a study, and no area is that of offices': ['otherAreas'],
    'price.tenant is a rent, no yield': ['investment'],
    'documents are private, and no picture says that it is a plan': ['media'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('reference'),
  intitule: v.first(texts.field('intitule'), v.text('name'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  url: v.url('url'),
  // prettier-ignore
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource', 'charges', 'honoraires',
    'honorairesUnite', 'bouquet', 'rente', 'coproCharges', 'prixPlage'),
  typeTransactionSource: v.text('category'),
  typeCode: v.first(
    v.computed((record: JsonRecord) => TYPE_BY_SUBTYPE[textOf(record['subtype']) ?? '']),
    v.oneOf(TYPES, 'type', 'autre'),
  ),
  typeCodeSource: v.text('type'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  prixCurrency: v.currency('price.currency'),
  surfaceHabitable: v.unless(isPlot, mainArea),
  nbrePieces: v.rooms('rooms'),
  nbreChambres: v.rooms('bedrooms'),
  ville: v.text('city.name'),
  ...where,
  adresse: v.computed(addressOf),
  quartier: v.text('district.name'),
  ...position('latitude', 'longitude', showsAddress),
  photos: v.photos('pictures', picturesOf),
  agenceNom: v.first(
    v.computed((record: JsonRecord, context) => agencyOf(record, context)?.name),
    v.setting('agence-nom'),
  ),
  agenceTel: v.computed((record, context) => agencyOf(record, context)?.phone),
  negoNom: v.joined('user.firstname', 'user.lastname'),
  negoEmail: v.email('user.email'),
  negoTel: v.first(v.text('user.phone'), v.text('user.mobile')),
  surfaceTerrain: v.first(v.when(isPlot, mainArea), details.field('surfaceTerrain')),
  // prettier-ignore
  ...details.fields('surfaceCarrez', 'nbreSallesDeBain', 'nbreSallesEau', 'balcon', 'terrasse', 'parking',
    'ascenseur', 'piscine', 'loyerComplement', 'loyerReferenceMajore', 'taxeFonciere', 'dpeDate', 'dpeCoutMin', 'dpeCoutMax', 'dpeAnneeReference', 'dpeEnergieFinale',
    'visiteVirtuelle', 'video'),
  etage: v.floor('floor.value'),
  nbreEtages: v.integer('floor.floors'),
  anneeConstruction: v.year('construction.construction_year'),
  meuble: v.computed(isFurnished),
  exclusivite: v.computed((record) => {
    const agreement = textOf(agreementAt(record)) ?? '';
    return AGREEMENTS.find(agreement) === undefined ? undefined : EXCLUSIVE_AGREEMENTS.has(agreement);
  }),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  neuf: v.computed((record) =>
    textOf(record['condition']) === NEW_CONDITION || textOf(record['subcategory']) === NEW_PROGRAMME ? true : undefined,
  ),
  depotGarantie: v.money('price.deposit'),
  honorairesEtatDesLieux: v.money('price.inventory'),
  mandatNum: v.text('agreement.reference'),
  mandatType: v.oneOf(AGREEMENTS, 'agreement.type'),
  coproLots: v.integer('residence.lots'),
  disponibilite: v.first(v.day('available_at'), v.day('delivered_at')),
  dateCreation: v.date('created_at'),
  dateModification: v.date('updated_at'),
  region: v.text('region.name'),
  ...legalFacts.fields('georisques', 'surfaceUtile', 'inondationP', 'inondationG', 'inondationZone', 'permisUrbanisme'),
  ...legalFacts.fields('permisLotir', 'droitPreemption', 'citationUrbanisme', 'affectationUrbanisme'),
  ...legalFacts.fields('revenuCadastral', 'categorieCadastrale', 'cedulaHabitabilite', 'numeroEnregistrement'),
  ...legalFacts.fields('bandeCouncilTax', 'regimePropriete'),
  ...comfort.fields('nbreWc', 'nbreParkings', 'parkingType', 'jardin', 'cave', 'cuisineEquipee', 'climatisation'),
  ...comfort.fields('cheminee', 'accessible', 'animaux'),
  surfaceTotale: v.area('area.total', v.unit(AREA_UNITS, 'area.unit', 'm2')),
  chauffageType: HEATING_TYPE,
  chauffageEnergie: HEAT_SOURCE,
  etat: lookedUpInOneLine(CONDITIONS, 'condition'),
  exposition: lookedUpInOneLine(ORIENTATIONS, 'orientations'),
  vue: v.first(lookedUpInOneLine(VIEWS, 'view.type'), inWords('view.landscape')),
  loue: v.computed(isTenanted, 'availability', 'price.tenant'),
  caracteristiques: FEATURES,
  disponibiliteTexte: AVAILABILITY,
  programmeNom: v.when(isProgramme, v.text('name')),
  programmeId: v.first(v.text('parent'), v.when(isProgramme, v.text('id'))),
  ...v.absent('not in the API', 'honorairesBareme'),
  ...v.absent('price.net_seller is private', 'prixHorsHonoraires'),
  ...v.absent('regulations 14 to 16 have no published words', 'coproProcedure'),
};

/** Catalog `property_condition`: new. */
const NEW_CONDITION = '8';
/** Catalog `property_subcategory`. */
const NEW_PROGRAMME = '41';
const FURNISHED = '22';
const UNFURNISHED = '21';
const isFurnishedByService = details.field('isFurnished');

function isFurnished(record: JsonRecord, context: RecordContext): boolean | undefined {
  const subcategory = textOf(record['subcategory']);
  if (subcategory === FURNISHED) return true;
  if (subcategory === UNFURNISHED) return false;
  return isFurnishedByService.read(record, context);
}

/** Category 4 is a programme; its units name it as their `parent`. */
function isProgramme(record: JsonRecord): boolean {
  return textOf(record['category']) === '4';
}

function isPlot(record: JsonRecord): boolean {
  return textOf(record['type']) === '3';
}

function addressOf(record: JsonRecord): string | undefined {
  if (!showsAddress(record)) return undefined;
  const lines = [textOf(record['address']), textOf(record['address_more'])].filter((line) => line !== undefined);
  return plainLine(lines.join(', '));
}

/** A `comment_full` of at most two characters is treated as empty: it may be a stray quotation mark. */
const LONGEST_STUB = 2;

type Comment = Readonly<Record<string, unknown>>;

function textsIn(record: JsonRecord, context: RecordContext): Texts {
  const comments = listOf(record['comments']).filter((one): one is Comment => typeof one === 'object' && one !== null);
  const pairs = (read: (comment: Comment) => string | undefined): [string, string | undefined][] =>
    comments.map((comment) => [textOf(comment['language']) ?? '', read(comment)]);
  return inLanguages(
    textsOf(pairs((comment) => textOf(comment['title']))),
    textsOf(pairs(descriptionOf)),
    languagesOf(context.settings),
  );
}

function descriptionOf(comment: Comment): string | undefined {
  const full = textOf(comment['comment_full']) ?? '';
  const isStub = full.length <= LONGEST_STUB || plainText(full) === undefined;
  return isStub ? textOf(comment['comment']) : full;
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: titleWordOf(textOf(record['type']), textOf(record['subtype'])),
    pieces: toRooms(scalarOf(record['rooms'])),
    chambres: toRooms(scalarOf(record['bedrooms'])),
    ville: plainLine(textOf(cityAt(record))),
  };
}

function picturesOf(record: JsonRecord, context: RecordContext): PhotoSource[] {
  const languages = languagesOf(context.settings);
  return listOf(record['pictures'])
    .filter(isForTheInternet)
    .map((picture, index) => {
      if (typeof picture === 'string') return { value: picture, rank: index + 1, legende: undefined };
      const {
        url,
        rank,
        comments,
        width_max: largeur,
        height_max: hauteur,
      } = (picture ?? {}) as Readonly<Record<string, unknown>>;
      return {
        value: url,
        rank: toNumber(scalarOf(rank)) ?? index + 1,
        legende: captionOf(comments, languages),
        ...{ largeur, hauteur },
      };
    })
    .sort((a, b) => a.rank - b.rank);
}

function captionOf(comments: unknown, languages: readonly string[]): string | undefined {
  const captions = listOf(comments).flatMap((comment) => {
    const { language, comment: text } = (comment ?? {}) as Readonly<Record<string, unknown>>;
    const caption = textOf(text);
    return caption === undefined ? [] : [{ language: textOf(language)?.toLowerCase(), caption }];
  });
  const wanted = languages
    .map((language) => captions.find((one) => one.language === language))
    .find((one) => one !== undefined);
  return (wanted ?? captions[0])?.caption;
}

function statutOf(record: JsonRecord, context: RecordContext): Statut | undefined {
  const status = textOf(record['status']) ?? '';
  if (SOLD_STATUSES.has(status)) return soldOrLet(prices.field('typeTransaction').read(record, context));
  return UNDER_OFFER[status];
}
