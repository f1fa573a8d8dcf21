import { loadRegistry } from '@passerelle/connectors';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { type ListedListing, PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

interface House {
  id: string;
  price: number;
  town?: string;
  area?: number;
}

const record = ({ id, price, town = 'Alicante', area = 90 }: House): string => `
  <property><id>${id}</id><ref>R${id}</ref><price>${price}</price><price_freq>sale</price_freq><type>apartment</type>
    <town>${town}</town><postcode>03001</postcode><country>spain</country><surface_area><built>${area}</built></surface_area></property>`;
const feed = (houses: readonly House[]): string => `<root>${houses.map(record).join('')}</root>`;
/** Houses of other towns, so that the gate has no reason to hold a run. */
const others: House[] = Array.from({ length: 20 }, (_, n) => ({ id: `9${n}`, price: 300_000, town: `Town ${n}` }));

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM.
describe('a house that is listed again under another id', () => {
  let db: TestDatabase;
  let crm: FeedServer;
  let gatewayId: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    crm = await startFeedServer();
    gatewayId = await addGateway('agency');
  });
  afterEach(async () => {
    await crm.close();
    await db.drop();
  });

  async function addGateway(client: string): Promise<number> {
    return await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: crm.url, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32, client), prefix: `psr_${client.slice(0, 1)}` },
    );
  }

  async function publish(houses: readonly House[], gateway = gatewayId): Promise<number> {
    crm.answer = { body: feed([...houses, ...others]) };
    const id = await db.database.runRequests.request({ gatewayId: gateway, trigger: 'ops' });
    const outbound = { allowPrivate: new Set([crm.hostAndPort]), pagePauseMs: 0 };
    await runWaiting(db.database, gateway, { registry: await loadRegistry(), outbound });
    expect(await db.query('SELECT state, reason FROM run WHERE id = $1', [id])).toEqual([
      { state: 'published', reason: null },
    ]);
    return id;
  }

  const links = async (gateway = gatewayId): Promise<string[]> =>
    (
      await db.query<{ link: string }>(
        `SELECT concat(aff_id, ' for ', replaces) AS link FROM listing_change
         WHERE gateway_id = $1 AND replaces IS NOT NULL ORDER BY aff_id`,
        [gateway],
      )
    ).map(({ link }) => link);

  it.each<[string, House[], House[], string[]]>([
    ['with the price 3 % lower', [{ id: 'A', price: 200_000 }], [{ id: 'B', price: 194_000 }], ['B for A']],
    ['not with the price 4 % lower', [{ id: 'A', price: 200_000 }], [{ id: 'B', price: 192_000 }], []],
    ['not with another area', [{ id: 'A', price: 200_000 }], [{ id: 'B', price: 200_000, area: 91 }], []],
    ['not in another town', [{ id: 'A', price: 200_000 }], [{ id: 'B', price: 200_000, town: 'Elche' }], []],
    [
      'not if two equal flats left, because either may be the former one',
      [
        { id: 'A', price: 200_000 },
        { id: 'C', price: 200_000 },
      ],
      [{ id: 'B', price: 200_000 }],
      [],
    ],
    [
      'with an id in small letters',
      [{ id: 'AB7', price: 200_000 }],
      [{ id: 'ab7', price: 1_500_000 }],
      ['ab7 for AB7'],
    ],
    ['with an id without zeros', [{ id: 'P-007', price: 200_000 }], [{ id: 'P-7', price: 900_000 }], ['P-7 for P-007']],
  ])('is linked to its former id: %s', async (_case, before, after, expected) => {
    await publish(before);
    await publish(after);
    expect(await links()).toEqual(expected);
  });

  it('is linked within 30 days, in /v1/changes from any earlier list, in history, and in why', async () => {
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([]);
    await publish([{ id: 'B', price: 200_000 }]);
    const [oldest, , newest] = await db.query<{ id: number }>('SELECT id FROM snapshot ORDER BY id');
    const range = { gatewayId, since: oldest!.id, until: newest!.id, format: 'normalized' as const };
    const changes = await db.database.changes.page(range, 0, 10);
    expect(changes.map(({ affId, change, replaces }) => [affId, change, replaces])).toEqual([
      ['A', 'removed', null],
      ['B', 'added', 'A'],
    ]);
    expect((await db.database.traces.trace(gatewayId, 'A')).replacedBy).toBe('B');
    expect(await db.database.traces.changes(gatewayId, 'B', 5)).toMatchObject([{ change: 'added', replaces: 'A' }]);
  });

  it.each([
    ['joins', { X: 'vente' }, { X: 'location', 'X-vente': 'vente' }, ['X-vente for X']],
    ['leaves', { X: 'location', 'X-vente': 'vente' }, { X: 'vente' }, ['X for X-vente']],
    ['joins that the id of the record does not mean', { X: 'vente' }, { X: 'vente', 'X-location': 'location' }, []],
  ])('is linked when an offer of its record %s', async (_case, before, after, expected) => {
    const lists = await PublishedLists.of(db.database, 'two-offers');
    const listed = (offers: object): ListedListing[] =>
      Object.entries(offers).map(([affId, typeTransaction]) => ({ affId, fields: { typeTransaction } }));
    await lists.publish(listed(before));
    await lists.publish(listed(after));
    expect(await links(lists.gatewayId)).toEqual(expected);
  });

  it.each(['a zero byte \0', 'half of a pair \ud83d'])(
    'does not stop a publication when a text has %j',
    async (text) => {
      const lists = await PublishedLists.of(db.database, 'odd-texts');
      const odd = (affId: string): ListedListing => ({ affId, intitule: text, fields: { typeTransaction: 'vente' } });
      await lists.publish([odd('A'), odd('X')]);
      await lists.publish([odd('B'), { ...odd('X'), note: 'changed' }, odd('X-vente')]);
      expect(await links(lists.gatewayId)).toEqual([]);
    },
  );

  it('is not linked after 30 days', async () => {
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([]);
    await db.query(`UPDATE former_listing SET removed_at = now() - interval '31 days'`);
    await publish([{ id: 'B', price: 200_000 }]);
    expect(await links()).toEqual([]);
  });

  it('is not linked to itself when it comes back, nor afterwards to what it was', async () => {
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([]);
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([
      { id: 'A', price: 200_000 },
      { id: 'B', price: 200_000 },
    ]);
    expect(await links()).toEqual([]);
  });

  it('is never linked to a listing of another gateway', async () => {
    const other = await addGateway('b-agency');
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([]);
    await publish([], other);
    await publish([{ id: 'B', price: 200_000 }], other);
    expect(await links(other)).toEqual([]);
  });

  it('is in the message about the new list', async () => {
    await db.query(
      `INSERT INTO webhook_endpoint (gateway_id, slot, url, secret, events) VALUES ($1, 1, 'https://site.example/hook', '\\x00', '{list.published}')`,
      [gatewayId],
    );
    await publish([{ id: 'A', price: 200_000 }]);
    await publish([{ id: 'B', price: 200_000 }]);
    const messages = await db.query<{ data: { replaced: unknown } }>('SELECT data FROM outbox ORDER BY id');
    expect(messages.map(({ data }) => data.replaced)).toEqual([[], [{ affId: 'B', replaces: 'A' }]]);
  });

  it('warns from the third return to an earlier list, and not when a list comes back once', async () => {
    const warnings = (): Promise<{ run_id: number; value: string }[]> =>
      db.query(`SELECT run_id, value FROM run_warning WHERE code = 'alternating_list' ORDER BY run_id`);
    const [a, b]: House[][] = [[{ id: 'A', price: 100_000 }], [{ id: 'B', price: 900_000 }]];
    for (const list of [a, b, a, b]) await publish(list!);
    expect(await warnings()).toEqual([]);
    const third = await publish(a!);
    expect(await warnings()).toEqual([{ run_id: third, value: '3 times in succession' }]);
    expect(await db.query('SELECT warnings FROM run WHERE id = $1', [third])).toMatchObject([
      { warnings: expect.any(Number) },
    ]);
    await publish([{ id: 'C', price: 500_000 }]);
    await publish(a!);
    expect(await warnings()).toHaveLength(1);
  });
});
