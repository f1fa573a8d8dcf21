import type { JsonRecord } from '../../formats/json-records';
import { toNumber, toYear } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { certificate, type EnergyFields, type GivenFigure } from '../../kit/energy';
import type { Together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { CERTIFICATES } from './lookups';

const validUntil = v.day('elements.energieausweis_gueltig_bis');
const at = (name: string): ((record: unknown) => unknown) => compilePath(`elements.${name}`);
const kindAt = at('energieausweistyp');
const classAt = [at('energyClass'), at('energieeffizienzklasse')];
const yearAt = at('energieausweisBaujahr');
const warmWaterAt = at('warmwasserEnthalten');
const carrierAt = at('energietraeger');
const neededAt = at('endenergiebedarf');
const consumedAt = at('energieverbrauchskennwert');
const austrianAt = ['hwbwert', 'hwbklasse', 'fgeewert', 'fgeeklasse'].map(at);
const LEADING_NUMBER = /^\s*(\d[\d.,]*)/;

/** The certificate for the country of the estate: final energy with its class in Germany, HWB and fGEE in Austria. */
export function energyOf(where: {
  readonly [F in 'pays' | 'codePostal']: v.Verb<JsonRecord, string>;
}): Together<JsonRecord, EnergyFields> {
  return certificate<JsonRecord>((record, context) => {
    const pays = where.pays.read(record, context);
    const shared = {
      valableJusque: validUntil.read(record, context),
      annee: toYear(scalarOf(yearAt(record))),
    };
    const figures = pays === 'AT' ? austrian(record, context) : german(record, context, pays);
    return {
      ...{ pays, codePostal: where.codePostal.read(record, context) },
      figures: figures.map((figure) => ({ ...figure, ...shared })),
    };
  });
}

function austrian(record: JsonRecord, context: RecordContext): GivenFigure[] {
  const [heating, heatingClass, factor, factorClass] = austrianAt.map((valueAt) => valueAt(record));
  return [
    {
      ...{ grandeur: 'besoin-chauffage', field: 'elements.hwbklasse', valeur: valueOf(heating) },
      classe: heatingClass ?? classOf(record),
    },
    {
      ...{ grandeur: 'facteur-efficacite', field: 'elements.fgeeklasse', valeur: valueOf(factor) },
      classe: factorClass,
    },
    ...final(record, context),
  ];
}

/** Outside Germany the meaning of a class is unknown, so the class is kept apart from the figures. */
function german(record: JsonRecord, context: RecordContext, pays: string | undefined): GivenFigure[] {
  const [first, ...others] = final(record, context);
  const labelled: GivenFigure = { field: 'elements.energyClass', classe: classOf(record) };
  return pays === 'DE'
    ? [{ grandeur: 'energie-finale', ...first, ...labelled }, ...others]
    : [labelled, ...(first === undefined ? [] : [first]), ...others];
}

/** The figure for the kind of the certificate comes first. */
function final(record: JsonRecord, context: RecordContext): GivenFigure[] {
  const isByNeed = lookUp(CERTIFICATES, textOf(kindAt(record)), 'elements.energieausweistyp', context) === 'besoin';
  const carrier = plainLine(textOf(carrierAt(record)));
  const shared = {
    ...{ grandeur: 'energie-finale' as const, field: 'elements.energieverbrauchskennwert' },
    vecteurs:
      carrier === undefined
        ? undefined
        : carrier
            .split(/[,;|]+/)
            .map((word) => word.trim())
            .filter((word) => word !== ''),
    eauChaude: toFlag(scalarOf(warmWaterAt(record))),
  };
  const needed = valueOf(neededAt(record));
  const consumed = valueOf(consumedAt(record));
  const byNeed: GivenFigure[] = needed === undefined ? [] : [{ ...shared, base: 'besoin', valeur: needed }];
  const byUse: GivenFigure[] = consumed === undefined ? [] : [{ ...shared, base: 'consommation', valeur: consumed }];
  return isByNeed ? [...byNeed, ...byUse] : [...byUse, ...byNeed];
}

function classOf(record: JsonRecord): unknown {
  return classAt.map((valueAt) => valueAt(record)).find((value) => textOf(value) !== undefined);
}

/** `120,5 kWh/(m²*a)`, from a text field. */
function valueOf(written: unknown): number | undefined {
  const value = toNumber(LEADING_NUMBER.exec(textOf(written) ?? '')?.[1]);
  return value !== undefined && value > 0 ? value : undefined;
}
