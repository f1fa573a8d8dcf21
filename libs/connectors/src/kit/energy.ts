import {
  ENERGY_SCALES,
  type EnergyFigure,
  type EnergyQuantity,
  type EnergyScaleName,
  energyScaleOf,
  type EnergyState,
  type Listing,
  readEnergyClass,
} from '@passerelle/domain';
import { saysNothing } from './clean/fold-word';
import { toNumber } from './clean/number';
import type { RecordContext } from './contracts';
import { type Together, together } from './together';
import { compilePath, scalarOf, textOf } from './values';
import { noticedNumber, type Verb } from './verb';
import { wordTable } from './word-table';

export type EnergyFields = Pick<Listing, 'energie' | 'dpeClasse' | 'dpeValeur' | 'gesClasse' | 'gesValeur'>;

type Details = {
  [K in keyof Omit<EnergyFigure, 'pays' | 'echelle' | 'grandeur' | 'classe'>]?: EnergyFigure[K] | undefined;
};

export interface GivenFigure extends Details {
  /** Default: the quantity that an energy class of the country describes. */
  grandeur?: EnergyQuantity;
  /** The class as the source writes it. */
  classe?: unknown;
  /** The source's name for the field of the class, for warnings. */
  field: string;
  /** The same for the field of the value, if it is another one. */
  valueField?: string;
}

/** A value that may be zero or negative: `certificate` decides whether the scale has it. The first value that is not zero. */
export function reading(...paths: readonly string[]): Verb<unknown, number> {
  const reads = paths.map((path) => ({ path, read: compilePath(path) }));
  return {
    verb: 'reading',
    paths,
    read(record, context) {
      let found: number | undefined;
      for (const { path, read } of reads) {
        const written = scalarOf(read(record));
        const value = toNumber(written);
        if (value === undefined) noticedNumber(undefined, written, path, context);
        found ??= value;
        if (value !== undefined && value !== 0) return value;
      }
      return found;
    },
  };
}

export interface GivenCertificate {
  /** ISO 3166-1 alpha-2 of the property. */
  pays: string | undefined;
  /** Determines the region in Belgium. */
  codePostal?: string | undefined;
  figures: readonly GivenFigure[];
}

/**
 * Reads classes on the scale of the country or region, without conversion. Only French certificates fill the French
 * fields.
 */
export function certificate<R>(
  read: (record: R, context: RecordContext) => GivenCertificate,
): Together<R, EnergyFields> {
  return together((record, context) => energyFields(read(record, context), context));
}

export function energyFields(given: GivenCertificate, context: RecordContext): EnergyFields {
  const { pays, codePostal } = given;
  const echelle = energyScaleOf(pays, codePostal);
  const energie: EnergyFigure[] = [];
  for (const one of given.figures) {
    const figure = figureOf(one, pays, echelle, context);
    if (figure !== undefined) energie.push(figure);
  }
  if (energie.length === 0) return {};
  return echelle === 'FR-DPE' ? { energie, ...frenchFields(energie) } : { energie };
}

function figureOf(
  { field, valueField = field, grandeur, classe: written, ...details }: GivenFigure,
  pays: string | undefined,
  echelle: EnergyScaleName | undefined,
  context: RecordContext,
): EnergyFigure | undefined {
  const scale = echelle === undefined ? undefined : ENERGY_SCALES[echelle];
  const quantity = grandeur ?? scale?.quantities[0] ?? 'energie-primaire';
  const word = textOf(written);
  const statut = word === undefined ? details.statut : STATES.find(word);
  const carriesClass = scale?.quantities.some((one) => one === quantity) === true;
  const classe =
    word === undefined || echelle === undefined || !carriesClass ? undefined : readEnergyClass(word, echelle);
  const isLost = word !== undefined && classe === undefined && statut === undefined;
  if (isLost && (/[1-9]/.test(word) || !saysNothing(word))) context.warn('unknown_word', field, word.slice(0, 120));
  if (details.valeur !== undefined && details.valeur <= 0 && !mayBeLow(quantity, echelle, classe)) {
    // Without a class, many feeds write zero for an unknown value.
    if (details.valeur < 0 || classe !== undefined)
      context.warn(
        'implausible_value',
        valueField,
        `${details.valeur}${classe === undefined ? '' : ` with class ${classe}`}`,
      );
    delete details.valeur;
  }
  if (classe === undefined && statut === undefined && details.valeur === undefined) return undefined;
  if (pays === undefined) {
    if (classe === undefined && details.valeur !== undefined)
      context.warn('implausible_value', field, `${details.valeur} without a country`);
    return undefined;
  }
  const figure: EnergyFigure = { pays, ...(echelle !== undefined && { echelle }), grandeur: quantity };
  if (classe !== undefined) figure.classe = classe;
  for (const [name, value] of Object.entries(details)) {
    if (value !== undefined) Reflect.set(figure, name, value);
  }
  if (figure.valeur !== undefined) figure.unite ??= UNITS[quantity];
  if (statut !== undefined) figure.statut = statut;
  return figure;
}

/** Scales on which a building that produces more energy than it needs has a value of zero or below. */
const BALANCED: ReadonlySet<EnergyScaleName | undefined> = new Set<EnergyScaleName>([
  ...(['BE-VLG', 'BE-WAL', 'BE-BRU', 'NL-EPL', 'IE-BER'] as const),
]);

/** Zero and below belong to the best class, such as A+ in Flanders. */
function mayBeLow(quantity: EnergyQuantity, echelle: EnergyScaleName | undefined, classe: string | undefined): boolean {
  if (echelle === undefined || !BALANCED.has(echelle) || quantity !== 'energie-primaire') return false;
  return classe !== undefined && classe === ENERGY_SCALES[echelle].classes[0];
}

const PER_AREA = 'kWh/m²/an';
const UNITS: Readonly<Record<EnergyQuantity, string>> = {
  'energie-primaire': PER_AREA,
  'energie-finale': PER_AREA,
  'besoin-chauffage': PER_AREA,
  'facteur-efficacite': 'fGEE',
  emissions: 'kg CO₂/m²/an',
  enveloppe: PER_AREA,
  note: 'points',
  'note-potentielle': 'points',
};

function frenchFields(energie: readonly EnergyFigure[]): Omit<EnergyFields, 'energie'> {
  const fields: Omit<EnergyFields, 'energie'> = {};
  const primary = energie.find(({ grandeur }) => grandeur === 'energie-primaire');
  const emissions = energie.find(({ grandeur }) => grandeur === 'emissions');
  const [dpeClasse, gesClasse] = [letterOf(primary), letterOf(emissions)];
  if (dpeClasse !== undefined) fields.dpeClasse = dpeClasse;
  if (primary?.valeur !== undefined && primary.unite === PER_AREA) fields.dpeValeur = primary.valeur;
  if (gesClasse !== undefined) fields.gesClasse = gesClasse;
  if (emissions?.valeur !== undefined) fields.gesValeur = emissions.valeur;
  return fields;
}

function letterOf(figure: EnergyFigure | undefined): string | undefined {
  if (figure?.classe !== undefined) return figure.classe;
  return figure?.statut === 'vierge' ? 'VI' : figure?.statut === 'non-soumis' ? 'NS' : undefined;
}

/** Words that feeds write instead of a class. */
const STATES = wordTable<EnergyState>({
  ...{ vi: 'vierge', v: 'vierge', vierge: 'vierge', 'dpe vierge': 'vierge' },
  ...{ ns: 'non-soumis', 'non soumis': 'non-soumis', 'non concerne': 'non-soumis', 'non applicable': 'non-soumis' },
  ...{ exempt: 'non-soumis', exempte: 'non-soumis', exento: 'non-soumis', esente: 'non-soumis', isento: 'non-soumis' },
  ...{ 'nicht notwendig': 'non-soumis', 'nicht erforderlich': 'non-soumis', vrijgesteld: 'non-soumis' },
  ...{ 'en cours': 'en-cours', 'dpe en cours': 'en-cours', 'en tramite': 'en-cours', 'in bearbeitung': 'en-cours' },
  ...{ aangevraagd: 'en-cours', 'in aanvraag': 'en-cours', 'in corso': 'en-cours', 'in fase di rilascio': 'en-cours' },
});
