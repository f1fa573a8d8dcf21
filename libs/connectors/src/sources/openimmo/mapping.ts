import { isRental } from '@passerelle/domain';
import { agencyKey, vendorText } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { languagesOf, type ListingTexts } from '../../kit/by-language';
import { toCents, toRooms } from '../../kit/clean/number';
import type { Coordinates } from '../../kit/clean/place';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { links, periodic, range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, positionOf, readCoordinates } from '../../kit/place';
import { readPrice } from '../../kit/price';
import { together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { readCurrency } from '../../kit/word-table';
import { type Attachments, readAttachments } from './attachments';
import { attributeOf, saysNo, trueAttributes } from './attributes';
import { type Condition, readCondition } from './condition';
import { energyOf, issued } from './energy';
import * as f from './features';
import { type Offer, readOffer } from './offer';
import { isPlot, objectKindOf, propertyTypeOf, typeCodeOf, typeCodeSourceOf } from './property-type';
import { pageOf, textsIn } from './texts';
import { standing } from '../../kit/status';
import { statutOf } from './display';
import { furtherOfferId } from '../../formats/several-offers';

const prices = together<XmlRecord, Offer>(readOffer);
const texts = together<XmlRecord, ListingTexts>(textsIn);
const attached = together<XmlRecord, { read: Attachments }>((record, context) => ({
  read: readAttachments(record, context, () => showsAddress(record, context)),
})).field('read');
const condition = together<XmlRecord, Condition>(readCondition);
const at = {
  currency: compilePath('preise.waehrung'),
  country: compilePath('geo.land'),
  point: compilePath('geo.geokoordinaten'),
  release: compilePath('verwaltung_objekt.objektadresse_freigeben'),
  language: compilePath('verwaltung_techn.sprache'),
  marketing: compilePath('objektkategorie.vermarktungsart'),
  furnished: compilePath('ausstattung.moebliert'),
  lift: compilePath('ausstattung.fahrstuhl'),
  parking: compilePath('ausstattung.stellplatzart'),
  houseMoney: compilePath('preise.hausgeld'),
  rooms: compilePath('flaechen.anzahl_zimmer'),
  bedrooms: compilePath('flaechen.anzahl_schlafzimmer'),
  town: compilePath('geo.ort'),
};
const ownId = v.firstOf(
  v.identifier,
  'verwaltung_techn.openimmo_obid',
  'verwaltung_techn.objektnr_extern',
  'verwaltung_techn.objektnr_intern',
);
const otherArea = v.firstOf(
  v.area,
  'flaechen.nutzflaeche',
  'flaechen.gesamtflaeche',
  'flaechen.bueroflaeche',
  'flaechen.verkaufsflaeche',
  'flaechen.ladenflaeche',
  'flaechen.lagerflaeche',
  'flaechen.gastroflaeche',
  'flaechen.vermietbare_flaeche',
);
const MONTHS = 12;

const where = place({ country: v.computed(countryWordOf, 'geo.land'), postcode: v.word('geo.plz') });
const energy = energyOf(where);

/** Paths start at `immobilie`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'a French fee': ['fees'],
    'a French kind of sale': ['lifeAnnuity'],
    'specific to French rent control': ['rentControl'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'the imprint of an agency is one text; position is a job': ['licences'],
    'objects of one group name no project, and do not count its units': ['project'],
    'the schema has one price, the current one': ['priceDetails'],
    'a French measure': ['otherAreas'],
    'anzahl_badezimmer counts all bathrooms': ['bathrooms'],
  }),
  affId: v.computed(affIdOf),
  affNum: v.firstOf(v.text, 'verwaltung_techn.objektnr_extern', 'verwaltung_techn.objektnr_intern'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  // prettier-ignore
  ...prices.fields('typeTransaction', 'typeTransactionSource', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource',
    'charges', 'honoraires', 'honorairesUnite', 'honorairesCharge', 'loyerHorsCharges', 'loyerChargesComprises', 'chargesChauffage',
    'prixMetreCarre', 'commission'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.computed(typeCodeSourceOf),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  prixCurrency: v.computed(currencyOf),
  // A plot has no living area: its other areas are land.
  surfaceHabitable: v.first(v.area('flaechen.wohnflaeche'), v.unless(isPlot, otherArea)),
  nbrePieces: v.rooms('flaechen.anzahl_zimmer'),
  nbreChambres: v.rooms('flaechen.anzahl_schlafzimmer'),
  ville: v.text('geo.ort'),
  ...where,
  adresse: v.when(showsAddress, v.joined('geo.strasse', 'geo.hausnummer')),
  quartier: v.text('geo.regionaler_zusatz'),
  ...positionOf(pointOf),
  url: v.first(v.computed(pageOf), v.computed(attachedOf('page'))),
  photos: v.photos('anhaenge.anhang', attachedIn('photos')),
  agenceNom: v.first(
    v.computed((_record: XmlRecord, context) => plainLine(vendorText(context, 'firma'))),
    v.text('kontaktperson.firma'),
    v.setting('agence-nom'),
  ),
  agenceTel: v.text('kontaktperson.tel_zentrale'),
  negoNom: v.joined('kontaktperson.vorname', 'kontaktperson.name'),
  negoEmail: v.email('kontaktperson.email_direkt', 'kontaktperson.email_zentrale'),
  // `tel_handy` and `tel_privat` are private.
  negoTel: v.text('kontaktperson.tel_durchw'),
  surfaceTerrain: v.first(v.area('flaechen.grundstuecksflaeche'), v.when(isPlot, v.area('flaechen.gesamtflaeche'))),
  nbreSallesDeBain: v.integer('flaechen.anzahl_badezimmer'),
  etage: v.floor('geo.etage'),
  nbreEtages: v.integer('geo.anzahl_etagen'),
  ...condition.fields('anneeConstruction', 'neuf'),
  ...energy.fields('energie', 'dpeClasse'),
  dpeDate: issued,
  meuble: v.computed(isFurnished),
  balcon: v.anyOf('flaechen.anzahl_balkone'),
  terrasse: v.anyOf('flaechen.anzahl_terrassen'),
  parking: v.first(
    v.anyOf('flaechen.anzahl_stellplaetze'),
    v.computed((record: XmlRecord) => trueAttributes(at.parking(record)).length > 0 || undefined),
  ),
  ascenseur: v.computed(hasLift),
  piscine: v.flag('ausstattung.swimmingpool'),
  depotGarantie: v.money('preise.kaution'),
  // Hausgeld is a monthly amount; the listing field is yearly.
  coproCharges: v.computed((record, context) => {
    const monthly = readPrice(at.houseMoney(record), 'preise.hausgeld', context);
    return monthly === undefined ? undefined : toCents(monthly * MONTHS);
  }),
  visiteVirtuelle: v.first(v.url('geo.virtuelletour'), v.computed(attachedOf('tour'))),
  video: v.computed(attachedOf('video')),
  disponibilite: v.firstOf(v.day, 'verwaltung_objekt.abdatum', 'verwaltung_objekt.verfuegbar_ab'),
  dateModification: v.date('verwaltung_techn.stand_vom'),
  region: v.text('geo.bundesland'),
  prixMention: v.text('preise.freitext_preis'),
  surfacePlage: range(v.area('flaechen.flaechevon'), v.area('flaechen.flaechebis')),
  surfaceUtile: v.area('flaechen.nutzflaeche'),
  surfaceTotale: v.unless(isPlot, v.area('flaechen.gesamtflaeche')),
  surfaceBureaux: v.area('flaechen.bueroflaeche'),
  nbreWc: v.integer('flaechen.anzahl_sep_wc'),
  nbreParkings: f.PARKING_SPACES,
  parkingType: f.PARKING_TYPE,
  chauffageType: f.HEATING_TYPE,
  chauffageEnergie: f.HEAT_SOURCE,
  etat: f.CONDITION,
  exposition: f.ORIENTATION,
  vue: f.VIEW,
  jardin: v.first(v.flag('ausstattung.gartennutzung'), v.anyOf('flaechen.gartenflaeche')),
  cave: f.CELLAR,
  climatisation: v.flag('ausstattung.klimatisiert'),
  cuisineEquipee: f.FITTED_KITCHEN,
  cheminee: v.flag('ausstattung.kamin'),
  accessible: v.firstOf(v.flag, 'ausstattung.rollstuhlgerecht', 'ausstattung.barrierefrei'),
  animaux: v.flag('verwaltung_objekt.haustiere'),
  loue: v.when(isForSale, v.flag('verwaltung_objekt.vermietet')),
  rendement: v.firstOf(v.decimal, 'preise.nettorendite', 'preise.nettorendite_ist'),
  caracteristiques: f.FEATURES,
  disponibiliteTexte: f.AVAILABILITY,
  plans: links(attachedIn('plans'), 'anhaenge.anhang'),
  documents: links(attachedIn('documents'), 'anhaenge.anhang'),
  programmeId: v.text('verwaltung_techn.gruppen_kennung'),
  negoCarte: v.text('kontaktperson.immobilientreuhaenderid'),
  regimePropriete: v.computed(tenureOf, 'objektkategorie.vermarktungsart.@ERBPACHT'),
  redevanceFonciere: periodic(v.money('preise.erbpacht')),
  ...v.absent('not in the format', 'honorairesBareme'),
  ...v.absent('the price of the format is without them', 'prixHorsHonoraires'),
  ...v.absent('specific to French rent control; the cold rent is loyerHorsCharges', 'loyerBase'),
  ...v.absent('a French notion', 'coproProcedure'),
  ...v.absent('the French certificate has versions', 'dpeVersion'),
  ...v.absent('the figures are in energie', 'dpeEnergieFinale'),
  ...v.absent('the schema has one price, the current one', 'prixPlage'),
  ...v.absent('only areas have a range: flaechevon and flaechebis', 'piecesPlage'),
  ...v.absent('hausgeld is by the month, and coproCharges', 'fraisCommunaute'),
  ...v.absent('the schema has no registration of short lets', 'numeroEnregistrement'),
};

type OfRecord<T> = (record: XmlRecord, context: RecordContext) => T;

function attachedIn<K extends 'photos' | 'plans' | 'documents'>(kind: K): OfRecord<Attachments[K]> {
  return (record, context) => attached.read(record, context)![kind];
}

function attachedOf(kind: 'video' | 'tour' | 'page'): OfRecord<string | undefined> {
  return (record, context) => attached.read(record, context)![kind];
}

/** The agency that a record belongs to; '' in transfers that name no agency. */
export function scopeOf(_record: XmlRecord, context: RecordContext): string {
  return agencyKey(vendorText(context, 'openimmo_anid')) ?? '';
}

/** `openimmo_obid` is constant and unique within an agency. One file may hold several agencies. */
function affIdOf(record: XmlRecord, context: RecordContext): string | undefined {
  const own = ownId.read(record, context);
  if (own === undefined) return undefined;
  const agency = scopeOf(record, context);
  return furtherOfferId(agency === '' ? own : `${agency}-${own}`, record);
}

/**
 * If one object comes in several languages, the record with the highest rank is kept. Undefined for a record without a
 * language.
 */
export function languageRank(record: XmlRecord, context: RecordContext): string | undefined {
  const language = textOf(at.language(record))?.slice(0, 2).toLowerCase();
  if (language === undefined) return undefined;
  const languages = languagesOf(context.settings);
  const place = languages.indexOf(language);
  return String(place === -1 ? 0 : languages.length - place);
}

function titleParts(record: XmlRecord): TitleParts {
  const kind = objectKindOf(record);
  return {
    type: propertyTypeOf(kind)?.title ?? kind?.name,
    pieces: toRooms(scalarOf(at.rooms(record))),
    chambres: toRooms(scalarOf(at.bedrooms(record))),
    ville: plainLine(textOf(at.town(record)) ?? ''),
  };
}

const transactionAt = prices.field('typeTransaction');

function isForSale(record: XmlRecord, context: RecordContext): boolean {
  const transaction = transactionAt.read(record, context);
  return transaction !== undefined && !isRental(transaction);
}

function tenureOf(record: XmlRecord): string | undefined {
  return trueAttributes(at.marketing(record)).find((word) => word === 'ERBPACHT');
}

function countryWordOf(record: XmlRecord): string | undefined {
  const land = at.country(record);
  return textOf(attributeOf(land, 'iso_land')) ?? textOf(land);
}

function currencyOf(record: XmlRecord, context: RecordContext): string | undefined {
  const element = at.currency(record);
  const word = textOf(attributeOf(element, 'iso_waehrung')) ?? textOf(element);
  return readCurrency(word, 'preise.waehrung', context);
}

/** An element without an attribute also means yes. Partly furnished means neither yes nor no. */
function isFurnished(record: XmlRecord): boolean | undefined {
  const element = at.furnished(record);
  if (element === undefined) return undefined;
  const word = textOf(attributeOf(element, 'moeb')) ?? textOf(element);
  if (word === undefined) return true;
  if (/^teil/i.test(word)) return undefined;
  return toFlag(word) ?? !/^(?:kein|keine|keine_angabe)$/i.test(word);
}

/** A goods lift does not count as a lift. */
function hasLift(record: XmlRecord): boolean | undefined {
  const element = at.lift(record);
  const forPeople = toFlag(scalarOf(attributeOf(element, 'PERSONEN')));
  return forPeople ?? (saysNo(element) ? false : toFlag(textOf(element)));
}

/**
 * The object decides whether its street and coordinates may be shown; if it does not say, the gateway's settings
 * decide.
 */
export function showsAddress(record: XmlRecord, context: RecordContext): boolean {
  return toFlag(scalarOf(at.release(record))) ?? toFlag(context.settings['publier-adresse']) === true;
}

function pointOf(record: XmlRecord, context: RecordContext): Coordinates | undefined {
  if (!showsAddress(record, context)) return undefined;
  const point = at.point(record);
  const [latitude, longitude] = [attributeOf(point, 'breitengrad'), attributeOf(point, 'laengengrad')];
  return readCoordinates(scalarOf(latitude), scalarOf(longitude), 'geo.geokoordinaten', context);
}
