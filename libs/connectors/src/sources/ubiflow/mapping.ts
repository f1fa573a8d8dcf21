import type { XmlRecord } from '../../formats/xml-records';
import { toSquareMetres } from '../../kit/clean/area';
import { builtTitle } from '../../kit/clean/built-title';
import { toYear } from '../../kit/clean/count';
import { toCountry } from '../../kit/clean/country';
import { toIsoDay } from '../../kit/clean/date';
import { toEmail } from '../../kit/clean/email';
import { toEnergyClass } from '../../kit/clean/energy-class';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { PhotoSource } from '../../kit/clean/photos';
import { plainLine } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import { textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { wrappedList } from '../../kit/wrapped-list';
import { addressOf, pointOf } from './address';
import { FURNISHED_CODE, NEW_CODES } from './lookups';
import { type Offer, readOffer } from './offer';
import { anywhere, diagnostic, places } from './places';
import { codeOf, isPlot, typeCodeOf, typeCodeSourceOf, typeTitleOf } from './property-type';

const offer = v.together<XmlRecord, Offer>(readOffer);
const isNewByLetter = offer.part('isNew');
const rooms = v.first(
  v.rooms('bien.nb_pieces_logement'),
  v.rooms('bien.nb_pieces'),
  v.rooms('bien.nombre_de_pieces'),
  v.rooms('bien.nombre_pieces'),
);
const at = {
  living: places('bien.surface_habitable', 'bien.surface', 'bien.surface_utile'),
  livingOnly: places('bien.surface_habitable'),
  plot: places('bien.surface_terrain'),
  anyArea: places('bien.surface'),
  country: places('bien.pays'),
  postcode: places('bien.code_postal'),
  town: places('bien.ville'),
  currency: places('prestation.devise', 'prestation.devise_iso_4217'),
  emails: places('email_a_afficher'),
  agentEmails: places('negociateur_email', 'prestation.negociateur_email'),
  agentFirstName: places('negociateur_prenom'),
  agentLastName: places('negociateur_nom'),
  mandate: places('prestation.mandat_type'),
  exclusive: places('prestation.mandat_exclusif', 'prestation.exclusivite'),
  furnished: anywhere('meuble'),
  new: places('bien.neuf', 'bien.est_neuf'),
  charges: places(
    'prestation.charges',
    'prestation.charges_locatives',
    'prestation.charges_mensuelles',
    'bien.charges_locatives',
  ),
  yearlyCharges: places('prestation.charges_locative_an'),
  energyClass: places(...diagnostic('dpe_etiquette_conso')),
  isBlank: places(...diagnostic('dpe_vierge')),
  isSubject: places(...diagnostic('soumis_dpe')),
  emissionClass: places(...diagnostic('dpe_etiquette_ges')),
  priceYear: places(
    ...diagnostic(
      'date_indice_prix_energies',
      'annee_indice_prix_energies',
      'annees_indices_prix_energies',
      'dpe_annee_reference',
    ),
  ),
};

/** Paths from `annonce`. Most names occur in more than one block: a field is read from its own. */
export const MAPPING: ListingMapping<XmlRecord> = {
  affId: v.first(v.text('@id'), v.text('id'), v.text('reference')),
  affNum: v.text('reference'),
  intitule: v.first(v.text('titre'), v.computed(titleOf)),
  commentaires: v.first(v.prose('texte'), v.prose('texte_long'), v.prose('texte_resume')),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('prestation.type'),
  typeCode: v.computed(typeCodeOf),
  typeCodeSource: v.computed(typeCodeSourceOf),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed((record, context) => readCurrency(at.currency.text(record), 'prestation.devise', context)),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  // `surface` of a plot is the plot's.
  surfaceHabitable: v.computed((record) => toSquareMetres((isPlot(record) ? at.livingOnly : at.living).amount(record))),
  nbrePieces: rooms,
  nbreChambres: v.first(
    v.rooms('bien.nombre_de_chambres'),
    v.rooms('bien.nb_chambres'),
    v.rooms('bien.nombre_chambres'),
  ),
  // ville_reelle and code_postal_reel are private.
  ville: v.text('bien.ville'),
  codePostal: v.computed((record, context) => toPostcode(at.postcode.text(record), countryOf(record, context))),
  pays: v.computed(
    (record, context) => readCountry(at.country.text(record), 'bien.pays', context) ?? countryOf(record, context),
  ),
  adresse: v.computed(addressOf),
  quartier: v.text('bien.quartier'),
  latitude: v.computed((record) => pointOf(record)?.latitude),
  longitude: v.computed((record) => pointOf(record)?.longitude),
  photos: v.photos('photos.photo', photosOf),
  agenceNom: v.first(
    v.text('contact_a_afficher'),
    v.text('raison_sociale'),
    v.computed((_record: XmlRecord, context) => plainLine(context.settings['agence-nom'] ?? '')),
  ),
  agenceTel: v.absent('the format has one telephone number, that of the contact'),
  negoNom: v.computed((record) =>
    plainLine(`${at.agentFirstName.text(record) ?? ''} ${at.agentLastName.text(record) ?? ''}`),
  ),
  negoEmail: v.computed((record) => toEmail(at.emails.text(record)) ?? toEmail(at.agentEmails.text(record))),
  negoTel: v.text('telephone_a_afficher'),
  surfaceTerrain: v.computed((record) =>
    toSquareMetres(at.plot.amount(record) ?? (isPlot(record) ? at.anyArea.amount(record) : undefined)),
  ),
  surfaceCarrez: v.decimal('bien.surface_carrez'),
  nbreSallesDeBain: v.first(v.integer('bien.nb_salles_de_bain'), v.integer('bien.nombre_salles_de_bain')),
  nbreSallesEau: v.first(v.integer('bien.nb_salles_d_eau'), v.integer('bien.nombre_salles_d_eau')),
  etage: v.floor('bien.etage'),
  nbreEtages: v.first(v.integer('bien.nombre_etages'), v.integer('bien.nb_etages')),
  anneeConstruction: v.year('bien.annee_construction'),
  meuble: v.computed((record) => at.furnished.flag(record) ?? (codeOf(record) === FURNISHED_CODE ? true : undefined)),
  exclusivite: v.computed(isExclusive),
  neuf: v.computed((record, context) => {
    if (isNewByLetter.read(record, context) === true || NEW_CODES.has(codeOf(record) ?? '')) return true;
    return at.new.flag(record);
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
  charges: v.computed((record) => {
    const yearly = at.yearlyCharges.amount(record);
    return at.charges.amount(record) ?? (yearly === undefined ? undefined : toMonthlyRent(yearly, 'an'));
  }),
  depotGarantie: v.first(v.money('prestation.depot_garantie'), v.money('prestation.depot_de_garantie')),
  honoraires: offer.part('honoraires'),
  honorairesUnite: offer.part('honorairesUnite'),
  honorairesCharge: offer.part('honorairesCharge'),
  honorairesEtatDesLieux: v.money('prestation.honoraires_etat_des_lieux'),
  honorairesBareme: v.first(v.url('prestation.url_tarifs_publics'), v.url('url_tarifs_publics')),
  prixHorsHonoraires: offer.part('prixHorsHonoraires'),
  bouquet: offer.part('bouquet'),
  rente: offer.part('rente'),
  chargesModalite: v.text('prestation.modalites_recuperation_charges_locatives'),
  loyerBase: offer.part('loyerBase'),
  loyerComplement: v.money('prestation.complement_loyer'),
  loyerReferenceMajore: v.money('prestation.loyer_reference_majore'),
  loyerEncadrement: v.first(v.flag('prestation.zone_encadrement_loyer'), v.flag('bien.zone_encadrement_loyer')),
  mandatNum: v.text('prestation.mandat_numero'),
  mandatType: v.text('prestation.mandat_type'),
  taxeFonciere: v.first(v.money('bien.taxe_fonciere'), v.money('prestation.taxe_fonciere')),
  copropriete: v.first(v.flag('bien.copropriete'), v.flag('prestation.copropriete')),
  coproLots: v.first(v.integer('bien.alur_nb_lots'), v.integer('prestation.alur_nb_lots')),
  coproCharges: v.first(
    v.money('bien.charges_copropriete_annuelle'),
    v.money('prestation.charges_copropriete_annuelle'),
    v.money('bien.charges_copropriete'),
    v.money('prestation.charges_copropriete'),
  ),
  coproProcedure: v.first(v.flag('bien.alur_syndic_en_procedure'), v.flag('prestation.alur_syndic_en_procedure')),
  dpeClasse: v.computed(energyClassOf),
  dpeValeur: v.first(
    ...diagnostic('dpe_valeur_conso', 'dpe_valeur_conso_primaire', 'dpe_conso_valeur_total').map((path) =>
      v.decimal(path),
    ),
  ),
  gesClasse: v.computed((record) => toEnergyClass(at.emissionClass.text(record))),
  gesValeur: v.first(...diagnostic('dpe_valeur_ges').map((path) => v.decimal(path))),
  dpeDate: v.first(...diagnostic('dpe_date_realisation').map(v.day)),
  dpeVersion: v.first(...diagnostic('dpe_version').map(v.text)),
  dpeCoutMin: v.first(
    ...diagnostic('montant_depenses_energies_min', 'dpe_estimation_min').map((path) => v.money(path)),
  ),
  dpeCoutMax: v.first(
    ...diagnostic('montant_depenses_energies_max', 'dpe_estimation_max').map((path) => v.money(path)),
  ),
  dpeAnneeReference: v.computed((record) => {
    const word = at.priceYear.text(record);
    const year = toYear(word);
    return year === undefined ? toIsoDay(word) : String(year);
  }),
  dpeEnergieFinale: v.first(...diagnostic('dpe_valeur_conso_finale').map((path) => v.decimal(path))),
  visiteVirtuelle: v.first(v.url('visite_virtuelle'), v.url('bien.visite_virtuelle')),
  video: v.first(v.url('video'), v.url('url_video'), v.url('bien.video')),
  disponibilite: v.first(
    v.day('prestation.date_disponibilite'),
    v.day('bien.date_disponibilite'),
    v.day('date_disponibilite'),
  ),
  dateCreation: v.date('date_saisie'),
  dateModification: v.first(v.date('date_modification'), v.date('date_integration')),
};

function titleOf(record: XmlRecord, context: RecordContext): string | undefined {
  return builtTitle({
    type: typeTitleOf(record),
    // "Appartement T3" says it already.
    pieces: /\b[TF]\d/i.test(typeTitleOf(record) ?? '') ? undefined : rooms.read(record, context),
    ville: plainLine(at.town.text(record) ?? ''),
  });
}

function countryOf(record: XmlRecord, context: RecordContext): string | undefined {
  const word = at.country.text(record);
  return word === undefined ? (toCountry(context.settings['pays']) ?? 'FR') : toCountry(word);
}

/** "Exclusif" yes, "Simple" no, "Semi-exclusif" neither. */
function isExclusive(record: XmlRecord): boolean | undefined {
  const said = at.exclusive.flag(record);
  if (said !== undefined) return said;
  const word = at.mandate.text(record) ?? '';
  if (/^(?:mandat\s+)?exclusi/i.test(word)) return true;
  return /^(?:mandat\s+)?(?:simple|non[\s-]exclusi)/i.test(word) ? false : undefined;
}

function energyClassOf(record: XmlRecord): string | undefined {
  const letter = toEnergyClass(at.energyClass.text(record));
  if (letter !== undefined) return letter;
  if (at.isBlank.flag(record) === true) return 'VI';
  return at.isSubject.flag(record) === false ? 'NS' : undefined;
}

/** A photo is an address, or an element around one. */
function* photosOf(record: XmlRecord): Generator<PhotoSource> {
  for (const photo of wrappedList(record['photos'], 'photo')) {
    if (typeof photo !== 'object' || photo === null) yield { value: photo };
    else {
      const { url, legende, titre } = photo as Readonly<Record<string, unknown>>;
      const address = (photo as Readonly<Record<string, unknown>>)['@url'] ?? url;
      yield { value: textOf(photo) ?? textOf(address), legende: textOf(legende) ?? textOf(titre) };
    }
  }
}
