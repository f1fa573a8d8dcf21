import type { EnergyQuantity, EnergyScaleName } from './scales';

/** The basis of a figure: calculated for the building, or measured from bills. */
export const ENERGY_BASES = ['besoin', 'consommation'] as const;
export type EnergyBasis = (typeof ENERGY_BASES)[number];

/** Why a certificate has no class: the certificate is in preparation, not required, or blank. */
export const ENERGY_STATES = ['en-cours', 'non-soumis', 'vierge'] as const;
export type EnergyState = (typeof ENERGY_STATES)[number];

/** One figure of an energy certificate, in the certificate's own terms. */
export interface EnergyFigure {
  /** ISO 3166-1 alpha-2. */
  pays: string;
  /** Absent when country and region do not determine a scale; then `classe` is absent too. */
  echelle?: EnergyScaleName;
  grandeur: EnergyQuantity;
  /** A class of that scale. */
  classe?: string;
  valeur?: number;
  /** The unit of `valeur`: `kWh/m²/an`, `kWh/m³/an`, `kWh/an`, `kg CO₂/m²/an`, `points`. */
  unite?: string;
  base?: EnergyBasis;
  /** The energy carriers, in the source's own words. */
  vecteurs?: string[];
  numero?: string;
  /** ISO 8601, the day only. */
  date?: string;
  valableJusque?: string;
  coutMin?: number;
  coutMax?: number;
  /** The date of the energy prices on which the costs are based: a year or a day. */
  prixAnnee?: string;
  /** Method or version of the certificate, in the source's own words. */
  methode?: string;
  /** Year of construction, according to the certificate. */
  annee?: number;
  /** Whether the figure includes hot water (`eauChaude`) and electricity (`electricite`). */
  eauChaude?: boolean;
  electricite?: boolean;
  statut?: EnergyState;
}
