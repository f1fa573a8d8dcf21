import type { XmlRecord } from '../../formats/xml-records';
import { toEmail } from '../../kit/clean/links';
import { toMonthlyRent } from '../../kit/clean/money';
import type { PhotoSource } from '../../kit/clean/photos';
import type { Coordinates } from '../../kit/clean/place';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { inWords, range, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, positionOf, readCoordinates } from '../../kit/place';
import { together } from '../../kit/together';
import { listOf, textOf, wrappedList } from '../../kit/values';
import * as v from '../../kit/verbs';
import { readCurrency } from '../../kit/word-table';
import { CONDITION, FEATURES, parkingSpacesOf, VIEW } from './features';
import { FURNISHED_CODE, NEW_CODES } from './lookups';
import { type Offer, readOffer } from './offer';
import { dpe, energyOf } from './energy';
import { places } from './places';
import { codeOf, isPlot, typeCodeOf, typeCodeSourceOf, typeTitleOf } from './property-type';
import { addressRelease, showsOtherTown } from './raw-fields';
import { inLanguages, languagesOf, type TextsByLanguage, textsOf } from '../../kit/by-language';
import { toLanguage } from '../../kit/clean/language';

function readTexts(record: XmlRecord, context: RecordContext): ReturnType<typeof inLanguages> {
  return inLanguages(
    textsNamed(record, 'titre', ['titre']),
    textsNamed(record, 'texte', ['texte', 'texte_long', 'texte_resume']),
    languagesOf(context.settings),
  );
}

/** The suffix is the language. `titre` without one is French, but of unknown language beside a `titre_fr`. */
function textsNamed(record: XmlRecord, name: string, plainNames: readonly string[]): TextsByLanguage {
  const named = Object.keys(record)
    .filter((key) => key.startsWith(`${name}_`))
    .flatMap((key): [string, unknown][] => {
      const language = toLanguage(key.slice(name.length + 1));
      return language === undefined ? [] : [[language, record[key]]];
    });
  const hasFrench = named.some(([language, text]) => language === 'fr' && textOf(text) !== undefined);
  return textsOf([...named, ...plainNames.map((plain): [string, unknown] => [hasFrench ? '' : 'fr', record[plain]])]);
}

const prices = together<XmlRecord, Offer>(readOffer);
const texts = together<XmlRecord, ReturnType<typeof readTexts>>(readTexts);
const isNewByLetter = prices.field('isNew');
const rooms = v.firstOf(
  v.rooms,
  'bien.nb_pieces_logement',
  'bien.nb_pieces',
  'bien.nombre_de_pieces',
  'bien.nombre_pieces',
);
const furnished = v.firstOf(v.flag, 'meuble', 'bien.meuble', 'prestation.meuble');
const isNew = v.firstOf(v.flag, 'bien.neuf', 'bien.est_neuf');
const at = {
  town: places('bien.ville_internet', 'bien.ville'),
  currency: places('prestation.devise', 'prestation.devise_iso_4217'),
  agentEmails: places('negociateur_email', 'prestation.negociateur_email'),
  mandate: places('prestation.mandat_type'),
  exclusive: places('prestation.mandat_exclusif', 'prestation.exclusivite'),
  charges: places(
    'prestation.charges',
    'prestation.charges_locatives',
    'prestation.charges_mensuelles',
    'bien.charges_locatives',
  ),
  yearlyCharges: places('prestation.charges_locative_an'),
};

const where = place<XmlRecord>({
  country: v.word('bien.pays'),
  postcode: v.first(v.word('bien.code_postal_internet'), v.unless(showsOtherTown, v.word('bien.code_postal'))),
  usual: 'FR',
});
const energy = energyOf(where);

/** Paths start at `annonce`. Most names occur in several blocks: each field is read from the block it belongs to. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('the format has no name for it', {
    'specific to Belgian law': ['belgianLaw'],
    'charges are one amount': ['rentParts'],
    'charges of a co-ownership are by the year: charges_copropriete': ['yearlyCosts'],
    'the format has no names for these duties of French law': ['frenchLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'the format has one telephone number, that of the contact': ['contact'],
    'a programme has a name, and no number and no count of its units': ['project'],
    'prix is the current price, and never per m²': ['priceDetails'],
    'no name of the format is the total built area': ['otherAreas'],
    'the format has no names for a tenant who stays, or a yield': ['investment'],
    'photos of all kinds are in one list, and no name is a document': ['media'],
  }),
  affId: v.firstOf(v.identifier, '@id', 'id', 'reference'),
  affNum: v.text('reference'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  url: v.firstOf(v.url, 'url_annonce_sur_site_annonceur', 'prestation.url_annonce_sur_site_annonceur'),
  // prettier-ignore
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource', 'honoraires',
    'honorairesUnite', 'honorairesCharge', 'prixHorsHonoraires', 'bouquet', 'rente', 'loyerBase', 'loyerHorsCharges', 'loyerChargesComprises', 'prixMention', 'prixPlage'),
  typeTransactionSource: v.text('prestation.type'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.computed(typeCodeSourceOf),
  prixCurrency: v.computed((record, context) => readCurrency(at.currency.text(record), 'prestation.devise', context)),
  // The `surface` of a plot is its land area, not a living area.
  surfaceHabitable: v.first(
    v.area('bien.surface_habitable'),
    v.unless(isPlot, v.firstOf(v.area, 'bien.surface', 'bien.surface_utile')),
  ),
  nbrePieces: rooms,
  nbreChambres: v.firstOf(v.rooms, 'bien.nombre_de_chambres', 'bien.nb_chambres', 'bien.nombre_chambres'),
  // `ville_reelle`, `code_postal_reel` are private; `ville`, `code_postal` too if the advert shows another town.
  ville: v.firstOf(v.text, 'bien.ville_internet', 'bien.ville'),
  ...where,
  adresse: v.computed(addressOf),
  quartier: v.unless(showsOtherTown, v.text('bien.quartier')),
  ...positionOf(pointOf),
  photos: v.photos('photos.photo', photosOf),
  agenceNom: v.first(v.text('contact_a_afficher'), v.text('raison_sociale'), v.setting('agence-nom')),
  negoNom: v.joined('negociateur_prenom', 'negociateur_nom'),
  negoEmail: v.first(
    v.email('email_a_afficher'),
    v.computed((record: XmlRecord) => toEmail(at.agentEmails.text(record))),
  ),
  negoTel: v.text('telephone_a_afficher'),
  surfaceTerrain: v.first(v.area('bien.surface_terrain'), v.when(isPlot, v.area('bien.surface'))),
  surfaceCarrez: v.area('bien.surface_carrez'),
  nbreSallesDeBain: v.firstOf(v.integer, 'bien.nb_salles_de_bain', 'bien.nombre_salles_de_bain'),
  nbreSallesEau: v.firstOf(v.integer, 'bien.nb_salles_d_eau', 'bien.nombre_salles_d_eau'),
  etage: v.floor('bien.etage'),
  nbreEtages: v.firstOf(v.integer, 'bien.nombre_etages', 'bien.nb_etages'),
  anneeConstruction: v.year('bien.annee_construction'),
  meuble: v.computed(
    (record, context) => furnished.read(record, context) ?? (codeOf(record) === FURNISHED_CODE ? true : undefined),
  ),
  exclusivite: v.computed(isExclusive),
  neuf: v.computed((record, context) => {
    if (isNewByLetter.read(record, context) === true || NEW_CODES.has(codeOf(record) ?? '')) return true;
    return isNew.read(record, context);
  }),
  balcon: v.first(v.flag('bien.balcon'), v.anyOf('bien.nb_balcons', 'bien.surface_balcon')),
  terrasse: v.first(v.flag('bien.terrasse'), v.anyOf('bien.nb_terrasses', 'bien.surface_terrasse')),
  parking: v.first(
    v.anyOf(
      'bien.parking',
      'bien.garage',
      'bien.places_parking',
      'bien.nb_parkings',
      'bien.nb_garages',
      'bien.nombre_stationnement',
    ),
    v.flag('bien.parking'),
    v.flag('bien.possede_parking'),
  ),
  ascenseur: v.flag('bien.ascenseur'),
  piscine: v.flag('bien.piscine'),
  charges: v.computed((record, context) => {
    const yearly = at.yearlyCharges.price(record, context);
    return at.charges.price(record, context) ?? (yearly === undefined ? undefined : toMonthlyRent(yearly, 'an'));
  }),
  depotGarantie: v.firstOf(v.money, 'prestation.depot_garantie', 'prestation.depot_de_garantie'),
  honorairesEtatDesLieux: v.money('prestation.honoraires_etat_des_lieux'),
  honorairesBareme: v.firstOf(v.url, 'prestation.url_tarifs_publics', 'url_tarifs_publics'),
  chargesModalite: v.text('prestation.modalites_recuperation_charges_locatives'),
  loyerComplement: v.money('prestation.complement_loyer'),
  loyerReferenceMajore: v.money('prestation.loyer_reference_majore'),
  loyerEncadrement: v.firstOf(v.flag, 'prestation.zone_encadrement_loyer', 'bien.zone_encadrement_loyer'),
  mandatNum: v.text('prestation.mandat_numero'),
  mandatType: v.text('prestation.mandat_type'),
  taxeFonciere: v.firstOf(v.money, 'bien.taxe_fonciere', 'prestation.taxe_fonciere'),
  copropriete: v.firstOf(v.flag, 'bien.copropriete', 'prestation.copropriete'),
  coproLots: v.firstOf(v.integer, 'bien.alur_nb_lots', 'prestation.alur_nb_lots'),
  coproCharges: v.firstOf(
    v.money,
    'bien.charges_copropriete_annuelle',
    'prestation.charges_copropriete_annuelle',
    'bien.charges_copropriete',
    'prestation.charges_copropriete',
  ),
  coproProcedure: v.firstOf(v.flag, 'bien.alur_syndic_en_procedure', 'prestation.alur_syndic_en_procedure'),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  dpeDate: dpe.date,
  dpeVersion: dpe.version,
  dpeCoutMin: dpe.leastCost,
  dpeCoutMax: dpe.mostCost,
  dpeAnneeReference: dpe.priceYear,
  dpeEnergieFinale: dpe.final,
  visiteVirtuelle: v.firstOf(v.url, 'visite_virtuelle', 'bien.visite_virtuelle'),
  video: v.firstOf(v.url, 'video', 'url_video', 'bien.video'),
  // A new home is available when it is handed over.
  disponibilite: v.firstOf(
    v.day,
    ...['prestation.date_disponibilite', 'bien.date_disponibilite', 'date_disponibilite'],
    ...['prestation.date_livraison', 'bien.date_livraison'],
  ),
  dateCreation: v.date('date_saisie'),
  dateModification: v.firstOf(v.date, 'date_modification', 'date_integration'),
  region: v.text('bien.departement'),
  surfacePlage: range(v.area('bien.surface_min'), v.area('bien.surface_max')),
  surfaceUtile: v.area('bien.surface_utile'),
  surfaceBureaux: v.area('bien.surface_bureaux'),
  nbreWc: v.integer('bien.nb_wc'),
  nbreParkings: v.computed(parkingSpacesOf),
  parkingType: inWords('bien.type_stationnement'),
  chauffageType: inWords('bien.chauffage_type', 'bien.type_chauffage', 'bien.chauffage_mecanisme'),
  chauffageEnergie: inWords('bien.chauffage_energie'),
  etat: CONDITION,
  exposition: inWords('bien.exposition'),
  vue: VIEW,
  jardin: v.first(v.firstOf(v.flag, 'bien.jardin', 'bien.avec_jardin'), v.anyOf('bien.surface_jardin')),
  cave: v.first(v.flag('bien.cave'), v.anyOf('bien.nb_caves', 'bien.surface_cave')),
  climatisation: v.flag('bien.climatise'),
  cuisineEquipee: v.flag('bien.cuisine_equipee'),
  cheminee: v.flag('bien.cheminee'),
  accessible: v.firstOf(v.flag, 'bien.acces_handicapes', 'bien.est_adapte_pmr'),
  animaux: v.firstOf(v.flag, 'bien.animaux_acceptes', 'prestation.animaux_acceptes'),
  caracteristiques: FEATURES,
  disponibiliteTexte: yesInWords({ 'prestation.disponible_immediatement': 'disponible immédiatement' }),
  programmeNom: v.firstOf(v.text, 'bien.programme_neuf_nom', 'prestation.programme_neuf_nom'),
  commission: v.firstOf(v.text, 'prestation.precision_honoraires', 'prestation.description_frais_agence'),
  negoStatut: inWords('negociateur_status', 'prestation.negociateur_status'),
  negoCarte: v.firstOf(v.text, 'negociateur_numero_rsac', 'prestation.negociateur_numero_rsac'),
  ...v.absent('not in the format: what is under offer is no longer sent', 'sousOffre', 'statut'),
  ...v.absent('only areas have a range beside prices', 'piecesPlage'),
  ...v.absent('the format has no name for it', 'numeroEnregistrement', 'regimePropriete'),
};

function titleParts(record: XmlRecord, context: RecordContext): TitleParts {
  return {
    type: typeTitleOf(record),
    // A type such as "Appartement T3" already contains the number of rooms.
    pieces: /\b[TF]\d/i.test(typeTitleOf(record) ?? '') ? undefined : rooms.read(record, context),
    ville: plainLine(at.town.text(record) ?? ''),
  };
}

/** "Exclusif" means yes, "Simple" means no, "Semi-exclusif" means neither. */
function isExclusive(record: XmlRecord): boolean | undefined {
  const said = at.exclusive.flag(record);
  if (said !== undefined) return said;
  const word = at.mandate.text(record) ?? '';
  if (/^(?:mandat\s+)?exclusi/i.test(word)) return true;
  return /^(?:mandat\s+)?(?:simple|non[\s-]exclusi)/i.test(word) ? false : undefined;
}

/** A photo is an address, or an element with an address. Adverts without blocks may have no list around the photos. */
function* photosOf(record: XmlRecord): Generator<PhotoSource> {
  for (const photo of [...wrappedList(record['photos'], 'photo'), ...listOf(record['photo'])]) {
    if (typeof photo !== 'object' || photo === null) yield { value: photo };
    else {
      const { url, legende, titre } = photo as Readonly<Record<string, unknown>>;
      const address = (photo as Readonly<Record<string, unknown>>)['@url'] ?? url;
      yield { value: textOf(photo) ?? textOf(address), legende: textOf(legende) ?? textOf(titre) };
    }
  }
}

const address = places('bien.adresse', 'bien.adresse1');
const street = {
  number: places('bien.numero_voie'),
  type: places('bien.type_voie'),
  name: places('bien.nom_voie'),
};
const point = { latitude: places('bien.latitude', 'latitude'), longitude: places('bien.longitude', 'longitude') };

function addressOf(record: XmlRecord): string | undefined {
  if (!addressRelease(record)) return undefined;
  const whole = plainLine(address.text(record) ?? '');
  return (
    whole ?? plainLine([street.number, street.type, street.name].flatMap((part) => part.text(record) ?? []).join(' '))
  );
}

function pointOf(record: XmlRecord, context: RecordContext): Coordinates | undefined {
  if (!addressRelease(record)) return undefined;
  return readCoordinates(point.latitude.text(record), point.longitude.text(record), 'bien.latitude', context);
}
