import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toNumber } from '../../kit/clean/number';
import { certificate, type EnergyFields, type GivenFigure } from '../../kit/energy';
import type { Together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { noticedNumber, positive } from '../../kit/verb';
import type * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { CERTIFICATES } from './lookups';
import { fuelsOf } from './details';

const PASS = 'Energieausweis';
const at = {
  kind: compilePath(`${PASS}.@Energieausweistyp`),
  value: compilePath(`${PASS}.@Energieverbrauchskennwert`),
  hotWater: compilePath(`${PASS}.@WarmwasserEnthalten`),
};

/** One figure of final energy, by need or by consumption; the latter may include hot water. There is no class. */
export function energyOf(where: {
  readonly [F in 'pays' | 'codePostal']: v.Verb<XmlRecord, string>;
}): Together<XmlRecord, EnergyFields> {
  return certificate<XmlRecord>((record, context) => {
    const place = { pays: where.pays.read(record, context), codePostal: where.codePostal.read(record, context) };
    const kind = lookUp(CERTIFICATES, textOf(at.kind(record)), `${PASS}.@Energieausweistyp`, context);
    const field = `${PASS}.@Energieverbrauchskennwert`;
    const written = scalarOf(at.value(record));
    const valeur = positive(noticedNumber(toNumber(written), written, field, context));
    if (valeur === undefined) return { ...place, figures: [] };
    const base = kind === 'unknown' ? undefined : kind;
    const figure: GivenFigure = { field, grandeur: 'energie-finale', valeur, base, vecteurs: fuelsOf(record) };
    const eauChaude = base === 'consommation' ? toFlag(scalarOf(at.hotWater(record))) : undefined;
    return { ...place, figures: [{ ...figure, eauChaude }] };
  });
}
