import { vendorText } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { toSquareMetres } from '../../kit/clean/area';
import { toCountry } from '../../kit/clean/country';
import { toEmail } from '../../kit/clean/email';
import { toFlag } from '../../kit/clean/flag';
import { toCents, toNumber } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { addressOf, pointOf } from './address';
import { photosOf, tourOf, videoOf } from './attachments';
import { attributeOf, saysNo, trueAttributes } from './attributes';
import { type Condition, readCondition } from './condition';
import { affIdOf } from './identity';
import { type Offer, readOffer } from './offer';
import { isPlot, typeCodeOf, typeCodeSourceOf } from './property-type';
import { descriptionOf, titleOf } from './texts';

const offer = v.together<XmlRecord, Offer>(readOffer);
const condition = v.together<XmlRecord, Condition>(readCondition);
const at = {
  currency: compilePath('preise.waehrung'),
  country: compilePath('geo.land'),
  postcode: compilePath('geo.plz'),
  company: compilePath('kontaktperson.firma'),
  firstName: compilePath('kontaktperson.vorname'),
  lastName: compilePath('kontaktperson.name'),
  furnished: compilePath('ausstattung.moebliert'),
  lift: compilePath('ausstattung.fahrstuhl'),
  parking: compilePath('ausstattung.stellplatzart'),
  plotArea: compilePath('flaechen.grundstuecksflaeche'),
  wholeArea: compilePath('flaechen.gesamtflaeche'),
  houseMoney: compilePath('preise.hausgeld'),
};
const EMAILS = ['kontaktperson.email_direkt', 'kontaktperson.email_zentrale'].map(compilePath);
const LIVING_AREA = compilePath('flaechen.wohnflaeche');
/** Where there is no living area: usable, whole, then what is let or worked in. */
const OTHER_AREAS = [
  'flaechen.nutzflaeche',
  'flaechen.gesamtflaeche',
  'flaechen.bueroflaeche',
  'flaechen.verkaufsflaeche',
  'flaechen.ladenflaeche',
  'flaechen.lagerflaeche',
  'flaechen.gastroflaeche',
  'flaechen.vermietbare_flaeche',
].map(compilePath);
const MONTHS = 12;

/** Paths from `immobilie`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  affId: v.computed(affIdOf),
  affNum: v.first(v.text('verwaltung_techn.objektnr_extern'), v.text('verwaltung_techn.objektnr_intern')),
  intitule: v.computed(titleOf),
  commentaires: v.computed(descriptionOf),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: offer.part('typeTransactionSource'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.computed(typeCodeSourceOf),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed(currencyOf),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  surfaceHabitable: v.computed(livingArea),
  nbrePieces: v.rooms('flaechen.anzahl_zimmer'),
  nbreChambres: v.rooms('flaechen.anzahl_schlafzimmer'),
  ville: v.text('geo.ort'),
  codePostal: v.computed((record, context) => toPostcode(scalarOf(at.postcode(record)), countryOf(record, context))),
  pays: v.computed(
    (record, context) => readCountry(countryWordOf(record), 'geo.land', context) ?? countryOf(record, context),
  ),
  adresse: v.computed(addressOf),
  quartier: v.text('geo.regionaler_zusatz'),
  latitude: v.computed((record, context) => pointOf(record, context)?.latitude),
  longitude: v.computed((record, context) => pointOf(record, context)?.longitude),
  photos: v.photos('anhaenge.anhang', photosOf),
  agenceNom: v.computed(
    (record, context) =>
      line(vendorText(context, 'firma')) ?? line(textOf(at.company(record))) ?? line(context.settings['agence-nom']),
  ),
  agenceTel: v.text('kontaktperson.tel_zentrale'),
  negoNom: v.computed((record) => line(`${textOf(at.firstName(record)) ?? ''} ${textOf(at.lastName(record)) ?? ''}`)),
  negoEmail: v.computed((record) => {
    for (const place of EMAILS) {
      const email = toEmail(textOf(place(record)));
      if (email !== undefined) return email;
    }
    return undefined;
  }),
  // tel_handy and tel_privat are a person's own.
  negoTel: v.text('kontaktperson.tel_durchw'),
  surfaceTerrain: v.computed(
    (record) => area(at.plotArea(record)) ?? (isPlot(record) ? area(at.wholeArea(record)) : undefined),
  ),
  surfaceCarrez: v.absent('a French measure'),
  nbreSallesDeBain: v.integer('flaechen.anzahl_badezimmer'),
  nbreSallesEau: v.absent('anzahl_badezimmer counts all of them'),
  etage: v.floor('geo.etage'),
  nbreEtages: v.integer('geo.anzahl_etagen'),
  anneeConstruction: condition.part('anneeConstruction'),
  meuble: v.computed(isFurnished),
  exclusivite: v.absent('not in the format'),
  neuf: condition.part('neuf'),
  balcon: v.anyOf('flaechen.anzahl_balkone'),
  terrasse: v.anyOf('flaechen.anzahl_terrassen'),
  parking: v.first(
    v.anyOf('flaechen.anzahl_stellplaetze'),
    v.computed((record: XmlRecord) => trueAttributes(at.parking(record)).length > 0 || undefined),
  ),
  ascenseur: v.computed(hasLift),
  piscine: v.flag('ausstattung.swimmingpool'),
  charges: offer.part('charges'),
  depotGarantie: v.money('preise.kaution'),
  honoraires: offer.part('honoraires'),
  honorairesUnite: offer.part('honorairesUnite'),
  honorairesCharge: offer.part('honorairesCharge'),
  honorairesEtatDesLieux: v.absent('a French fee'),
  honorairesBareme: v.absent('not in the format'),
  prixHorsHonoraires: v.absent('the price of the format is without them'),
  bouquet: v.absent('a French kind of sale'),
  rente: v.absent('a French kind of sale'),
  chargesModalite: v.absent('not in the format'),
  loyerBase: v.absent('a word of French rent control; the cold rent is in raw'),
  loyerComplement: v.absent('a word of French rent control'),
  loyerReferenceMajore: v.absent('a word of French rent control'),
  loyerEncadrement: v.absent('a word of French rent control'),
  mandatNum: v.absent('not in the format'),
  mandatType: v.absent('not in the format'),
  taxeFonciere: v.absent('not in the format'),
  copropriete: v.absent('not in the format'),
  coproLots: v.absent('not in the format'),
  // Hausgeld is by the month.
  coproCharges: v.computed((record) => {
    const monthly = toNumber(scalarOf(at.houseMoney(record)));
    return monthly !== undefined && monthly > 0 ? toCents(monthly * MONTHS) : undefined;
  }),
  coproProcedure: v.absent('a French notion'),
  // The German scale goes from A+ to H; H has no class of ours.
  dpeClasse: condition.part('dpeClasse'),
  dpeValeur: condition.part('dpeValeur'),
  gesClasse: v.absent('not in the format'),
  gesValeur: v.absent('not in the format'),
  dpeDate: condition.part('dpeDate'),
  dpeVersion: v.absent('the French certificate has versions'),
  dpeCoutMin: v.absent('not in the format'),
  dpeCoutMax: v.absent('not in the format'),
  dpeAnneeReference: v.absent('not in the format'),
  dpeEnergieFinale: v.absent('the certificate has one value, in dpeValeur'),
  visiteVirtuelle: v.first(v.url('geo.virtuelletour'), v.computed(tourOf)),
  video: v.computed(videoOf),
  disponibilite: v.first(v.day('verwaltung_objekt.abdatum'), v.day('verwaltung_objekt.verfuegbar_ab')),
  dateCreation: v.absent('not in the format'),
  dateModification: v.date('verwaltung_techn.stand_vom'),
};

function line(text: string | undefined): string | undefined {
  return plainLine(text ?? '');
}

function area(value: unknown): number | undefined {
  return toSquareMetres(toNumber(scalarOf(value)));
}

/** A plot's other areas are the plot's. */
function livingArea(record: XmlRecord): number | undefined {
  const living = area(LIVING_AREA(record));
  if (living !== undefined || isPlot(record)) return living;
  for (const place of OTHER_AREAS) {
    const other = area(place(record));
    if (other !== undefined) return other;
  }
  return undefined;
}

function countryWordOf(record: XmlRecord): string | undefined {
  const land = at.country(record);
  return textOf(attributeOf(land, 'iso_land')) ?? textOf(land);
}

function countryOf(record: XmlRecord, context: RecordContext): string | undefined {
  return toCountry(countryWordOf(record) ?? context.settings['pays']);
}

function currencyOf(record: XmlRecord, context: RecordContext): string | undefined {
  const element = at.currency(record);
  const word = textOf(attributeOf(element, 'iso_waehrung')) ?? textOf(element);
  return readCurrency(word, 'preise.waehrung', context);
}

/** `<moebliert moeb="VOLL"/>` or TEIL; the element alone says yes too. */
function isFurnished(record: XmlRecord): boolean | undefined {
  const element = at.furnished(record);
  if (element === undefined) return undefined;
  const word = textOf(attributeOf(element, 'moeb')) ?? textOf(element);
  if (word === undefined) return true;
  return toFlag(word) ?? !/^(?:kein|keine|keine_angabe)$/i.test(word);
}

/** A goods lift is none for people. */
function hasLift(record: XmlRecord): boolean | undefined {
  const element = at.lift(record);
  const forPeople = toFlag(scalarOf(attributeOf(element, 'PERSONEN')));
  return forPeople ?? (saysNo(element) ? false : toFlag(textOf(element)));
}
