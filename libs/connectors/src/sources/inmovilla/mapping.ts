import { offerId, offerOf } from '../../formats/several-offers';
import type { XmlRecord } from '../../formats/xml-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toInteger } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord, saysNothing, toFlag } from '../../kit/clean/fold-word';
import { features as listed, inOneLine, inWords, links, periodic, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { once, together } from '../../kit/together';
import { scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp, readCurrency } from '../../kit/word-table';
import { energyOf } from './energy';
import { featuresOf } from './features';
import { LANGUAGES, MOST_LANGUAGES, PERIODS, type PropertyType, STATES, TYPES } from './lookups';
import { filmOf, photosOf, plansOf, tourOf } from './media';
import { prices, statutOf } from './offer';

const texts = together<XmlRecord, ListingTexts>((record, context) =>
  inLanguages(
    textsOf(numbered(record, 'titulo', context)),
    textsOf(numbered(record, 'descrip', context)),
    languagesOf(context.settings, 'es'),
  ),
);
/** The format does not name the country. */
const NOWHERE = v.computed<XmlRecord, string>(() => undefined);
const where = place<XmlRecord>({ country: NOWHERE, postcode: v.word('cp'), usual: 'ES' });
const energy = energyOf((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
}));
const usableArea = once(v.firstOf(v.area, 'm_uties', 'm_utiles'));
const builtArea = once(v.area('m_cons'));
const conservation = once(inWords('conservacion'));
const isPlot = (record: XmlRecord): boolean => typeOf(record)?.code === 'terrain';

/** Paths start at `propiedad`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'the certificate is two letters, two values, a number and the day of its end': ['certificateDetails'],
    'the income of the agency is private': ['fees'],
    'a rent is one amount': ['rentParts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'the parcel has a number, and neither a category nor an income': ['registrations'],
    'the agent has a name and contact details': ['licences'],
    'the agent has a telephone, the agency has none': ['contact'],
    'a promotion has only a number': ['project'],
    'aseos counts toilets, with or without a shower': ['bathrooms'],
    'heating is a kind, without the fuel': ['heating'],
    'nothing says that it is let, or what it yields': ['investment'],
  }),
  affId: v.computed((record, context) => offerId(OWN_ID.read(record, context), offerOf(record)), 'id'),
  affNum: v.text('ref'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource', 'prixAncien'),
  typeTransactionSource: v.text('accion'),
  typeCode: v.computed((record, context) => {
    const word = plainLine(textOf(record['tipo_ofer']));
    return word === undefined ? undefined : (lookUp(TYPES, word, 'tipo_ofer', context)?.code ?? 'autre');
  }),
  typeCodeSource: v.text('tipo_ofer'),
  prixCurrency: v.computed((_record, context) => readCurrency(undefined, '', context)),
  statut: v.computed(statutOf),
  sousOffre: v.oneOf(STATES, 'estadoficha'),
  // The living area of a building is its usable area. The only area of a plot is its land area.
  surfaceHabitable: v.unless(isPlot, v.first(usableArea, builtArea)),
  surfaceUtile: v.unless(isPlot, usableArea),
  surfaceTotale: v.unless(isPlot, builtArea),
  surfaceTerrain: v.first(v.area('m_parcela'), v.when(isPlot, builtArea)),
  nbreChambres: v.computed(bedroomsOf, 'habdobles', 'habitaciones'),
  nbreSallesDeBain: v.rooms('banyos'),
  nbreWc: v.integer('aseos'),
  ville: v.text('ciudad'),
  quartier: v.text('zona'),
  region: v.text('provincia'),
  ...where,
  // The format calls the longitude `altitud`.
  ...position('latitud', 'altitud'),
  photos: v.photos('foto1', photosOf),
  plans: links(plansOf, 'foto1'),
  agenceNom: v.first(v.text('agencia'), v.setting('agence-nom')),
  negoNom: v.text('agente'),
  negoEmail: v.email('email_agente', 'emailagencia'),
  negoTel: v.computed(telephoneOf, 'tlf_agente'),
  // 0 is the default of the form, so it is ignored. The ground floor is a property type, "Planta baja".
  etage: v.unless((record: XmlRecord) => toInteger(scalarOf(record['planta'])) === 0, v.floor('planta')),
  nbreEtages: v.integer('numplanta'),
  anneeConstruction: v.year('antiguedad'),
  etat: conservation,
  neuf: v.computed((record, context) =>
    NEW.test(foldWord(conservation.read(record, context) ?? '')) ? true : undefined,
  ),
  exposition: inWords('orientacion'),
  vue: yesInWords({ vistasalmar: 'Vistas al mar', vistasdespejadas: 'Vistas despejadas' }),
  exclusivite: v.flag('exclu'),
  // An unticked box of the form means unknown, not no.
  meuble: v.anyOf('muebles'),
  balcon: v.anyOf('balcon'),
  terrasse: v.anyOf('terraza', 'm_terraza', 'terrazaacris'),
  jardin: v.anyOf('jardin'),
  cave: v.anyOf('sotano'),
  cheminee: v.anyOf('chimenea'),
  ascenseur: v.anyOf('ascensor'),
  // A shared pool is in `caracteristiques` instead.
  piscine: v.anyOf('piscina_prop'),
  climatisation: v.anyOf('aire_con', 'airecentral'),
  cuisineEquipee: v.anyOf('electro'),
  accessible: v.anyOf('adaptadominus'),
  parking: v.computed(hasParking, 'plaza_gara', 'nplazasparking', 'garajedoble', 'parking'),
  nbreParkings: v.integer('nplazasparking'),
  parkingType: v.computed(parkingTypeOf, 'parking'),
  chauffageType: v.computed(heatingOf, 'calefaccion', 'calefacentral'),
  taxeFonciere: v.money('ibi'),
  fraisCommunaute: periodic(v.money('gastos_com'), v.unit(PERIODS, 'tgascom')),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  visiteVirtuelle: v.computed(tourOf, 'videos', 'tour'),
  video: v.computed(filmOf, 'videos'),
  caracteristiques: listed<XmlRecord>(featuresOf, 'ascensor'),
  dateCreation: v.date('fecha'),
  dateModification: v.first(v.date('fechaact'), v.date('fechamod')),
  ...v.absent('the record is of the CRM, not of a page', 'url'),
  ...v.absent('the format does not say whether the address may be known', 'adresse'),
  ...v.absent('bedrooms are counted, and nothing else', 'nbrePieces'),
  ...v.absent('the income of the agency is private', 'commission'),
  ...v.absent(
    'not in the format',
    'honorairesEtatDesLieux',
    'honorairesBareme',
    'prixHorsHonoraires',
    'numeroEnregistrement',
    'regimePropriete',
  ),
};

const OWN_ID = v.identifier('id');
const NEW = /^(?:obra nueva|a estrenar|nuevo|nueva)\b/;

/** `titulo1`, `descrip2`: the number is the language. A text in an unknown language is omitted, with a warning. */
function* numbered(record: XmlRecord, name: string, context: RecordContext): Generator<readonly [string, string]> {
  for (let number = 1; number <= MOST_LANGUAGES; number += 1) {
    const text = textOf(record[`${name}${number}`]);
    if (text === undefined) continue;
    const language = LANGUAGES[number];
    if (language === undefined) context.warn('unknown_word', `${name}${number}`, '');
    // In this format a tilde is a line break, and often the last character of a text.
    else yield [language, text.replaceAll('~', '\n')];
  }
}

function titleParts(record: XmlRecord): TitleParts {
  return {
    type: typeOf(record)?.title ?? plainLine(textOf(record['tipo_ofer'])),
    chambres: countBedrooms(record),
    ville: plainLine(textOf(record['ciudad'])),
  };
}

function typeOf(record: XmlRecord): PropertyType | undefined {
  return TYPES.find(plainLine(textOf(record['tipo_ofer'])) ?? '');
}

const [DOUBLES, SINGLES, ALL_ROOMS] = [v.rooms('habdobles'), v.rooms('habitaciones'), v.rooms('total_hab')];

/** Double and single bedrooms are counted separately. */
function bedroomsOf(record: XmlRecord, context: RecordContext): number | undefined {
  const total = ALL_ROOMS.read(record, context);
  if (total !== undefined) return total;
  const count = (DOUBLES.read(record, context) ?? 0) + (SINGLES.read(record, context) ?? 0);
  return count > 0 ? count : undefined;
}

function countBedrooms(record: XmlRecord): number | undefined {
  return bedroomsOf(record, { crm: '', settings: {}, feed: {}, warn: () => undefined });
}

function telephoneOf(record: XmlRecord): string | undefined {
  const number = plainLine(textOf(record['tlf_agente']));
  if (number === undefined || !/[1-9]/.test(number)) return undefined;
  const prefix = textOf(record['prefijo_tlf_agente'])?.replace(/\D/g, '').replace(/^0+/, '') ?? '';
  return prefix === '' || number.startsWith('+') ? number : `+${prefix} ${number}`;
}

/** `parking` is 0 for no space, 1 for an optional space, 2 for a space that the price includes. */
function hasParking(record: XmlRecord): true | undefined {
  const isIncluded = toInteger(scalarOf(record['parking'])) === 2;
  const places = ['plaza_gara', 'nplazasparking', 'garajedoble'].map((name) => toFlag(scalarOf(record[name])));
  return isIncluded || places.includes(true) ? true : undefined;
}

function parkingTypeOf(record: XmlRecord): string | undefined {
  const parking = toInteger(scalarOf(record['parking']));
  return parking === 1 ? 'Parking opcional' : parking === 2 ? 'Parking incluido' : undefined;
}

/** `calefaccion` is a kind in words, or a ticked box. */
function heatingOf(record: XmlRecord): string | undefined {
  const kind = plainLine(textOf(record['calefaccion']));
  const isKind = kind !== undefined && /\p{L}/u.test(kind) && toFlag(kind) === undefined && !saysNothing(kind);
  const isCentral = toFlag(scalarOf(record['calefacentral'])) === true;
  return inOneLine([...(isKind ? [kind] : []), ...(isCentral ? ['Calefacción central'] : [])]);
}
