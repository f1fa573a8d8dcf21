import type { XmlRecord } from '../../formats/xml-records';
import { byLanguage } from '../../kit/by-language';
import { builtTitle } from '../../kit/clean/built-title';
import { type Coordinates, toCoordinates } from '../../kit/clean/coordinates';
import { toRooms } from '../../kit/clean/count';
import { toCountry } from '../../kit/clean/country';
import { toEmail } from '../../kit/clean/email';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { builtArea, plotArea } from './area';
import { imagesOf } from './images';
import { wantedLanguages } from './languages';
import { type PropertyType, typeNamed } from './lookups';
import { type Offer, readOffer } from './offer';

const offer = v.together<XmlRecord, Offer>(readOffer);
const at = {
  latitude: compilePath('location.latitude'),
  longitude: compilePath('location.longitude'),
};
/** In the context: the agent block ahead of the properties, where the feed has one. */
const agent = { name: compilePath('agent.name'), email: compilePath('agent.email'), tel: compilePath('agent.tel') };

/** Versions 2.1 and 3 of the Kyero feed; paths from `property`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  affId: v.text('id'),
  affNum: v.text('ref'),
  intitule: v.computed(titleOf),
  commentaires: v.computed(descriptionOf),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('price_freq'),
  typeCode: v.computed((record, context) => {
    const word = typeWordOf(record);
    if (word === undefined) return undefined;
    const known = typeNamed(word);
    if (known === undefined) context.warn('unknown_word', 'type', word.slice(0, 120));
    return known?.code ?? 'autre';
  }),
  typeCodeSource: v.computed(typeWordOf),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed((record, context) => readCurrency(textOf(record['currency']), 'currency', context)),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  surfaceHabitable: v.computed((record, context) =>
    typeOf(record)?.code === 'terrain' ? undefined : builtArea(record, context),
  ),
  nbrePieces: v.absent('the format counts bedrooms only'),
  nbreChambres: v.rooms('beds'),
  ville: v.text('town'),
  codePostal: v.computed((record, context) => toPostcode(postcodeOf(record), countryOf(record, context))),
  pays: v.computed(
    (record, context) => readCountry(textOf(record['country']), 'country', context) ?? countryOf(record, context),
  ),
  adresse: v.absent('not in the format'),
  quartier: v.text('location_detail'),
  latitude: v.computed((record) => pointOf(record)?.latitude),
  longitude: v.computed((record) => pointOf(record)?.longitude),
  photos: v.photos('images.image', imagesOf),
  agenceNom: v.computed((_record, context) =>
    plainLine(textOf(agent.name(context.feed)) ?? context.settings['agence-nom']),
  ),
  agenceTel: v.computed((_record, context) => plainLine(textOf(agent.tel(context.feed)))),
  negoNom: v.absent('not in the format'),
  negoEmail: v.computed(
    (record, context) => toEmail(textOf(record['email'])) ?? toEmail(textOf(agent.email(context.feed))),
  ),
  negoTel: v.absent('contact_number is private unless someone asks for it'),
  surfaceTerrain: v.computed(plotArea),
  surfaceCarrez: v.absent('not in the format'),
  // Half a bath is one without a bathtub or shower.
  nbreSallesDeBain: v.rooms('baths'),
  nbreSallesEau: v.absent('baths counts all of them'),
  etage: v.absent('not in the format'),
  nbreEtages: v.absent('not in the format'),
  anneeConstruction: v.absent('not in the format'),
  meuble: v.absent('not in the format'),
  exclusivite: v.absent('not in the format'),
  neuf: offer.part('neuf'),
  balcon: v.absent('features are free text'),
  terrasse: v.absent('features are free text'),
  parking: v.absent('features are free text'),
  ascenseur: v.absent('features are free text'),
  // An empty or zero pool means that nobody said.
  piscine: v.anyOf('pool'),
  charges: v.absent('not in the format'),
  depotGarantie: v.absent('not in the format'),
  honoraires: v.absent('not in the format'),
  honorairesUnite: v.absent('not in the format'),
  honorairesCharge: v.absent('not in the format'),
  honorairesEtatDesLieux: v.absent('not in the format'),
  honorairesBareme: v.absent('not in the format'),
  prixHorsHonoraires: v.absent('not in the format'),
  bouquet: v.absent('not in the format'),
  rente: v.absent('not in the format'),
  chargesModalite: v.absent('not in the format'),
  loyerBase: v.absent('not in the format'),
  loyerComplement: v.absent('not in the format'),
  loyerReferenceMajore: v.absent('not in the format'),
  loyerEncadrement: v.absent('not in the format'),
  mandatNum: v.absent('not in the format'),
  mandatType: v.absent('not in the format'),
  taxeFonciere: v.absent('not in the format'),
  copropriete: v.absent('not in the format'),
  coproLots: v.absent('not in the format'),
  coproCharges: v.absent('not in the format'),
  coproProcedure: v.absent('not in the format'),
  dpeClasse: v.energyClass('energy_rating.consumption'),
  dpeValeur: v.absent('classes only'),
  gesClasse: v.energyClass('energy_rating.emissions'),
  gesValeur: v.absent('classes only'),
  dpeDate: v.absent('not in the format'),
  dpeVersion: v.absent('not in the format'),
  dpeCoutMin: v.absent('not in the format'),
  dpeCoutMax: v.absent('not in the format'),
  dpeAnneeReference: v.absent('not in the format'),
  dpeEnergieFinale: v.absent('not in the format'),
  visiteVirtuelle: v.url('virtual_tour_url'),
  video: v.url('video_url'),
  disponibilite: v.absent('not in the format'),
  dateCreation: v.absent('not in the format'),
  dateModification: v.date('date'),
};

function titleOf(record: XmlRecord, context: RecordContext): string | undefined {
  const given = plainLine(byLanguage(record['title'], wantedLanguages(context)));
  if (given !== undefined) return given;
  return builtTitle({
    type: typeOf(record)?.title ?? typeWordOf(record),
    chambres: toRooms(scalarOf(record['beds'])),
    ville: plainLine(textOf(record['town'])),
  });
}

function descriptionOf(record: XmlRecord, context: RecordContext): string | undefined {
  return plainText(byLanguage(record['desc'], wantedLanguages(context)));
}

/** Version 3 has one word, version 2.1 one for each language; English first, as the table knows it best. */
function typeWordOf(record: XmlRecord): string | undefined {
  return plainLine(byLanguage(record['type'], TYPE_LANGUAGES));
}

const TYPE_LANGUAGES = ['en', 'es', 'fr', 'de'];

function typeOf(record: XmlRecord): PropertyType | undefined {
  const word = typeWordOf(record);
  return word === undefined ? undefined : typeNamed(word);
}

function pointOf(record: XmlRecord): Coordinates | undefined {
  return toCoordinates(scalarOf(at.latitude(record)), scalarOf(at.longitude(record)));
}

/** The import specification has no postcode; exporters add one under these names. */
function postcodeOf(record: XmlRecord): string | undefined {
  return textOf(record['postcode']) ?? textOf(record['postalcode']) ?? textOf(record['post_code']);
}

function countryOf(record: XmlRecord, context: RecordContext): string | undefined {
  const word = textOf(record['country']);
  if (word !== undefined) return toCountry(word);
  return toCountry(context.settings['pays']) ?? 'ES';
}
