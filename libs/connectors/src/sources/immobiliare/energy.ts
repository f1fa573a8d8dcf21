import type { XmlRecord } from '../../formats/xml-records';
import { toNumber } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { certificate, type GivenFigure } from '../../kit/energy';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { noticedNumber, positive } from '../../kit/verb';
import { ENERGY_WORDS } from './lookups';

const certificateAt = compilePath('features.energy-class');
const FIELD = 'features.energy-class';
/** The scale of certificates from before October 2015, whose letters have a different meaning today. */
const OLD_SCALE = '1';
/** For non-residential buildings the index may be per volume. */
const BY_VOLUME = /m[3³]/i;

type Place = { pays: string | undefined; codePostal: string | undefined };

/** The APE's class with the index of non-renewable energy, which determines it. Version 2.0 has only the letter. */
export function energyOf(
  where: (record: XmlRecord, context: RecordContext) => Place,
): ReturnType<typeof certificate<XmlRecord>> {
  return certificate((record, context) => {
    const place = where(record, context);
    const given = certificateAt(record);
    const members = (typeof given === 'object' && given !== null ? given : {}) as XmlRecord;
    if (toFlag(scalarOf(members['@certified'])) === false) return { ...place, figures: [] };
    const written = textOf(members['@value']) ?? textOf(given);
    const statut = written === undefined ? undefined : ENERGY_WORDS.find(written);
    if (statut !== undefined) return { ...place, figures: [{ field: FIELD, statut }] };
    const isOld = textOf(members['@scale']) === OLD_SCALE;
    const figure: GivenFigure = { field: FIELD, ...(isOld ? { methode: 'IPE' } : { classe: written }) };
    return { ...place, figures: [{ ...figure, ...indexOf(members['energy-performance'], context) }] };
  });
}

function indexOf(performances: unknown, context: RecordContext): Partial<GivenFigure> {
  let byVolume: Partial<GivenFigure> = {};
  for (const one of listOf(performances)) {
    const { '@type': kind, '@unit': unit } = (typeof one === 'object' && one !== null ? one : {}) as XmlRecord;
    if (textOf(kind) === 'ren') continue;
    const written = scalarOf(one);
    const valeur = positive(noticedNumber(toNumber(written), written, `${FIELD}.energy-performance`, context));
    if (valeur === undefined) continue;
    if (!BY_VOLUME.test(textOf(unit) ?? '')) return { valeur };
    byVolume = { valeur, unite: 'kWh/m³/an' };
  }
  return byVolume;
}
