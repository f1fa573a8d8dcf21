import { isRental, type TypeCode } from '@passerelle/domain';
import type { PolirisRow } from '../../formats/poliris-rows';
import { agencyNameFor } from '../../kit/agency-names';
import { inLanguages, languagesOf, textsOf } from '../../kit/by-language';
import { toMonthlyRent } from '../../kit/clean/money';
import { toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import { links, range, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { once, together } from '../../kit/together';
import { textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { readCurrency } from '../../kit/word-table';
import { FEATURES, FITTED_KITCHEN, HEAT_SOURCE, HEATING_TYPE } from './features';
import { CHARGES_TERMS, LANGUAGE_RANKS, TYPES } from './lookups';
import { type Offer, readOffer } from './offer';
import { photosOf, plansOf } from './pictures';

const prices = together<PolirisRow, Offer>(readOffer);
const texts = together<PolirisRow, Texts>(readTexts);

const where = place({ country: v.word('7'), postcode: v.word('5'), usual: 'FR' });
const yearlyCharges = v.money('203');
const monthlyCharges = v.computed((row: PolirisRow, context: RecordContext) => {
  const charges = yearlyCharges.read(row, context);
  return charges === undefined ? undefined : toMonthlyRent(charges, 'an');
}, '203');
const dpe = {
  ...{ primary: v.decimal('176'), emissions: v.decimal('178'), final: once(v.decimal('334')) },
  ...{ date: once(v.day('324')), version: v.text('325') },
  ...{ leastCost: once(v.money('326')), mostCost: once(v.money('327')) },
  // Rank 328 is a year up to version 4.09, a date in later versions.
  priceYear: once(
    v.first(
      v.computed((row: PolirisRow) => /^\s*((?:19|20)\d{2})\s*$/.exec(row[328] ?? '')?.[1]),
      v.day('328'),
    ),
  ),
};
const energy = certificate<PolirisRow>((row, context) => ({
  pays: where.pays.read(row, context),
  codePostal: where.codePostal.read(row, context),
  figures: [
    {
      ...{ field: '177', classe: row[177], valeur: dpe.primary.read(row, context) },
      ...{ date: dpe.date.read(row, context), methode: dpe.version.read(row, context) },
      ...{ coutMin: dpe.leastCost.read(row, context), coutMax: dpe.mostCost.read(row, context) },
      prixAnnee: dpe.priceYear.read(row, context),
    },
    { grandeur: 'emissions', field: '179', classe: row[179], valeur: dpe.emissions.read(row, context) },
    { grandeur: 'energie-finale', field: '334', valeur: dpe.final.read(row, context) },
  ],
}));

/** Numbers are the ranks of the SeLoger / Poliris specification, counted from 1. */
export const MAPPING: ListingMapping<PolirisRow> = {
  ...absentGroups('not in the format', {
    'specific to Belgian law': ['belgianLaw'],
    'charges are one amount: rank 23': ['rentParts'],
    'only whether it is exclusive: rank 83': ['mandate'],
    'the format is older than these duties of French law, and has no rank for them': ['frenchLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'the format names a contact, and says nothing of licences': ['licences'],
    'the format has one telephone number, that of the contact': ['contact'],
    'rank 323 names a model of house, not a project': ['project'],
    'the file has only current prices': ['priceDetails'],
    'ranks of areas are those of rooms, of the plot, and of one office': ['otherAreas'],
    'rank 28 is "refait à neuf", rank 162 "récent": neither is new': ['building'],
    'rank 241 is an amount in words, and no yield; no rank says that a tenant stays': ['investment'],
    'rank 17 is the plot, and none says what grows on it': ['comfort'],
  }),
  affId: v.computed(affIdOf),
  affNum: v.text('2'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  // prettier-ignore
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource', 'honoraires',
    'honorairesUnite', 'honorairesCharge', 'prixHorsHonoraires', 'bouquet', 'rente', 'loyerBase', 'loyerHorsCharges', 'loyerChargesComprises', 'prixMention', 'prixPlage'),
  typeTransactionSource: v.text('3'),
  typeCode: v.first(v.computed(typeOf, '4'), v.oneOf(TYPES, '4', 'autre')),
  typeCodeSource: v.text('4'),
  prixCurrency: v.computed((_row, context) => currencyOf(context)),
  // A plot has no living area: its rank 16 may hold the area of the plot.
  surfaceHabitable: v.unless(isPlot, v.area('16')),
  nbrePieces: v.rooms('18'),
  nbreChambres: v.rooms('19'),
  ville: v.text('6'),
  ...where,
  adresse: v.when((_row, context) => showsAddress(context), v.text('8')),
  quartier: v.text('9'),
  ...position('298', '299', (_row, context) => addressRelease(context)),
  photos: v.photos('85', photosOf),
  agenceNom: v.computed(agencyNameOf),
  negoNom: v.text('106'),
  negoEmail: v.email('107'),
  negoTel: v.text('105'),
  surfaceTerrain: v.first(v.area('17'), v.when(isPlot, v.area('16'))),
  nbreSallesDeBain: v.integer('29'),
  nbreSallesEau: v.integer('30'),
  etage: v.floor('24'),
  nbreEtages: v.integer('25'),
  anneeConstruction: v.year('27'),
  meuble: v.flag('26'),
  exclusivite: v.flag('83'),
  balcon: v.anyOf('39', '40'),
  terrasse: v.first(v.flag('48'), v.anyOf('244', '329')),
  // Rank 318 is the garage of a model of house.
  parking: v.anyOf('43', '44', '318'),
  ascenseur: v.flag('41'),
  piscine: v.flag('65'),
  charges: v.first(v.money('23'), v.when(isLet, monthlyCharges)),
  depotGarantie: v.money('161'),
  honorairesEtatDesLieux: v.money('306'),
  honorairesBareme: v.url('307'),
  chargesModalite: v.oneOf(CHARGES_TERMS, '304'),
  loyerComplement: v.money('305'),
  loyerReferenceMajore: v.money('332'),
  loyerEncadrement: v.flag('333'),
  mandatNum: v.text('112'),
  copropriete: v.flag('258'),
  coproLots: v.integer('259'),
  coproCharges: v.money('260'),
  coproProcedure: v.flag('261'),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  dpeDate: dpe.date,
  dpeVersion: dpe.version,
  dpeCoutMin: dpe.leastCost,
  dpeCoutMax: dpe.mostCost,
  dpeAnneeReference: dpe.priceYear,
  dpeEnergieFinale: dpe.final,
  visiteVirtuelle: v.url('104'),
  disponibilite: v.day('22'),
  disponibiliteTexte: v.text('182'),
  surfacePlage: v.first(range(v.area('310'), v.area('311')), range(v.area('214'), v.area('215'))),
  piecesPlage: range(v.rooms('312'), v.rooms('313')),
  nbreWc: v.integer('31'),
  nbreParkings: v.computed(placesOf, '43', '44'),
  parkingType: yesInWords({ 43: 'parking', 44: 'box' }),
  chauffageType: HEATING_TYPE,
  chauffageEnergie: HEAT_SOURCE,
  etat: yesInWords({ 28: 'refait à neuf', 162: 'récent', 163: 'travaux à prévoir' }),
  exposition: yesInWords({ 35: 'sud', 36: 'est', 37: 'ouest', 38: 'nord' }),
  vue: yesInWords({ 78: 'vue dégagée', 192: 'vis-à-vis' }),
  cave: v.first(v.flag('42'), v.anyOf('252')),
  climatisation: v.first(v.flag('64'), v.computed(isCooledByHeating, '33')),
  cuisineEquipee: FITTED_KITCHEN,
  cheminee: v.flag('68'),
  accessible: v.flag('66'),
  animaux: v.flag('67'),
  caracteristiques: FEATURES,
  plans: links(plansOf, '85'),
  ...v.absent('photos of all kinds are in one list, and no rank is a document', 'documents'),
  ...v.absent('not in the format', 'video', 'region', 'numeroEnregistrement', 'regimePropriete'),
  ...v.absent('rank 16 does not say which area it is', 'surfaceCarrez'),
  ...v.absent('not in the format: the file has only current data', 'dateModification'),
  ...v.absent(
    'not in the format: an export has what is for sale, and no page of its own',
    'url',
    'sousOffre',
    'statut',
  ),
  ...v.absent('rank 255 is the area of the largest office, not of all', 'surfaceBureaux'),
  ...v.absent('rank 204 is a rent per m² and year, not a price', 'prixMetreCarre'),
  ...v.absent('charges of a co-ownership are by the year: rank 260', 'fraisCommunaute'),
};

/** Rank 1 in capitals and without blanks around it, because exports write the same agency in several ways. */
export function agencyOf(row: PolirisRow): string | undefined {
  return textOf(row[1])?.toUpperCase();
}

/**
 * Rank 175 is unique within an agency and never changes; rank 2 is the displayed reference. One file may hold several
 * agencies.
 */
export function affIdOf(row: PolirisRow): string | undefined {
  const agency = agencyOf(row);
  const own = textOf(row[175]) ?? textOf(row[2]);
  if (own === undefined) return undefined;
  return agency === undefined ? own : `${agency}-${own}`;
}

/** The agency's name from the settings, because the format does not contain it. */
function agencyNameOf(row: PolirisRow, context: RecordContext): string | undefined {
  return agencyNameFor(agencyOf(row), context.settings);
}

/**
 * The format says that visitors never see the address and the position, so they are shown only if a setting allows it.
 */
export function showsAddress(context: RecordContext): boolean {
  return addressRelease(context) === true;
}

/** With the setting `quartier`, only the district is shown. */
function addressRelease(context: RecordContext): boolean | 'district' {
  const word = context.settings['publier-adresse'] ?? '';
  return foldWord(word) === 'quartier' ? 'district' : toFlag(word) === true;
}

type Texts = ReturnType<typeof inLanguages>;

/** Ranks 20 and 21 are in French. */
function readTexts(row: PolirisRow, context: RecordContext): Texts {
  const others = (field: 'title' | 'description'): [string, string | undefined][] =>
    LANGUAGE_RANKS.map((ranks) => [row[ranks.language] ?? '', row[ranks[field]]]);
  return inLanguages(
    textsOf([['fr', row[20]], ...others('title')]),
    textsOf([['fr', row[21]], ...others('description')]),
    languagesOf(context.settings),
  );
}

function titleParts(row: PolirisRow): TitleParts {
  const ville = plainLine(textOf(row[6]));
  return { type: plainLine(textOf(row[4])), pieces: toRooms(row[18]), chambres: toRooms(row[19]), ville };
}

/** The type for rank 4, else for its first word: exporters write `Appartement T3` and `Terrain à bâtir`. */
function typeOf(row: PolirisRow): TypeCode | undefined {
  const word = row[4] ?? '';
  return TYPES.find(word) ?? TYPES.find(word.trim().split(/[\s/,-]+/, 1)[0] ?? '');
}

function isLet(row: PolirisRow, context: RecordContext): boolean {
  const transaction = prices.field('typeTransaction').read(row, context);
  return transaction !== undefined && isRental(transaction);
}

function isPlot(row: PolirisRow): boolean {
  return typeOf(row) === 'terrain';
}

const spaces = v.integer('43');
const garages = v.integer('44');

/**
 * Some exports write a flag instead of a number of parking spaces. A flag does not say how many, so it is not counted.
 */
function placesOf(row: PolirisRow, context: RecordContext): number | undefined {
  const count = (spaces.read(row, context) ?? 0) + (garages.read(row, context) ?? 0);
  return count === 0 ? undefined : count;
}

/** "Climatisation réversible" heats and cools. */
function isCooledByHeating(row: PolirisRow, context: RecordContext): true | undefined {
  return HEATING_TYPE.read(row, context)?.startsWith('climatisation') ? true : undefined;
}

/** A line such as `Devise=Euro` in Config.txt applies to the whole file. */
function currencyOf(context: RecordContext): string | undefined {
  const config = context.feed['config'];
  const named = typeof config === 'string' ? /^[ \t]*devise[ \t]*=(.+)$/im.exec(config)?.[1]?.trim() : undefined;
  return readCurrency(named, 'Devise', context);
}
