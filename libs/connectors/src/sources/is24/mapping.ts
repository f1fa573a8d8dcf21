import type { Statut } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toFlag } from '../../kit/clean/fold-word';
import { toCents } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { features as listed, inOneLine, links, range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place } from '../../kit/place';
import { readPrice } from '../../kit/price';
import { together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import {
  above,
  allowed,
  DEPOSIT,
  feesOf,
  featuresOf,
  fuelsOf,
  hasParking,
  isNew,
  parkingTypeOf,
  said,
} from './details';
import { energyOf } from './energy';
import { elementOf } from './format';
import { ACTIONS, STATES } from './lookups';
import { addressOf, linksOf, photosOf } from './media';
import { type Offer, readOffer } from './offer';
import { isPlot, propertyTypeOf, typeCodeOf, typeCodeSourceOf } from './property-type';
import { keepsSold } from '../../kit/status';

const MONTHS = 12;
/** The upper limit of the smallest part that is let or sold separately: the format has none. */
const NONE: v.Verb<XmlRecord, number> = { verb: 'none', paths: [], read: () => undefined };
const houseMoneyAt = compilePath('Kaufpreise.@Wohngeld');
const offers = together<XmlRecord, Offer>(readOffer);
const fees = together<XmlRecord, ReturnType<typeof feesOf>>((record, context) =>
  feesOf(record, offers.field('typeTransaction').read(record, context)),
);
const PARTS = ['Objektbeschreibung', 'Haustypinfo', 'Baureihe', 'Lage', 'Ausstattung', 'SonstigeAngaben'];
/** The format has one language and does not name it, so it is the language of the setting, else German. */
const texts = together<XmlRecord, ListingTexts>((record, context) => {
  const language = plainLine(context.settings['langue']) ?? 'de';
  const description = PARTS.flatMap((part) => plainText(textOf(record[part]) ?? '') ?? []).join('\n\n');
  return inLanguages(
    textsOf([[language, record['@Ueberschrift']]]),
    textsOf([[language, description]]),
    languagesOf(context.settings, 'de'),
  );
});
const where = place<XmlRecord>({
  country: v.word('Adresse.@Laenderkennzeichen'),
  postcode: v.word('Adresse.@Postleitzahl'),
  usual: 'DE',
});
const energy = energyOf(where);
/** For a room in a shared flat, the rooms and Gesamtflaeche describe the flat. */
const isSharedRoom = (record: XmlRecord): boolean => elementOf(record) === 'WGZimmer';
const isPlotOrRoom = (record: XmlRecord): boolean => isPlot(record) || isSharedRoom(record);
const mainArea = v.firstOf(
  v.area,
  ...['@Wohnflaeche', '@Zimmerflaeche', '@BueroPraxisFlaeche', '@Verkaufsflaeche', '@GastraumFlaeche', '@Hauptflaeche'],
  ...['@LagerProduktionsFlaeche', '@VermietbareFlaeche', '@Flaeche', '@Gesamtflaeche'],
);

/** Paths start at the element of a property. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'the certificate is one figure, without a class or a date': ['certificate', 'certificateDetails'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'the contact has a name and contact details': ['licences'],
    'Kontaktperson is a person': ['contact'],
    'properties of one group name no project, and do not count its units': ['project'],
    'the price is one number, the current price': ['priceDetails'],
    'AnzahlBadezimmer counts all bathrooms': ['bathrooms'],
    'BalkonTerrasse is one of the two: it is in caracteristiques': ['amenities'],
    'the schema has a multiple of the rents, no yield': ['investment'],
  }),
  affId: v.identifier('@AnbieterObjektID'),
  affNum: v.text('@AnbieterObjektID'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue'),
  // prettier-ignore
  ...offers.fields('typeTransaction', 'typeTransactionSource', 'prix', 'prixSurDemande', 'prixPlage', 'prixMetreCarre', 'loyer',
    'loyerPeriode', 'loyerSource', 'charges', 'loyerHorsCharges', 'loyerChargesComprises', 'chargesChauffage',
    'regimePropriete', 'bailAnnees'),
  prixCurrency: v.currency('@Waehrung', 'EUR'),
  ...fees.fields('honoraires', 'honorairesUnite', 'honorairesCharge', 'commission'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.computed(typeCodeSourceOf),
  surfaceHabitable: v.unless(isPlot, above(1, mainArea)),
  surfaceTerrain: v.first(v.area('@GrundstuecksFlaeche'), v.when(isPlot, v.area('@Gesamtflaeche'))),
  surfaceUtile: v.area('@Nutzflaeche'),
  surfaceTotale: v.unless(isPlotOrRoom, v.area('@Gesamtflaeche')),
  surfaceBureaux: v.area('@BueroPraxisFlaeche'),
  surfacePlage: v.unless(isPlot, range(v.area('@TeilbarAb'), NONE)),
  nbrePieces: v.unless(isSharedRoom, above(0.5, v.firstOf(v.rooms, '@Zimmer', '@Zimmeranzahl'))),
  nbreChambres: v.rooms('@AnzahlSchlafzimmer'),
  nbreSallesDeBain: v.integer('@AnzahlBadezimmer'),
  etage: v.floor('@Etage'),
  nbreEtages: v.integer('@Etagenzahl'),
  ville: v.text('Adresse.@Ort'),
  region: v.first(said('Adresse.@InternationaleRegion'), said('ManuelleGeoCodierung.@TermsRegion')),
  quartier: v.text('ManuelleGeoCodierung.@TermsStadtTeil'),
  adresse: v.when(showsAddress, v.joined('Adresse.@Strasse', 'Adresse.@Hausnummer')),
  ...where,
  photos: v.photos('MultimediaAnhang', photosOf),
  plans: links((record: XmlRecord) => linksOf(record, 'plan'), 'MultimediaAnhang'),
  documents: links((record: XmlRecord) => linksOf(record, 'document'), 'MultimediaAnhang'),
  video: v.computed((record) => addressOf(record, 'video'), 'MultimediaAnhang'),
  visiteVirtuelle: v.computed((record) => addressOf(record, 'tour'), 'MultimediaAnhang'),
  agenceNom: v.setting('agence-nom'),
  negoNom: v.joined('Kontaktperson.@Vorname', 'Kontaktperson.@Nachname'),
  negoTel: v.text('Kontaktperson.@Telefon'),
  negoEmail: v.email('Kontaktperson.@EMail'),
  anneeConstruction: v.year('@Baujahr'),
  etat: said('@Objektzustand'),
  neuf: v.computed(isNew, '@Objektzustand', '@Bauphase'),
  meuble: allowed('@Mobilar'),
  jardin: v.flag('@GartenBenutzung'),
  ascenseur: v.firstOf(v.flag, '@Aufzug', '@Personenaufzug'),
  cave: v.flag('@Keller'),
  cuisineEquipee: v.flag('@Einbaukueche'),
  climatisation: allowed('@Klimaanlage'),
  accessible: v.firstOf(v.flag, '@Barrierefrei', '@Rollstuhlgerecht'),
  animaux: allowed('@Haustiere'),
  parking: v.first(v.computed(hasParking, '@Parkplatz'), v.anyOf('@AnzahlGaragenStellplaetze', '@AnzahlParkflaechen')),
  nbreParkings: v.firstOf(v.integer, '@AnzahlGaragenStellplaetze', '@AnzahlParkflaechen'),
  parkingType: v.computed(parkingTypeOf, '@Parkplatz', '@Parkplatzsituation'),
  chauffageType: said('@Heizungsart'),
  chauffageEnergie: v.computed((record) => inOneLine(fuelsOf(record) ?? []), 'BefeuerungsArt'),
  ...energy.fields('energie'),
  depotGarantie: DEPOSIT,
  // Wohngeld is monthly.
  coproCharges: v.computed((record, context) => {
    const monthly = readPrice(houseMoneyAt(record), 'Kaufpreise.@Wohngeld', context);
    return monthly === undefined ? undefined : toCents(monthly * MONTHS);
  }, 'Kaufpreise.@Wohngeld'),
  loue: v.flag('@Vermietet'),
  disponibilite: v.first(v.when(hasDay, v.day('@FreiAb')), v.day('@VerfuegbarAb')),
  disponibiliteTexte: v.unless(hasDay, v.text('@FreiAb')),
  caracteristiques: listed<XmlRecord>(featuresOf),
  programmeId: v.text('@GruppierungsID'),
  dateCreation: v.date('Erfassungsdatum'),
  dateModification: v.date('Aenderungsdatum'),
  ...v.absent('the format has one language', 'textes'),
  ...v.absent('the format has no point', 'latitude', 'longitude'),
  ...v.absent('the format is for a portal; Homepage is that of the agency', 'url'),
  ...v.absent('Wohngeld is in coproCharges', 'fraisCommunaute'),
  statut: v.computed(statutOf),
  ...v.absent('not in the format', 'sousOffre', 'numeroEnregistrement', 'piscine'),
};

const PLACES = ['@StatusHP', '@StatusIS24'] as const;

/** `StatusHP` says whether the property is for the agency's website; if it is missing, `StatusIS24` decides. */
export function whyWithdrawn(record: XmlRecord, context: RecordContext): string | undefined {
  if (lookUp(ACTIONS, textOf(record['@Importmodus']), '@Importmodus', context) === 'delete')
    return 'the agency deletes it (Importmodus "loeschen")';
  const isLet = (): boolean => offers.field('typeTransaction').read(record, context) === 'location';
  const over = PLACES.find((place) => {
    const state = STATES.find(textOf(record[place]) ?? '');
    // A flat with a tenant may be for sale.
    return state === 'over' || (!keepsSold(context) && (state === 'sold' || (state === 'let' && isLet())));
  });
  if (over !== undefined) return `no longer on offer (${over.slice(1)} "${textOf(record[over]) ?? ''}")`;
  const name = textOf(record['@StatusHP']) === undefined ? '@StatusIS24' : '@StatusHP';
  return lookUp(STATES, textOf(record[name]), name, context) === 'inactive'
    ? `not to be shown (${name.slice(1)} "inaktiv")`
    : undefined;
}

function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  const states = PLACES.map((place) => STATES.find(textOf(record[place]) ?? ''));
  if (states.includes('sold')) return 'vendu';
  return states.includes('let') && offers.field('typeTransaction').read(record, context) === 'location'
    ? 'loue'
    : undefined;
}

/** Whether street and number may be shown: only if the record says so, because the schema hides them by default. */
export function showsAddress(record: XmlRecord): boolean {
  return toFlag(scalarOf(record['@Adressdruck'])) === true;
}

const DAY = /^\s*(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}\s*$)/;

/** `FreiAb` is a date for some kinds of property, and a text for others: `Mitte 2009`. */
function hasDay(record: XmlRecord): boolean {
  return DAY.test(textOf(record['@FreiAb']) ?? '');
}

function titleParts(record: XmlRecord, context: RecordContext): TitleParts {
  return {
    type: propertyTypeOf(record)?.title ?? elementOf(record),
    pieces: MAPPING.nbrePieces.read(record, { ...context, warn: () => undefined }),
    ville: MAPPING.ville.read(record, context),
  };
}
