import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { idsInXml } from '../../../../../test/support/targets/readers';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  read: (document) => idsInXml(document, 'root', 'property', 'id'),
  onlyWith: {
    dpeClasse: { energie: undefined },
    gesClasse: { energie: undefined },
    nbreSallesEau: { nbreSallesDeBain: undefined },
  },
  showsPositionOfListing: true,
});
