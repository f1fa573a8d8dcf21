import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { listOf, readXml } from '../../../../../test/support/targets/readers';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  placement: { settings: { anid: 'AGENCY-1', firma: 'Agence Fictive' } },
  read(document) {
    const { immobilie } = readXml(document, 'openimmo')['anbieter'] as { immobilie: unknown };
    return listOf(immobilie).map((one) => {
      const { verwaltung_techn: administration } = one as { verwaltung_techn: { openimmo_obid: string } };
      return administration.openimmo_obid;
    });
  },
});
