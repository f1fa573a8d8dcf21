import type { ListingField } from './listing';

/** Fields that a format usually lacks together. One reason covers a group; every other field needs its own reason. */
export const FIELD_GROUPS = {
  /** The fields that the mapping verb for certificates fills. */
  certificate: ['energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'],
  certificateDetails: ['dpeDate', 'dpeVersion', 'dpeCoutMin', 'dpeCoutMax', 'dpeAnneeReference', 'dpeEnergieFinale'],
  fees: [
    'honoraires',
    'honorairesUnite',
    'honorairesCharge',
    'honorairesEtatDesLieux',
    'honorairesBareme',
    'prixHorsHonoraires',
  ],
  lifeAnnuity: ['bouquet', 'rente'],
  /** Rents that a French or other law limits. */
  rentControl: ['loyerBase', 'loyerComplement', 'loyerReferenceMajore', 'loyerEncadrement'],
  rentTerms: ['charges', 'chargesModalite', 'depotGarantie'],
  /** The components of German and Swiss rents. */
  rentParts: ['loyerHorsCharges', 'loyerChargesComprises', 'chargesChauffage'],
  mandate: ['mandatNum', 'mandatType', 'exclusivite'],
  coOwnership: ['copropriete', 'coproLots', 'coproCharges', 'coproProcedure'],
  yearlyCosts: ['taxeFonciere', 'fraisCommunaute'],
  /** Data that French law requires in adverts, except the energy certificate. */
  frenchLaw: ['georisques', 'debroussaillement', 'loyerEncadrementZone'],
  /** Flood scores of Flanders and planning facts of Belgian adverts. */
  belgianLaw: [
    'inondationP',
    'inondationG',
    'inondationZone',
    'permisUrbanisme',
    'affectationUrbanisme',
    'citationUrbanisme',
    'droitPreemption',
    'permisLotir',
  ],
  britishLaw: [
    'bandeCouncilTax',
    'regimePropriete',
    'bailAnnees',
    'redevanceFonciere',
    'chargesService',
    'partAchetee',
    'loyerPart',
    'informations',
  ],
  /** Registrations that southern countries require. */
  registrations: ['revenuCadastral', 'categorieCadastrale', 'cedulaHabitabilite', 'numeroEnregistrement'],
  /** The agent's legal status and commission. */
  licences: ['agenceCarte', 'negoStatut', 'negoCarte', 'commission'],
  contact: ['agenceTel', 'negoNom', 'negoTel'],
  /** A project and its units. */
  project: ['programmeNom', 'programmeId', 'programmeLots', 'prixPlage', 'surfacePlage', 'piecesPlage'],
  /** Details about the price. */
  priceDetails: ['prixMention', 'prixAncien', 'prixMetreCarre'],
  /** Areas other than the living area. */
  otherAreas: ['surfaceCarrez', 'surfaceUtile', 'surfaceTotale', 'surfaceBureaux'],
  bathrooms: ['nbreSallesDeBain', 'nbreSallesEau', 'nbreWc'],
  building: ['etage', 'nbreEtages', 'anneeConstruction', 'neuf', 'etat'],
  amenities: ['meuble', 'balcon', 'terrasse', 'parking', 'ascenseur', 'piscine', 'nbreParkings', 'parkingType'],
  heating: ['chauffageType', 'chauffageEnergie'],
  investment: ['loue', 'rendement'],
  comfort: [
    'climatisation',
    'cuisineEquipee',
    'cheminee',
    'accessible',
    'animaux',
    'vue',
    'exposition',
    'jardin',
    'cave',
  ],
  availability: ['disponibilite', 'disponibiliteTexte'],
  dates: ['dateCreation', 'dateModification'],
  media: ['visiteVirtuelle', 'video', 'plans', 'documents'],
} as const satisfies Readonly<Record<string, readonly ListingField[]>>;

export type FieldGroup = keyof typeof FIELD_GROUPS;
export type GroupedField = (typeof FIELD_GROUPS)[FieldGroup][number];
