import type { MappedField } from './verbs';

/**
 * Fields that formats have together or not at all, for `absent(reason, ...GROUP)`. A field that is in no group must be
 * answered by every connector by its name: the compiler asks.
 */
type Group = readonly MappedField[];

/** Data that French law requires in adverts, except the energy certificate. */
export const FRENCH_LAW = ['georisques', 'debroussaillement', 'loyerEncadrementZone'] as const satisfies Group;

/** Flanders' flood scores, the planning facts of Belgian adverts. */
export const BELGIAN_LAW = [
  'inondationP',
  'inondationG',
  'inondationZone',
  'permisUrbanisme',
  'affectationUrbanisme',
  'citationUrbanisme',
  'droitPreemption',
  'permisLotir',
] as const satisfies Group;

export const BRITISH_LAW = [
  'bandeCouncilTax',
  'bailAnnees',
  'redevanceFonciere',
  'chargesService',
  'informations',
] as const satisfies Group;

/** Registrations in southern countries. */
export const LAND_REGISTER = ['revenuCadastral', 'categorieCadastrale', 'cedulaHabitabilite'] as const satisfies Group;

/** The agent's legal status. */
export const AGENT_LICENCES = ['agenceCarte', 'negoStatut', 'negoCarte'] as const satisfies Group;

/** The parts that German and Swiss rents are made of. */
export const RENT_PARTS = ['loyerHorsCharges', 'loyerChargesComprises', 'chargesChauffage'] as const satisfies Group;

/** A project and its units. */
export const PROJECT = [
  'programmeNom',
  'programmeId',
  'programmeLots',
  'prixPlage',
  'surfacePlage',
  'piecesPlage',
] as const satisfies Group;

/** The price beside the price. */
export const PRICE_DETAILS = ['prixMention', 'prixAncien', 'prixMetreCarre'] as const satisfies Group;

/** Areas that are no living area. */
export const OTHER_AREAS = ['surfaceUtile', 'surfaceTotale', 'surfaceBureaux'] as const satisfies Group;

export const HEATING = ['chauffageType', 'chauffageEnergie'] as const satisfies Group;

export const INVESTMENT = ['loue', 'rendement'] as const satisfies Group;

export const COMFORT = [
  'climatisation',
  'cuisineEquipee',
  'cheminee',
  'accessible',
  'animaux',
  'vue',
  'exposition',
  'jardin',
  'cave',
] as const satisfies Group;

/** The fields that the verb of a certificate fills. */
export const CERTIFICATE = ['energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'] as const satisfies Group;

/** A group less the fields that a format does have. */
export function without<G extends MappedField, X extends G>(
  group: readonly G[],
  ...fields: readonly X[]
): Exclude<G, X>[] {
  return group.filter((field): field is Exclude<G, X> => !fields.some((one) => one === field));
}
