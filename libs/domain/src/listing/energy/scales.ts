import { FRENCH_COUNTRIES } from '../territories';

export const ENERGY_QUANTITIES = [
  /** Primary energy. */
  'energie-primaire',
  /** Final energy. */
  'energie-finale',
  /** Heating demand: Austria's HWB, Luxembourg's thermal insulation. */
  'besoin-chauffage',
  /** Austria's fGEE: energy demand relative to a reference building. */
  'facteur-efficacite',
  /** Greenhouse gases. */
  'emissions',
  /** Switzerland: only the building's envelope. */
  'enveloppe',
  /** United Kingdom: the rating in points. */
  'note',
  /** United Kingdom: the rating in points that the building could reach. */
  'note-potentielle',
] as const;
export type EnergyQuantity = (typeof ENERGY_QUANTITIES)[number];

export interface EnergyScale {
  /** ISO 3166-1 alpha-2 codes of the countries that use the scale. */
  countries: readonly string[];
  /** From the best to the worst, as certificates print them. */
  classes: readonly string[];
  /** Quantities that may have a class. In these countries "energy class" means the class of the first quantity. */
  quantities: readonly [EnergyQuantity, ...EnergyQuantity[]];
}

const A_TO_G = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** Every known scale, by its name. In the countries of a scale, only the scale's classes are valid. */
export const ENERGY_SCALES = {
  'FR-DPE': {
    countries: FRENCH_COUNTRIES,
    classes: A_TO_G,
    quantities: ['energie-primaire', 'emissions'],
  },
  'BE-VLG': { countries: ['BE'], classes: ['A+', 'A', 'B', 'C', 'D', 'E', 'F'], quantities: ['energie-primaire'] },
  'BE-WAL': { countries: ['BE'], classes: ['A++', 'A+', ...A_TO_G], quantities: ['energie-primaire'] },
  'BE-BRU': {
    countries: ['BE'],
    // prettier-ignore
    classes: ['A++', 'A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'E+', 'E', 'E-', 'F', 'G'],
    quantities: ['energie-primaire'],
  },
  'DE-GEG': { countries: ['DE'], classes: ['A+', ...A_TO_G, 'H'], quantities: ['energie-finale'] },
  'AT-EAVG': {
    countries: ['AT'],
    classes: ['A++', 'A+', ...A_TO_G],
    quantities: ['besoin-chauffage', 'facteur-efficacite', 'energie-primaire', 'emissions'],
  },
  'ES-CEE': { countries: ['ES'], classes: A_TO_G, quantities: ['energie-primaire', 'emissions'] },
  'IT-APE': {
    countries: ['IT'],
    classes: ['A4', 'A3', 'A2', 'A1', 'B', 'C', 'D', 'E', 'F', 'G'],
    quantities: ['energie-primaire'],
  },
  'NL-EPL': {
    countries: ['NL'],
    classes: ['A++++', 'A+++', 'A++', 'A+', ...A_TO_G],
    quantities: ['energie-primaire'],
  },
  'PT-SCE': {
    countries: ['PT'],
    classes: ['A+', 'A', 'B', 'B-', 'C', 'D', 'E', 'F'],
    quantities: ['energie-primaire'],
  },
  'CH-GEAK': { countries: ['CH'], classes: A_TO_G, quantities: ['energie-primaire', 'enveloppe', 'emissions'] },
  'UK-EPC': { countries: ['GB'], classes: A_TO_G, quantities: ['note', 'note-potentielle', 'emissions'] },
  'LU-CPE': {
    countries: ['LU'],
    classes: ['A+', ...A_TO_G, 'H', 'I'],
    quantities: ['energie-primaire', 'besoin-chauffage', 'emissions'],
  },
  'IE-BER': {
    countries: ['IE'],
    classes: ['A1', 'A2', 'A3', 'B1', 'B2', 'B3', 'C1', 'C2', 'C3', 'D1', 'D2', 'E1', 'E2', 'F', 'G'],
    quantities: ['energie-primaire'],
  },
} as const satisfies Readonly<Record<string, EnergyScale>>;

export type EnergyScaleName = keyof typeof ENERGY_SCALES;

const SCALE_NAMES = Object.keys(ENERGY_SCALES) as readonly EnergyScaleName[];

const BY_COUNTRY: ReadonlyMap<string, EnergyScaleName> = new Map(
  SCALE_NAMES.flatMap((name) =>
    ENERGY_SCALES[name].countries.map((country): [string, EnergyScaleName] => [country, name]),
  ),
);

/** Undefined for a country without a scale, and for a Belgian postcode that does not determine the region's scale. */
export function energyScaleOf(country: string | undefined, postcode?: string): EnergyScaleName | undefined {
  return country === 'BE' ? belgianScaleOf(postcode) : BY_COUNTRY.get(country ?? '');
}

function belgianScaleOf(postcode: string | undefined): EnergyScaleName | undefined {
  if (postcode === undefined || !/^[1-9]\d{3}$/.test(postcode)) return undefined;
  const place = Number(postcode);
  if (place < 1300) return 'BE-BRU';
  return place < 1500 || (place >= 4000 && place < 8000) ? 'BE-WAL' : 'BE-VLG';
}

/** Reads `a+`, `A_PLUS_PLUS`, `A_P`, `Classe C`, `C (210)`. Undefined for a text that is not exactly one class. */
export function readEnergyClass(word: string, scale: EnergyScaleName): string | undefined {
  if (word.length > LONGEST) return undefined;
  const found = SPELLING.exec(word.trim());
  if (found === null) return undefined;
  const [, letter = '', digit = '', signs = ''] = found;
  const written = `${letter.toUpperCase()}${digit}${signsOf(signs)}`;
  const classes: readonly string[] = ENERGY_SCALES[scale].classes;
  return classes.includes(written) ? written : undefined;
}

const LONGEST = 60;
const NAME = '(?:(?:classe?|clase|klasse|label|letra|lettre|energy|epc|peb|dpe|ges|ber)[\\s:]+){0,3}';
const DIGIT = '(?:\\s?([1-4])(?![\\d.,]))?';
const SIGNS = '((?:[\\s_]*(?:\\+|plus|moins|minus))*|(?:_?P)+|_M|\\s?[-\u2212](?=\\s|\\(|$))';
const VALUE = '(?:[\\s(:;,/]+\\d[\\d.,\\s]*(?:(?:kwh|kg|points?)[^\\s()]{0,20})?\\)?)?';
/** An optional word for "class", a letter, an optional digit, signs or words for signs, and an optional value. */
const SPELLING = new RegExp(`^${NAME}([A-I])${DIGIT}${SIGNS}${VALUE}$`, 'i');

function signsOf(written: string): string {
  return written
    .replace(/[\s_]+/g, '')
    .replace(/minus|moins|m|\u2212/gi, '-')
    .replace(/plus|p/gi, '+');
}
