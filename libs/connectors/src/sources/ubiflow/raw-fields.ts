import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { foldWord } from '../../kit/clean/fold-word';
import { rawProjection } from '../../kit/raw-projection';
import { anywhere, DIAGNOSTIC_BLOCKS } from './places';

/** The blocks in which a name may occur: adverts put the same name into more than one block. */
const BLOCKS = [
  '',
  'bien.',
  'prestation.',
  ...DIAGNOSTIC_BLOCKS.filter((block) => block !== 'bien').map((block) => `${block}.`),
];

/** The suffixes of `titre` and `texte`. */
const LANGUAGES = [
  '',
  ...'fr en de es it nl pt ru da sv no francais anglais allemand espagnol italien neerlandais portugais russe danois'
    .split(' ')
    .map((language) => `_${language}`),
];

const PUBLIC_NAMES = [
  'reference texte texte_long texte_resume',
  ...LANGUAGES.flatMap((language) => [`titre${language}`, `texte${language}`]),
  'texte_libre_1 texte_libre_2 texte_libre_3 description_html date_saisie date_integration date_modification',
  'contact_a_afficher contact_a_afficher_2 email_a_afficher telephone_a_afficher telephone_a_afficher_3 nom_contact_a_afficher',
  'prenom_contact_a_afficher telephone_mobile_a_afficher horaires_a_afficher raison_sociale enseigne negociateur_nom',
  'negociateur_prenom negociateur_civilite negociateur_email negociateur_telephone negociateur_numero_rsac negociateur_ville_rsac',
  'negociateur_status visite_virtuelle video url_video url_annonce_sur_site_annonceur url_formulaire_rdv url_tarifs_publics type code_type libelle_type',
  'ville_internet code_postal_internet code_insee_a_afficher departement pays communiquer_adresse_exacte',
  'precision_coordonnees surface surface_habitable surface_terrain surface_carrez surface_utile surface_sejour surface_jardin',
  'surface_terrasse surface_balcon surface_cave surface_garage surface_bureaux surface_commerciale surface_activite surface_annexe',
  'surface_dependances surface_cuisine surface_min surface_max surface_divisible surface_constructible surface_vitrine',
  'nb_pieces_logement nb_pieces nombre_de_pieces nombre_pieces nombre_de_chambres nb_chambres nombre_chambres nb_salles_de_bain',
  'nombre_salles_de_bain nb_salles_d_eau nombre_salles_d_eau nb_wc nb_wc_independants nb_balcons nb_terrasses nb_caves nb_parkings',
  'nb_garages nb_couchages nb_bureaux nb_cuisines nb_sejours nombre_stationnement places_parking etage nombre_etages nb_etages',
  'nombre_niveaux dernier_etage annee_construction annee_renovation etat_general etat_interieur exposition standing prestige cuisine',
  'type_cuisine cuisine_equipee cuisine_amenagee chauffage_type type_chauffage chauffage_energie chauffage_mecanisme',
  'chauffage_central climatise cheminee isolation vitrages huisseries assainissement ascenseur terrasse balcon loggia garage parking',
  'possede_parking type_stationnement cave cave_a_vin grenier dependances piscine piscine_type jacuzzi sauna hammam tennis jardin',
  'avec_jardin type_jardin cloture meuble neuf est_neuf recent renove travaux_en_cours duplex triplex plain_pied veranda gardien',
  'concierge interphone videophone porte_blindee alarme_habitation acces_handicapes est_adapte_pmr est_calme vue_generale vue_sur_mer',
  'vue_sur_montagne belle_vue mitoyennete salle_a_manger sejour buanderie dressing fibre_optique animaux_acceptes fumeurs_acceptes',
  'colocation_acceptee constructible viabilise terrain_divisible cos shon facade longueur_terrain largeur_terrain proche_commerces',
  'proche_ecole_primaire proche_gare proche_metro proche_bus proche_plage proche_centre_ville environnement atouts',
  'prix prix_hors_honoraires prix_a_partir_de prix_min prix_max prix_est_fai prix_est_hors_taxe afficher_prix devise devise_iso_4217',
  'frais_notaire frais_agence taxe_fonciere taxe_habitation loyer loyer_cc loyer_mensuel loyer_mensuel_cc loyer_an loyer_frequence',
  'loyer_est_cc loyer_de_base loyer_reference_majore complement_loyer zone_encadrement_loyer charges charges_locatives',
  'charges_mensuelles charges_locative_an detail_charges_locatives modalites_recuperation_charges_locatives depot_garantie',
  'depot_de_garantie depot_garantie_nb_mois_loyer droit_entree droit_bail duree_du_bail type_bail date_disponibilite',
  'date_fin_disponibilite disponible_immediatement date_livraison honoraires honoraires_location honoraires_etat_des_lieux',
  'honoraires_charge_acquereur honoraires_charge_vendeur honoraires_negociation honoraires_payeurs precision_honoraires',
  'description_frais_agence alur_pourcentage_honoraires_ttc alur_nb_lots alur_syndic_en_procedure',
  'alur_copropriete_plan_de_sauvegarde alur_syndicat_statut copropriete charges_copropriete charges_copropriete_annuelle',
  'mandat_numero mandat_type mandat_exclusif mandat_est_semi_exclusif exclusivite exclusivite_web viager_rente viager_bouquet',
  'rente bouquet viager_duree viager_age_tete1 viager_age_tete2 viager_sexe_tete1 viager_sexe_tete2 viager_valeur_venale',
  'viager_vente_a_terme enchere_mise_a_prix enchere_date_vente enchere_consignation tarif_hebdo_basse_saison',
  'tarif_hebdo_moyenne_saison tarif_hebdo_haute_saison tarif_jour_basse_saison tarif_jour_moyenne_saison tarif_jour_haute_saison',
  'prestation_tarif_hebdo prestation_tarif_jour soumis_dpe dpe_valeur_conso dpe_valeur_conso_primaire dpe_valeur_conso_finale',
  'dpe_conso_valeur_total dpe_etiquette_conso dpe_valeur_ges dpe_etiquette_ges dpe_date_realisation dpe_date_echeance dpe_version',
  'dpe_vierge dpe_en_cours dpe_estimation_min dpe_estimation_max dpe_annee_reference montant_depenses_energies_min',
  'montant_depenses_energies_max montant_depenses_energies_estime annee_indice_prix_energies annees_indices_prix_energies',
  'date_indice_prix_energies programme_neuf_nom promoteur_nom nom_residence residence_type chiffre_d_affaires_annee_n nb_salaries',
]
  .join(' ')
  .split(' ');

const PRIVATE_NAMES: Readonly<Record<string, string>> = {
  'the agent’s principal':
    'mandataire_adresse1 mandataire_adresse2 mandataire_code_postal mandataire_commentaire mandataire_fax mandataire_fax2 ' +
    'mandataire_nom mandataire_prenom mandataire_raison_sociale mandataire_telephone mandataire_telephone2 mandataire_telephone3 ' +
    'mandataire_ville mandataire_email',
  'the owner':
    'proprietaire_adresse1 proprietaire_adresse2 proprietaire_civilite proprietaire_code_postal proprietaire_commentaire ' +
    'proprietaire_email proprietaire_fax proprietaire_nom proprietaire_portable proprietaire_prenom proprietaire_tel_bur ' +
    'proprietaire_tel_dom proprietaire_telephone proprietaire_ville nom_sci adresse_sci mail_sci telephone_sci',
  'the occupant':
    'occupant_civilite occupant_date_sortie occupant_email occupant_fax occupant_nom occupant_portable occupant_prenom occupant_telephone',
  'the landowner':
    'partenaire_foncier_nom partenaire_foncier_prenom partenaire_foncier_societe partenaire_foncier_telephone',
  'for the agency alone':
    'commentaire_prive cles_dispo_agence conditions_visite digicode prestataire_visite cause_vente origine_acquereur date_compromis ' +
    'date_signature_vente date_mandat mandat_echeance mandat_statut id_externe reprise_id',
  'the price that was paid, or an offer':
    'prix_minimum_negociable prix_vendu_fai prix_vendu_net prix_signature vente_prix_reel valeur_estimee valeur_comptable',
  'the share of each agency':
    'commission intercabinet_repartition_honoraires vente_intercabinet honoraires_negociation_vendeur pourcentage_honoraires_vendeur honoraires_bailleur',
  'the real place, where the advert shows another':
    'ville_reelle ville_reel code_postal_reel code_postal_reelle adresse_reelle adresse_reel latitude_reelle longitude_reelle quartier_reel',
  'when people were born': 'viager_date_naissance_tete1 viager_date_naissance_tete2',
  'the agent’s own':
    'negociateur_adresse negociateur_cp negociateur_ville negociateur_telephone_portable negociateur_siret negociateur_fax',
};

/** The exact location. */
const STREET =
  'adresse adresse1 adresse2 numero_voie complemnt_numero_voie type_voie nom_voie street_name street_number numero_appartement ' +
  'numero_batiment numero_block numero_escalier numero_porte reference_cadastrale';
const POINT = 'latitude longitude altitude';
const TOWN = 'code_postal ville code_insee quartier secteur zone_geo';

/** A photo is an address, or has an address in an attribute or a child. The list of photos may be a single address. */
const PHOTO = [
  'photos',
  ...['photos.photo', 'photo'].flatMap((path) => ['@*', 'url', 'legende', 'titre'].map((name) => `${path}.${name}`)),
];

const PUBLIC = ['@id', 'id', ...PHOTO, ...inBlocks(PUBLIC_NAMES)];
const PRIVATE = Object.fromEntries(
  Object.entries(PRIVATE_NAMES).flatMap(([reason, names]) =>
    inBlocks(names.split(' ')).map((path): [string, string] => [path, reason]),
  ),
);

const DOOR = `${STREET} ${POINT}`;
/** One projection for each part of the location that an advert may show. */
const projections = {
  door: rawProjection({ public: [...PUBLIC, ...inBlocks(`${DOOR} ${TOWN}`.split(' '))], private: PRIVATE }),
  town: rawProjection({
    public: [...PUBLIC, ...inBlocks(TOWN.split(' '))],
    private: { ...PRIVATE, ...hidden(DOOR, 'communiquer_adresse_exacte is not true') },
  }),
  otherTown: rawProjection({
    public: PUBLIC,
    private: { ...PRIVATE, ...hidden(`${DOOR} ${TOWN}`, 'the advert shows another town') },
  }),
};

export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  if (showsOtherTown(record)) return projections.otherTown(record, context);
  return (addressRelease(record) ? projections.door : projections.town)(record, context);
}

/** Elements that are read as lists even if there is only one. */
export const LISTS = ['photos.photo'];

function inBlocks(names: readonly string[]): string[] {
  return names.flatMap((name) => BLOCKS.map((block) => `${block}${name}`));
}

function hidden(names: string, reason: string): Record<string, string> {
  return Object.fromEntries(inBlocks(names.split(' ')).map((path) => [path, reason]));
}

const release = anywhere('communiquer_adresse_exacte');
const shown = { town: anywhere('ville_internet'), postcode: anywhere('code_postal_internet') };
const known = { town: anywhere('ville'), postcode: anywhere('code_postal') };

/** When it returns true, the real town is private too. */
export function showsOtherTown(record: XmlRecord): boolean {
  return (['town', 'postcode'] as const).some((part) => {
    const toShow = shown[part].text(record);
    const real = known[part].text(record);
    return toShow !== undefined && real !== undefined && foldWord(toShow) !== foldWord(real);
  });
}

export function addressRelease(record: XmlRecord): boolean {
  return release.flag(record) === true && !showsOtherTown(record);
}
