import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { certificate, type GivenFigure } from '../../kit/energy';
import { compilePath, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { ENERGY_WORDS, LAWS } from './lookups';

const RATING = 'propertyFeatures.featuresEnergyCertificateRating';
const EMISSIONS = 'propertyFeatures.featuresEnergyCertificateEmissionsRating';
const LAW = 'propertyFeatures.featuresEnergyCertificateLaw';
const [ratingAt, emissionsAt, lawAt] = [compilePath(RATING), compilePath(EMISSIONS), compilePath(LAW)];
const usage = v.decimal('propertyFeatures.featuresEnergyCertificatePerformance');
const emitted = v.decimal('propertyFeatures.featuresEnergyCertificateEmissionsValue');
/** In these countries certificates have no emissions class. */
const WITHOUT_EMISSIONS_CLASS = new Set(['IT', 'PT']);

/** An Italian letter under the law of 2005 is of an older scale: only its value is kept, with the law as the method. */
export function energyOf(
  where: (record: JsonRecord, context: RecordContext) => { pays: string | undefined; codePostal: string | undefined },
): ReturnType<typeof certificate<JsonRecord>> {
  return certificate((record, context) => {
    const place = where(record, context);
    const written = textOf(ratingAt(record));
    const state = written === undefined ? undefined : ENERGY_WORDS.find(written);
    if (state !== undefined && state !== 'unknown') return { ...place, figures: [{ field: RATING, statut: state }] };
    const law = lookUp(LAWS, textOf(lawAt(record)), LAW, context);
    const isOld = place.pays === 'IT' && law?.isOld === true;
    const valeur = positive(usage.read(record, context));
    const first: GivenFigure = { field: RATING, valeur };
    if (!isOld && state === undefined) first.classe = written;
    if (isOld) first.methode = law.name;
    return { ...place, figures: [first, emissionsOf(record, place.pays, context)] };
  });
}

function emissionsOf(record: JsonRecord, pays: string | undefined, context: RecordContext): GivenFigure {
  const written = textOf(emissionsAt(record));
  const isLetter = written !== undefined && ENERGY_WORDS.find(written) === undefined;
  return {
    grandeur: 'emissions',
    field: EMISSIONS,
    classe: isLetter && !WITHOUT_EMISSIONS_CLASS.has(pays ?? '') ? written : undefined,
    valeur: positive(emitted.read(record, context)),
  };
}

/** Exporters write 0 for an unknown value. */
function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
