import { isGatewayActive } from '@passerelle/domain';
import { IS_GATEWAY_ACTIVE } from '../../../libs/database/src/gateway/served-gateways';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('gateways in PostgreSQL', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });

  it('end their older keys after the overlap, and never later than a previous rotation planned', async () => {
    const { gateways, servedGateways } = db.database;
    const key = (name: string) => ({ hash: Buffer.alloc(32, name), prefix: name });
    const gateway = { crm: 'kyero', client: 'rotated', sourceUrl: 'https://feeds.example/a.xml', settings: {} };
    const id = await gateways.add({ ...gateway, credentials: null, everySeconds: null, contractEnd: null }, key('a'));
    const endsOf = async () => {
      const { keys = [] } = (await servedGateways.find('kyero', 'rotated')) ?? {};
      return new Map(keys.map(({ hash, expiresAtMs }) => [hash.toString('latin1', 0, 1), expiresAtMs]));
    };

    await gateways.rotateKey(id, key('b'), 3600);
    const first = await endsOf();
    expect([...first]).toEqual([
      ['a', expect.any(Number)],
      ['b', null],
    ]);
    await gateways.rotateKey(id, key('c'), 7200);
    const second = await endsOf();
    expect(second.get('a')).toBe(first.get('a'));
    expect(second.get('b')).toBeGreaterThan(second.get('a') ?? NaN);
    expect(second.get('c')).toBeNull();
    await gateways.rotateKey(id, key('d'), 60);
    const third = await endsOf();
    expect(third.get('a')).toBe(third.get('c'));
    expect(third.get('a')).toBeLessThan(first.get('a') ?? NaN);
  });

  it('are added together with their audit entry, or not at all', async () => {
    const { gateways, audit } = db.database;
    const gateway = { crm: 'kyero', client: 'audited', sourceUrl: 'https://feeds.example/a.xml', settings: {} };
    const wish = { ...gateway, credentials: null, everySeconds: null, contractEnd: null };
    const key = { hash: Buffer.alloc(32, 'e'), prefix: 'e' };
    const entry = { who: 'zoe', through: 'ops', act: 'gateway add', crm: 'kyero', client: 'audited' } as const;
    await db.query('ALTER TABLE audit ADD CONSTRAINT no_zoe CHECK (who <> $$zoe$$)');
    await expect(gateways.add(wish, key, [entry])).rejects.toThrow('no_zoe');
    expect(await gateways.find('kyero', 'audited')).toBeNull();
    await db.query('ALTER TABLE audit DROP CONSTRAINT no_zoe');
    await gateways.add(wish, key, [entry]);
    expect(await audit.list({ limit: 9 })).toMatchObject([entry]);
    await expect(gateways.add(wish, key, [entry])).rejects.toThrow('exists already');
    expect(await audit.list({ limit: 9 })).toHaveLength(1);
  });

  it.each([
    [true, null, '2026-07-31T12:00:00Z', true],
    [false, null, '2026-07-31T12:00:00Z', false],
    [true, '2026-07-31', '2026-07-31T12:00:00Z', true],
    [false, '2026-07-31', '2026-07-31T12:00:00Z', false],
    [true, '2026-07-31', '2026-07-31T21:59:59Z', true],
    [true, '2026-07-31', '2026-07-31T22:00:00Z', false],
    [true, '2026-12-31', '2026-12-31T22:59:59Z', true],
    [true, '2026-12-31', '2026-12-31T23:00:00Z', false],
    [true, '2026-07-30', '2026-07-31T12:00:00Z', false],
  ])(
    'are active in SQL exactly when they are active in the program: enabled %s, until %s, at %s',
    async (enabled, contractEnd, now, isActive) => {
      const atThatTime = IS_GATEWAY_ACTIVE.replace('now()', '$3::timestamptz');
      const [row] = await db.query(
        `SELECT ${atThatTime} AS "isActive" FROM (SELECT $1::boolean AS enabled, $2::date AS contract_end) g`,
        [enabled, contractEnd, now],
      );
      expect(row).toEqual({ isActive });
      expect(isGatewayActive({ enabled, contractEnd }, new Date(now))).toBe(isActive);
    },
  );
});
