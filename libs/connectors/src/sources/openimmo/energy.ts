import type { EnergyBasis, EnergyState } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toNumber, toYear } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import { certificate, type EnergyFields, type GivenFigure } from '../../kit/energy';
import { once, type Together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';

const PASS = 'zustand_angaben.energiepass';
const passAt = compilePath(PASS);
export const issued = once(v.day(`${PASS}.ausstelldatum`));
const validUntil = v.day(`${PASS}.gueltig_bis`);
/** Finds the number in a text such as `120,5 kWh/(m²*a)`. */
const LEADING_NUMBER = /^\s*(\d[\d.,]*)/;

type Pass = Readonly<Record<string, unknown>>;

/**
 * `wertklasse`, energy need and consumption are German fields; HWB and fGEE are Austrian. If the object names no
 * country, these fields decide it.
 */
export function energyOf(where: {
  readonly [F in 'pays' | 'codePostal']: v.Verb<XmlRecord, string>;
}): Together<XmlRecord, EnergyFields> {
  return certificate<XmlRecord>((record, context) => {
    const found = passAt(record);
    if (typeof found !== 'object' || found === null) return { pays: undefined, figures: [] };
    const pass = found as Pass;
    const isAustrian = AUSTRIAN_NAMES.some((name) => textOf(pass[name]) !== undefined);
    const pays = where.pays.read(record, context) ?? (isAustrian ? 'AT' : 'DE');
    const shared = {
      ...{ date: issued.read(record, context), valableJusque: validUntil.read(record, context) },
      annee: toYear(scalarOf(pass['baujahr'])),
    };
    const given = pays === 'AT' ? austrianFigures(pass) : germanFigures(pass, pays);
    return {
      ...{ pays, codePostal: where.codePostal.read(record, context) },
      figures: given.map((figure) => ({ ...figure, ...shared })),
    };
  });
}

const AUSTRIAN_NAMES = ['hwbwert', 'hwbklasse', 'fgeewert', 'fgeeklasse'] as const;

function austrianFigures(pass: Pass): GivenFigure[] {
  return [
    {
      ...{ grandeur: 'besoin-chauffage', field: `${PASS}.hwbklasse`, valeur: valueOf(pass['hwbwert']) },
      ...{ classe: pass['hwbklasse'] ?? pass['wertklasse'], statut: stateOf(pass) },
    },
    {
      ...{ grandeur: 'facteur-efficacite', field: `${PASS}.fgeeklasse`, valeur: valueOf(pass['fgeewert']) },
      classe: pass['fgeeklasse'],
    },
    ...finalFigures(pass),
  ];
}

/**
 * In Germany `wertklasse` is the class of final energy. Elsewhere its meaning is unknown, so it becomes a separate
 * figure.
 */
function germanFigures(pass: Pass, pays: string): GivenFigure[] {
  const [first, ...others] = finalFigures(pass);
  const labelled = { field: `${PASS}.wertklasse`, classe: pass['wertklasse'], statut: stateOf(pass) };
  const figures: GivenFigure[] =
    pays === 'DE'
      ? [{ grandeur: 'energie-finale', ...first, ...labelled }, ...others]
      : [labelled, ...(first === undefined ? [] : [first]), ...others];
  const austrian = austrianOnly(pass);
  return austrian === undefined ? figures : [...figures, austrian];
}

function austrianOnly(pass: Pass): GivenFigure | undefined {
  if (textOf(pass['hwbwert']) === undefined && textOf(pass['hwbklasse']) === undefined) return undefined;
  const [figure] = austrianFigures({ hwbwert: pass['hwbwert'], hwbklasse: pass['hwbklasse'] });
  return figure;
}

/** The figures of final energy. The kind that `epart` names (need or consumption) comes first. */
function finalFigures(pass: Pass): GivenFigure[] {
  const isByNeed = /^bedarf/i.test(textOf(pass['epart']) ?? '');
  const shared = {
    ...{ grandeur: 'energie-finale' as const, field: `${PASS}.energieverbrauchkennwert` },
    ...{ vecteurs: carriersOf(pass), eauChaude: toFlag(scalarOf(pass['mitwarmwasser'])) },
  };
  const figure = (base: EnergyBasis, name: string): GivenFigure[] => {
    const valeur = valueOf(pass[name]);
    return valeur === undefined ? [] : [{ ...shared, base, valeur }];
  };
  const consumed = figure('consommation', 'energieverbrauchkennwert');
  const needed = figure('besoin', 'endenergiebedarf');
  return [
    ...(isByNeed ? [...needed, ...consumed] : [...consumed, ...needed]),
    ...figure('consommation', 'waermewert').map((one) => ({ ...one, electricite: false })),
    ...figure('consommation', 'stromwert').map((one) => ({ ...one, electricite: true })),
  ];
}

function valueOf(written: unknown): number | undefined {
  const value = toNumber(LEADING_NUMBER.exec(textOf(written) ?? '')?.[1]);
  return value !== undefined && value > 0 ? value : undefined;
}

/** Splits a text such as `Gas, Strom`. */
function carriersOf(pass: Pass): string[] | undefined {
  const words = (textOf(pass['primaerenergietraeger']) ?? '')
    .split(/[,;/+]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

function stateOf(pass: Pass): EnergyState | undefined {
  return /^nicht_?(?:noetig|nötig)$/i.test(textOf(pass['jahrgang']) ?? '') ? 'non-soumis' : undefined;
}
