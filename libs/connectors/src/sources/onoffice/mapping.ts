import { isRental } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toCents, toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { features, inWords, links, namesOfYes, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, positionOf, readCoordinates } from '../../kit/place';
import { readPrice } from '../../kit/price';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { isOnRequest, statutOf, showsAddress, showsOtherAddress } from './display';
import { energyOf } from './energy';
import { addressOf, filesOf, objectOf, photosOf } from './files';
import { labelled } from './labels';
import { mainLanguageOf } from './languages';
import { KINDS, type PropertyType, TYPES } from './lookups';
import { type Offer, readOffer, STYLE } from './offer';
import { PARKING } from './parking';
import { hasCellar, hasLift, isFurnished } from './yes-or-no';
import { standing } from '../../kit/status';

const MONTHS = 12;
const at = {
  type: compilePath('elements.objektart'),
  kind: compilePath('elements.objekttyp'),
  rooms: compilePath('elements.anzahl_zimmer'),
  bedrooms: compilePath('elements.anzahl_schlafzimmer'),
  town: compilePath('elements.ort'),
  houseMoney: compilePath('elements.hausgeld'),
  elements: compilePath('elements'),
};
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const area = (name: string): v.Verb<JsonRecord, number> => v.area(`elements.${name}`, 'm2', STYLE);

const prices = together<JsonRecord, Offer>(readOffer);
const texts = together<JsonRecord, ListingTexts>(textsIn);
const where = place<JsonRecord>({ country: v.word('elements.land'), postcode: v.word('elements.plz'), usual: 'DE' });
const energy = energyOf(where);
const transaction = prices.field('typeTransaction');

/** Paths start at one element of `estates`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('no field of the public descriptions has it', {
    'specific to French law': ['lifeAnnuity', 'rentControl', 'frenchLaw', 'otherAreas'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'an address has a name and contact details': ['licences'],
    'units are estates of the list; their project needs another request': ['project'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('elements.objektnr_extern'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  // prettier-ignore
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixMetreCarre', 'loyer', 'loyerHorsCharges', 'loyerChargesComprises',
    'charges', 'chargesChauffage', 'honoraires', 'honorairesUnite', 'honorairesCharge', 'commission'),
  typeTransactionSource: v.text('elements.vermarktungsart'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const word = textOf(at.type(record));
    const known = lookUp(TYPES, word, 'elements.objektart', context);
    return (typeOf(record) ?? known)?.code ?? (word === undefined ? undefined : 'autre');
  }, 'elements.objektart'),
  typeCodeSource: v.joined('elements.objektart', 'elements.objekttyp'),
  prixCurrency: v.currency('elements.waehrung', 'EUR'),
  surfaceHabitable: v.unless(
    isPlot,
    v.first(
      ...['wohnflaeche', 'nutzflaeche', 'gesamtflaeche', 'bueroflaeche'].map(area),
      ...['ladenflaeche', 'verkaufsflaeche', 'lagerflaeche'].map(area),
    ),
  ),
  nbrePieces: v.rooms('elements.anzahl_zimmer'),
  nbreChambres: v.rooms('elements.anzahl_schlafzimmer'),
  ville: v.text('elements.ort'),
  ...where,
  adresse: v.first(
    v.when(showsOtherAddress, v.joined('elements.virtualStreet', 'elements.virtualHouseNumber')),
    v.when(showsAddress, v.joined('elements.strasse', 'elements.hausnummer')),
  ),
  quartier: v.text('elements.regionaler_zusatz'),
  ...positionOf<JsonRecord>((record, context) => {
    const names = showsOtherAddress(record)
      ? (['virtualLatitude', 'virtualLongitude'] as const)
      : (['breitengrad', 'laengengrad'] as const);
    if (!showsOtherAddress(record) && !showsAddress(record)) return undefined;
    const [latitude, longitude] = names.map((name) => scalarOf(compilePath(`elements.${name}`)(record)));
    return readCoordinates(latitude, longitude, `elements.${names[0]}`, context);
  }),
  photos: v.photos('pictures', photosOf),
  agenceNom: v.first(v.text('contact.Zusatz1'), v.setting('agence-nom')),
  negoNom: v.joined('contact.Vorname', 'contact.Name'),
  negoEmail: v.email('contact.Email'),
  negoTel: v.text('contact.Telefon1'),
  surfaceTerrain: v.first(area('grundstuecksflaeche'), v.when(isPlot, area('gesamtflaeche'))),
  nbreSallesDeBain: v.integer('elements.anzahl_badezimmer'),
  etage: v.floor('elements.etage'),
  nbreEtages: v.firstOf(v.integer, 'elements.etagen_zahl', 'elements.anzahl_etagen'),
  anneeConstruction: v.year('elements.baujahr'),
  ...energy.fields('energie', 'dpeClasse'),
  meuble: isFurnished,
  balcon: v.anyOf('elements.anzahl_balkone'),
  terrasse: v.anyOf('elements.anzahl_terrassen'),
  ...PARKING,
  ascenseur: hasLift,
  piscine: v.flag('elements.swimmingpool'),
  depotGarantie: v.money('elements.kaution', STYLE),
  // Hausgeld is monthly.
  coproCharges: v.computed((record: JsonRecord, context) => {
    const monthly = readPrice(at.houseMoney(record), 'elements.hausgeld', context, STYLE);
    return monthly === undefined ? undefined : toCents(monthly * MONTHS);
  }, 'elements.hausgeld'),
  visiteVirtuelle: v.computed((record: JsonRecord) => addressOf(record, 'Ogulo-Link'), 'pictures'),
  video: v.computed((record: JsonRecord) => addressOf(record, 'Film-Link'), 'pictures'),
  disponibilite: v.first(
    v.day('elements.abdatum'),
    v.when(
      (record: JsonRecord) => !/\p{L}/u.test(textOf(compilePath('elements.verfuegbar_ab')(record)) ?? ''),
      v.day('elements.verfuegbar_ab'),
    ),
  ),
  disponibiliteTexte: inWords('elements.verfuegbar_ab'),
  dateCreation: v.date('elements.erstellt_am'),
  dateModification: v.date('elements.geaendert_am'),
  region: v.text('elements.bundesland'),
  prixMention: v.unless(isOnRequest, v.text('elements.freitext_preis')),
  surfaceUtile: area('nutzflaeche'),
  surfaceTotale: v.unless(isPlot, area('gesamtflaeche')),
  surfaceBureaux: area('bueroflaeche'),
  nbreWc: v.integer('elements.anzahl_sep_wc'),
  chauffageType: labelled('heizungsart'),
  chauffageEnergie: labelled('befeuerung'),
  etat: labelled('zustand'),
  exposition: labelled('ausricht_balkon_terrasse'),
  vue: labelled('ausblick'),
  jardin: v.flag('elements.gartennutzung'),
  cave: hasCellar,
  climatisation: v.flag('elements.klimatisiert'),
  cuisineEquipee: v.computed(
    (record: JsonRecord) =>
      /(?:^|\W)(?:ebk|einbauk\S*)/i.test(textOf(compilePath('elements.kueche')(record)) ?? '') || undefined,
    'elements.kueche',
  ),
  cheminee: v.flag('elements.kamin'),
  accessible: v.firstOf(v.flag, 'elements.rollstuhlgerecht', 'elements.barrierefrei'),
  animaux: v.flag('elements.haustiere'),
  loue: v.unless(
    (record: JsonRecord, context) => isRental(transaction.read(record, context) ?? 'autre'),
    v.flag('elements.vermietet'),
  ),
  rendement: v.decimal('elements.nettorendite', STYLE),
  caracteristiques: features(
    namesOfYes({
      ...{ 'elements.sauna': 'Sauna', 'elements.wintergarten': 'Wintergarten', 'elements.gaestewc': 'Gäste-WC' },
      'elements.denkmalgeschuetzt': 'Denkmalgeschützt',
    }),
    'elements.sauna',
    'elements.wintergarten',
    'elements.gaestewc',
    'elements.denkmalgeschuetzt',
  ),
  plans: links(
    (record: JsonRecord) => filesOf(record, 'Grundriss').map(({ url, title }) => ({ value: url, titre: title })),
    'pictures',
  ),
  regimePropriete: v.when(
    (record: JsonRecord) => /^erbpacht$/i.test(textOf(compilePath('elements.vermarktungsart')(record)) ?? ''),
    v.text('elements.vermarktungsart'),
  ),
  redevanceFonciere: v.unless(isOnRequest, periodic(v.money('elements.erbpacht', STYLE))),
  neuf: v.computed(
    (record: JsonRecord) =>
      /^(?:erstbezug|neubau|projektiert|rohbau)$/i.test(textOf(compilePath('elements.zustand')(record)) ?? '') ||
      undefined,
    'elements.zustand',
  ),
  ...v.absent(
    'no field of the public descriptions has it',
    'url',
    'loyerPeriode',
    'loyerSource',
    'numeroEnregistrement',
    'surfacePlage',
  ),
  ...v.absent('specific to French law', 'honorairesEtatDesLieux'),
  ...v.absent('`exclusive` is a label of the website, and no mandate', 'exclusivite'),
};

function typeOf(record: JsonRecord): PropertyType | undefined {
  const word = textOf(at.type(record)) ?? '';
  return KINDS.find(`${word} ${textOf(at.kind(record)) ?? ''}`) ?? TYPES.find(word);
}

/** The description consists of several fields, each with a version per language. */
const PROSE = ['objektbeschreibung', 'lage', 'ausstatt_beschr', 'sonstige_angaben'];

function textsIn(record: JsonRecord, context: RecordContext): ListingTexts {
  const main = mainLanguageOf(context.settings);
  const versions: [string, Readonly<Record<string, unknown>>][] = [[main, objectOf(at.elements(record))]];
  for (const one of listOf(record['translations'])) {
    const version = objectOf(one);
    versions.push([textOf(version['language']) ?? '', version]);
  }
  return inLanguages(
    textsOf(versions.map(([language, version]) => [language, version['objekttitel']] as const)),
    textsOf(versions.map(([language, version]) => [language, proseOf(version)] as const)),
    languagesOf(context.settings, main),
  );
}

function proseOf(version: Readonly<Record<string, unknown>>): string {
  return PROSE.map((name) => plainText(textOf(version[name])) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    pieces: toRooms(scalarOf(at.rooms(record))),
    chambres: toRooms(scalarOf(at.bedrooms(record))),
    ville: plainLine(textOf(at.town(record))),
  };
}
