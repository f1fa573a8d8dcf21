import { isMailAddress, isQuietAt, type NoticeItem } from './notification';
import { bodyFor, composeNotification } from './notification-text';

const ITEM: NoticeItem = {
  ...{ event: 'failing', state: 'new', crm: 'kyero', client: 'port', since: '2026-01-02T03:04:05Z', count: 3 },
  reason: 'the root element is <!channel>: [see](https://evil.example)',
};
const about = (...items: NoticeItem[]) => ({ kind: 'notices' as const, items, total: items.length });

describe('notification', () => {
  it('contains no mention for Slack and no link for Teams that a source has written', () => {
    const { text } = JSON.parse(bodyFor('slack', about(ITEM), '')) as { text: string };
    expect(text).toContain('the root element is &lt;!channel&gt;');
    expect(bodyFor('teams', about(ITEM), '')).toContain(JSON.stringify('\\[see\\](https://evil.example)').slice(1, -1));
  });

  it.each([
    [about(ITEM), 'Passerelle: kyero/port fails'],
    [about({ ...ITEM, state: 'still' }), 'Passerelle: kyero/port still fails'],
    [about(ITEM, { ...ITEM, client: 'b' }), 'Passerelle: 2 gateways fail'],
    [about({ ...ITEM, state: 'recovered' }), 'Passerelle: kyero/port has recovered'],
    [about(ITEM, { ...ITEM, event: 'held' }), 'Passerelle: 2 reports'],
    [
      about({ ...ITEM, event: 'service', crm: null, client: null, service: 'queue' }),
      'Passerelle: queue does not work',
    ],
    [
      about({ ...ITEM, event: 'backup', crm: null, client: null, service: 'backup' }),
      'Passerelle: backup failed, or is too old',
    ],
    [{ kind: 'notices' as const, items: [ITEM], total: 300 }, 'Passerelle: 300 gateways fail'],
  ])('has a title in one line', (data, title) => {
    expect(composeNotification(data).title).toBe(title);
  });

  it.each([
    ['22-07', 23, true],
    ['22-07', 6, true],
    ['22-07', 7, false],
    ['09-17', 9, true],
    ['09-17', 17, false],
    [null, 3, false],
  ])('with the quiet time %s at %d h: %p', (quiet, hour, isQuiet) => {
    expect(isQuietAt(quiet, hour)).toBe(isQuiet);
  });

  it.each([
    ['a@b.example', true],
    ['a@b.example, c@d.example', false],
    ['A <a@b.example>', false],
    ['a@b.example\r\nBcc: c@d.example', false],
    [`${'a'.repeat(300)}@b.example`, false],
  ])('takes %j for one address: %p', (text, isOne) => {
    expect(isMailAddress(text)).toBe(isOne);
  });
});
