import type { EnergyState } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toIsoDay } from '../../kit/clean/date';
import { plainLine } from '../../kit/clean/plain-text';
import { saysNothing } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { certificate, type GivenFigure } from '../../kit/energy';
import { scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { wordTable } from '../../kit/word-table';

/** `energiarecibido`. 0 (pending) and 1 (handed in) are omitted, because they are no state of a certificate. */
const STATES = wordTable<EnergyState>({ 2: 'en-cours', 3: 'non-soumis' });
const LETTERLESS = wordTable<EnergyState>({
  ...{ tramites: 'en-cours', 'en tramites': 'en-cours', tramite: 'en-cours', 'en tramite': 'en-cours' },
  ...{ exento: 'non-soumis', exenta: 'non-soumis' },
});
/** The Portuguese certificate has no emissions class. */
const WITHOUT_EMISSIONS_CLASS = new Set(['PT']);

const LETTER = /^[A-I](?:[+-]{0,4}|\d)$/i;
const FIRST_LETTER = 'G';

const [usage, emissions] = [v.decimal('energiavalor'), v.decimal('emisionesvalor')];

/** The form of the CRM preselects G for emissions, so a G without a letter for consumption is ignored. */
export function energyOf(
  where: (record: XmlRecord, context: RecordContext) => { pays: string | undefined; codePostal: string | undefined },
): ReturnType<typeof certificate<XmlRecord>> {
  return certificate((record, context) => {
    const place = where(record, context);
    const written = textOf(record['energialetra']);
    const statut =
      STATES.find(textOf(record['energiarecibido']) ?? '') ??
      (written === undefined ? undefined : LETTERLESS.find(written));
    if (statut !== undefined) return { ...place, figures: [{ field: 'energialetra', statut }] };
    if (written === undefined || saysNothing(written)) return { ...place, figures: [] };
    const details = {
      numero: plainLine(textOf(record['refcertificado'])),
      valableJusque: toIsoDay(scalarOf(record['fecha_caducidad'])),
    };
    const figures: GivenFigure[] = [
      { field: 'energialetra', classe: written, valeur: usage.read(record, context), ...details },
    ];
    const valeur = emissions.read(record, context);
    const letter = textOf(record['emisionesletra']);
    const isStated = LETTER.test(written) || letter !== FIRST_LETTER;
    const classe = isStated && !WITHOUT_EMISSIONS_CLASS.has(place.pays ?? '') ? letter : undefined;
    figures.push({ grandeur: 'emissions', field: 'emisionesletra', classe, valeur });
    return { ...place, figures };
  });
}
