import type { EnergyFigure, EnergyQuantity, EnergyScaleName } from '@passerelle/domain';

/** How a country draws its label. */
export interface Label {
  /** In the country's language, as the texts below. */
  title: string;
  language: string;
  /** A chart for each list: what has a column in it. */
  charts: readonly (readonly (readonly [EnergyQuantity, string])[])[];
  /** One band from left to right instead of arrows below each other. */
  isBand?: true;
  /** Texts for certificates without a class. */
  states: Readonly<Record<NonNullable<EnergyFigure['statut']>, string>>;
}

const FRENCH = { 'en-cours': 'en cours', 'non-soumis': 'non soumis', vierge: 'vierge' };
const GERMAN = { 'en-cours': 'in Bearbeitung', 'non-soumis': 'nicht erforderlich', vierge: 'ohne Angabe' };
const DUTCH = { 'en-cours': 'in aanvraag', 'non-soumis': 'vrijgesteld', vierge: 'blanco' };

/** The label of each scale, in the language of its country. */
export const LABELS: Readonly<Record<EnergyScaleName, Label>> = {
  'FR-DPE': {
    ...{ title: 'Diagnostic de performance énergétique', language: 'fr', states: FRENCH },
    charts: [[['energie-primaire', 'Énergie']], [['emissions', 'Climat (GES)']]],
  },
  'BE-VLG': {
    ...{ title: 'EPC (Vlaanderen)', language: 'nl', states: DUTCH, isBand: true },
    charts: [[['energie-primaire', 'Energiescore']]],
  },
  'BE-WAL': {
    ...{ title: 'Certificat PEB (Wallonie)', language: 'fr', states: FRENCH },
    charts: [[['energie-primaire', 'Énergie primaire']]],
  },
  'BE-BRU': {
    ...{ title: 'Certificat PEB (Bruxelles)', language: 'fr', states: FRENCH },
    charts: [[['energie-primaire', 'Énergie primaire']]],
  },
  'DE-GEG': {
    ...{ title: 'Energieausweis', language: 'de', states: GERMAN, isBand: true },
    charts: [[['energie-finale', 'Endenergie']]],
  },
  'AT-EAVG': {
    ...{ title: 'Energieausweis', language: 'de', states: GERMAN },
    charts: [
      [
        ['besoin-chauffage', 'HWB'],
        ['energie-primaire', 'PEB'],
        ['emissions', 'CO₂'],
        ['facteur-efficacite', 'fGEE'],
      ],
    ],
  },
  'ES-CEE': {
    ...{ title: 'Calificación energética', language: 'es' },
    states: { 'en-cours': 'en trámite', 'non-soumis': 'exento', vierge: 'en blanco' },
    charts: [
      [
        ['energie-primaire', 'Consumo'],
        ['emissions', 'Emisiones'],
      ],
    ],
  },
  'IT-APE': {
    ...{ title: 'Attestato di prestazione energetica', language: 'it' },
    states: { 'en-cours': 'in corso', 'non-soumis': 'esente', vierge: 'non indicata' },
    charts: [[['energie-primaire', 'Prestazione globale']]],
  },
  'NL-EPL': {
    ...{ title: 'Energielabel', language: 'nl', states: DUTCH },
    charts: [[['energie-primaire', 'Energielabel']]],
  },
  'PT-SCE': {
    ...{ title: 'Certificado energético', language: 'pt' },
    states: { 'en-cours': 'em curso', 'non-soumis': 'isento', vierge: 'em branco' },
    charts: [[['energie-primaire', 'Classe']]],
  },
  'CH-GEAK': {
    ...{ title: 'GEAK / CECB', language: 'de', states: GERMAN },
    charts: [
      [
        ['enveloppe', 'Gebäudehülle'],
        ['energie-primaire', 'Gesamtenergie'],
        ['emissions', 'CO₂'],
      ],
    ],
  },
  'UK-EPC': {
    ...{ title: 'Energy performance certificate', language: 'en' },
    states: { 'en-cours': 'being prepared', 'non-soumis': 'exempt', vierge: 'not rated' },
    charts: [
      [
        ['note', 'Current'],
        ['note-potentielle', 'Potential'],
      ],
    ],
  },
  'LU-CPE': {
    ...{ title: 'Passeport énergétique', language: 'fr', states: FRENCH },
    charts: [
      [
        ['energie-primaire', 'Énergie'],
        ['besoin-chauffage', 'Isolation'],
        ['emissions', 'CO₂'],
      ],
    ],
  },
  'IE-BER': {
    ...{ title: 'Building energy rating', language: 'en' },
    states: { 'en-cours': 'being prepared', 'non-soumis': 'exempt', vierge: 'not rated' },
    charts: [[['energie-primaire', 'BER']]],
  },
};
