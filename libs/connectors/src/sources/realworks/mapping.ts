import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { features, inOneLine, links, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { statutOf, showsAddress } from './display';
import { type DwellingType, FURNISHINGS, KINDS, OBJECT_TYPES } from './lookups';
import { documentsOf, photosOf, plansOf, videoOf } from './media';
import { type Offer, readOffer } from './offer';
import { saidAt, spoken, spokenAt, townOf, wordsAt } from './constants';
import { furtherOfferId } from '../../formats/several-offers';

const TYPE = 'object.type.objecttype';
const KIND_PATHS = ['algemeen.woonhuissoort', 'algemeen.appartementsoort', 'detail.overigOnroerendGoed.type'] as const;
const OUTSIDE = 'detail.buitenruimte';
const TRANSFER = 'financieel.overdracht';
const PARCEL = 'detail.kadaster.kadastergegevens';
const FACILITIES = 'algemeen.voorzieningenWonen';

const floorsAt = compilePath('detail.etages');
const townAt = compilePath('adres.plaats');
const roomsAt = compilePath('algemeen.aantalKamers');
const provinceAt = compilePath('adres.provincie');

const prices = together<JsonRecord, Offer>(readOffer);
const texts = together<JsonRecord, ListingTexts>((record, context) => {
  const { aanbiedingstekst, aanbiedingstekstEngels, eigenSiteTekst } = (record['teksten'] ?? {}) as JsonRecord;
  const descriptions = textsOf([
    ['nl', textOf(aanbiedingstekst) ?? eigenSiteTekst],
    ['en', aanbiedingstekstEngels],
  ]);
  return inLanguages(textsOf([]), descriptions, languagesOf(context.settings, 'nl'));
});
const postcodeAt = compilePath('adres.postcode');
/** A postcode `1234 AB` is one side of a street; its digits are a district, shown even if the address is hidden. */
const where = place<JsonRecord>({
  country: v.word('adres.land'),
  postcode: v.computed((record: JsonRecord, context) => {
    const postcode = textOf(postcodeAt(record));
    return showsAddress(record, context) ? postcode : postcode?.replace(/^\D*(\d{4})[\s-]*[a-z]\s*[a-z]\s*$/i, '$1');
  }, 'adres.postcode'),
  usual: 'NL',
});
const validUntil = v.day('algemeen.energiedatum');
/** Only the class is read: `energieindex` and `epc` are figures of older methods, and no label shows them. */
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    {
      field: 'algemeen.energieklasse',
      classe: wordsAt(record, 'algemeen.energieklasse')[0],
      valableJusque: validUntil.read(record, context),
    },
  ],
}));
const OWN_ID = v.identifier('id');
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const isLet = (record: JsonRecord, context: RecordContext): boolean =>
  prices.field('typeTransaction').read(record, context) === 'location';

/** Paths start at one element of `resultaten`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in an object of the API', {
    'the certificate has only a class': ['certificate'],
    'no costs of energy': ['certificateDetails'],
    'a Dutch agency is paid by its client': ['fees'],
    'specific to French law': ['rentControl', 'frenchLaw'],
    'a rent is one amount': ['rentParts'],
    'the community of owners has only its monthly fee': ['coOwnership'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'an employee is a number': ['licences'],
    'there is only the current price': ['priceDetails'],
    'the living area is measured by the Dutch standard, the others beside it are outside': ['otherAreas'],
    'the ground counts as a floor, and the format does not say whether from 0 or from 1': ['building'],
    'one area for balcony, terrace and veranda': ['amenities'],
    'not among the words that are public': ['comfort'],
  }),
  affId: v.computed((record, context) => furtherOfferId(OWN_ID.read(record, context), record), 'id'),
  affNum: v.text('diversen.diversen.objectcode'),
  intitule: v.builtTitle(titleParts, TYPE),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixMention', 'loyer', 'loyerPeriode', 'loyerSource'),
  typeTransactionSource: v.text(`${TRANSFER}.aanmeldingsreden`),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed(
    (record: JsonRecord, context) => {
      const words = [TYPE, ...KIND_PATHS].flatMap((path) => wordsAt(record, path));
      if (words.length === 0) return undefined;
      return (typeOf(record) ?? lookUp(OBJECT_TYPES, words[0], TYPE, context))?.code ?? 'autre';
    },
    TYPE,
    ...KIND_PATHS,
  ),
  typeCodeSource: v.computed(
    (record: JsonRecord) => {
      const words = [TYPE, ...KIND_PATHS, 'algemeen.woonhuistype'].flatMap((path) => wordsAt(record, path));
      return inOneLine(words.filter((word) => word !== 'EMPTY').map(spoken));
    },
    TYPE,
    ...KIND_PATHS,
    'algemeen.woonhuistype',
  ),
  prixCurrency: v.currency('devise', 'EUR'),
  surfaceHabitable: v.unless(isPlot, v.area('algemeen.woonoppervlakte')),
  surfaceTerrain: v.firstOf(v.area, 'algemeen.totaleKadestraleOppervlakte', 'algemeen.bouwgrondoppervlakte'),
  nbrePieces: v.rooms('algemeen.aantalKamers'),
  nbreChambres: v.computed(
    (record: JsonRecord) => sumOverFloors(record, ({ aantalSlaapkamers }) => toRooms(scalarOf(aantalSlaapkamers))),
    'detail.etages.aantalSlaapkamers',
  ),
  nbreSallesDeBain: v.computed(
    (record: JsonRecord) => sumOverFloors(record, ({ badkamers }) => listOf(badkamers).filter(isObject).length),
    'detail.etages.badkamers',
  ),
  ville: v.computed((record: JsonRecord) => plainLine(townOf(textOf(townAt(record)))), 'adres.plaats'),
  ...where,
  adresse: v.when(
    showsAddress,
    v.joined('adres.straat', 'adres.huisnummer.hoofdnummer', 'adres.huisnummer.toevoeging'),
  ),
  region: v.computed(
    (record: JsonRecord) => plainLine(townOf(textOf(provinceAt(record))?.replaceAll('_', '-'))),
    'adres.provincie',
  ),
  photos: v.photos('media', photosOf),
  agenceNom: v.setting('agence-nom'),
  ...energy.fields('energie', 'dpeClasse'),
  anneeConstruction: v.year('algemeen.bouwjaar'),
  neuf: saidAt('algemeen.bouwvorm', /^NIEUWBOUW$/i),
  etat: spokenAt('algemeen.onderhoudswaarderingBinnen'),
  chauffageType: spokenAt('algemeen.verwarmingsoorten'),
  chauffageEnergie: spokenAt('algemeen.cvKetelBrandstof'),
  ascenseur: saidAt(FACILITIES, /^LIFT$/i),
  piscine: saidAt(FACILITIES, /^ZWEMBAD$/i),
  cheminee: saidAt('algemeen.verwarmingsoorten', /^OPEN_HAARD$/i),
  cave: saidAt('detail.etages.etagesoort', /^KELDER$/i),
  accessible: saidAt('algemeen.bijzonderheden', /MINDER_?VALIDE|ROLSTOEL/i),
  climatisation: saidAt(FACILITIES, /^AIRCONDITIONING$/i),
  cuisineEquipee: v.computed(
    (record: JsonRecord) =>
      listOf(floorsAt(record)).some((floor) =>
        wordsAt(floor as JsonRecord, 'etagegegevens.keukentypes').includes('INBOUWAPPARATUUR'),
      ) || undefined,
    'detail.etages.etagegegevens.keukentypes',
  ),
  jardin: saidAt(`${OUTSIDE}.tuintypes`, /^(?!GEEN)/i),
  parking: v.first(
    saidAt(`${OUTSIDE}.garagesoorten`, /^(?!GEEN|.*MOGELIJK)/i),
    saidAt(`${OUTSIDE}.parkeerfaciliteiten`, /EIGEN_TERREIN|PARKEERGARAGE|AFGESLOTEN/i),
  ),
  parkingType: spokenAt(`${OUTSIDE}.garagesoorten`, `${OUTSIDE}.parkeerfaciliteiten`),
  nbreParkings: v.integer(`${OUTSIDE}.parkeercapaciteit`),
  vue: v.computed(
    (record: JsonRecord) =>
      inOneLine(wordsAt(record, 'algemeen.liggingen').flatMap((one) => (/UITZICHT/i.test(one) ? spoken(one) : []))),
    'algemeen.liggingen',
  ),
  caracteristiques: features(
    (record: JsonRecord) =>
      [FACILITIES, 'algemeen.liggingen', 'algemeen.bijzonderheden', 'algemeen.isolatievormen'].flatMap((path) =>
        wordsAt(record, path).map(spoken),
      ),
    FACILITIES,
    'algemeen.liggingen',
    'algemeen.bijzonderheden',
    'algemeen.isolatievormen',
  ),
  meuble: v.computed((record: JsonRecord, context) => {
    const known = wordsAt(record, `${TRANSFER}.huurspecificaties`).flatMap(
      (word) => lookUp(FURNISHINGS, word, `${TRANSFER}.huurspecificaties`, context) ?? [],
    );
    return known.length === 0 ? undefined : known.includes(true);
  }, `${TRANSFER}.huurspecificaties`),
  charges: v.when(isLet, v.money(`${TRANSFER}.servicekosten`)),
  depotGarantie: v.when(isLet, v.money(`${TRANSFER}.huurwaarborgsom`)),
  fraisCommunaute: periodic(v.money(`${TRANSFER}.appartementVveBijdrage`), 'mois'),
  regimePropriete: spokenAt(`${PARCEL}.eigendomssoort`),
  redevanceFonciere: periodic(v.money(`${PARCEL}.erfpachtPerJaar`), 'an'),
  disponibilite: v.day(`${TRANSFER}.aanvaardingsdatum`),
  disponibiliteTexte: spokenAt(`${TRANSFER}.aanvaarding`),
  plans: links(plansOf, 'media'),
  documents: links(documentsOf, 'media'),
  video: v.computed(videoOf, 'media'),
  dateCreation: v.date('diversen.diversen.invoerdatum'),
  dateModification: v.date('tijdstipLaatsteWijziging'),
  ...v.absent(
    'not in an object of the API',
    'url',
    'quartier',
    'latitude',
    'longitude',
    'negoEmail',
    'numeroEnregistrement',
    'commission',
  ),
  ...v.absent('its floors are those of the dwelling, not of the building', 'nbreEtages'),
  ...v.absent('the feed names toilets only as words in a list of rooms, without a count', 'nbreWc'),
  ...v.absent('no field for when the certificate was made', 'dpeDate', 'dpeVersion'),
  ...v.absent('specific to French law', 'surfaceCarrez'),
};

function typeOf(record: JsonRecord): DwellingType | undefined {
  for (const path of KIND_PATHS) {
    const [word] = wordsAt(record, path);
    const known = word === undefined ? undefined : KINDS.find(word);
    if (known !== undefined) return known;
  }
  return OBJECT_TYPES.find(wordsAt(record, TYPE)[0] ?? '');
}

/** The sum over the floors that have a count; undefined if no floor has a count. */
function sumOverFloors(record: JsonRecord, count: (floor: JsonRecord) => number | undefined): number | undefined {
  const counts = listOf(floorsAt(record))
    .filter(isObject)
    .flatMap((floor) => count(floor) ?? []);
  const sum = counts.reduce((total, one) => total + one, 0);
  return sum > 0 ? sum : undefined;
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null;
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    pieces: toRooms(scalarOf(roomsAt(record))),
    ville: plainLine(townOf(textOf(townAt(record)))),
  };
}
