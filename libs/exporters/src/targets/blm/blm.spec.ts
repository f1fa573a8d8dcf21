import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { agentRefOf } from './mapping';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  placement: { settings: { branch: '99999' }, language: 'en' },
  idOf: ({ advertId }) => agentRefOf(advertId, '99999'),
  read(document) {
    const text = document.toString('latin1');
    const [, columns = '', rows = ''] =
      /^#HEADER#\r\n[^#]*#DEFINITION#\r\n([^~]*)~\r\n\r\n#DATA#\r\n([\s\S]*)#END#\r\n$/.exec(text) ?? [];
    const count = columns.split('^').length;
    return rows
      .split('~\r\n')
      .slice(0, -1)
      .map((row) => {
        const cells = row.split('^');
        expect(cells).toHaveLength(count);
        expect(row).not.toMatch(/[\r\n~]/);
        return cells[0]!;
      });
  },
  onlyWith: { langue: { langue: 'en' }, coproCharges: { chargesService: undefined }, quartier: { adresse: undefined } },
});
