import type { EnergyQuantity, EnergyScaleName } from './scales';

/** Whether a figure was calculated for the building, or measured from bills. */
export const ENERGY_BASES = ['besoin', 'consommation'] as const;
export type EnergyBasis = (typeof ENERGY_BASES)[number];

/** Why a certificate has no class: it is being made, the property needs none, or it was issued blank. */
export const ENERGY_STATES = ['en-cours', 'non-soumis', 'vierge'] as const;
export type EnergyState = (typeof ENERGY_STATES)[number];

/** One figure of an energy certificate, as the certificate has it. */
export interface EnergyFigure {
  /** ISO 3166-1 alpha-2. */
  pays: string;
  /** Absent when country and region do not determine one: then there is no class either. */
  echelle?: EnergyScaleName;
  grandeur: EnergyQuantity;
  /** A class of that scale. */
  classe?: string;
  valeur?: number;
  /** The unit of `valeur`: `kWh/m²/an`, `kWh/m³/an`, `kWh/an`, `kg CO₂/m²/an`, `points`. */
  unite?: string;
  base?: EnergyBasis;
  /** The carriers of the energy, in words of the source. */
  vecteurs?: string[];
  numero?: string;
  /** ISO 8601, the day only. */
  date?: string;
  valableJusque?: string;
  coutMin?: number;
  coutMax?: number;
  /** The date of the energy prices behind the costs: a year or a day. */
  prixAnnee?: string;
  /** Method or version of the certificate, in words of the source. */
  methode?: string;
  /** Year of the building, as the certificate has it. */
  annee?: number;
  /** Whether the figure counts hot water, and electricity. */
  eauChaude?: boolean;
  electricite?: boolean;
  statut?: EnergyState;
}
