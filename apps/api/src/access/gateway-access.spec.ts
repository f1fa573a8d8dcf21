import timers from 'node:timers/promises';
import type { ServedGateway } from '@passerelle/database';
import { ALL_TERMS, ApiError, KeyHashes, type KeyTerms } from '@passerelle/domain';
import pino from 'pino';
import type { Clock } from '../clock';
import { GatewayAccess } from './gateway-access';
import { GatewayCache, type KeyRequest } from './gateway-cache';
import { LimitStore } from './limit-store';
import { RefusedKeys } from './refused-keys';

const CALLER = { address: '192.0.2.1', requestId: 'r', use: 'read' } as const;
const HASHES = new KeyHashes({ secretsKey: 'k'.repeat(32), secretsKeyOld: null, pepper: Buffer.from('pepper') });

const keyOf = (key: string, expiresAtMs: number | null = null, id = 1, terms: Partial<KeyTerms> = {}) => ({
  id,
  ...HASHES.make(key),
  expiresAtMs,
  ...ALL_TERMS,
  ...terms,
});

const limitStore = (clock: Clock, logger: pino.Logger): LimitStore =>
  new LimitStore({ redisUrl: null, redisPrefix: 'test' }, clock, logger);

function setUp(gateway: Partial<ServedGateway> | null) {
  let nowMs = 0;
  // The clocks start at different values, so that a test fails if the code mixes them up.
  const clock = { nowMs: () => nowMs, monotonicMs: () => 1e6 + nowMs };
  const find = jest.fn(() =>
    Promise.resolve(
      gateway === null
        ? null
        : {
            id: 1,
            crm: 'kyero',
            client: 'a',
            enabled: true,
            contractEnd: null,
            keys: [keyOf('right')],
            snapshot: null,
            recent: [],
            confirmedAtMs: null,
            databaseMs: 5_000,
            confirmedAgeMs: 100,
            connector: null,
            ...gateway,
          },
    ),
  );
  const cache = new GatewayCache({ find }, clock, { walkSeconds: 900 });
  cache.setListening(true);
  const used = jest.fn();
  const lines: { msg: string; count: number }[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[0]) },
  );
  const refused = new RefusedKeys({ refusedKeysPerMinute: 1_000 }, limitStore(clock, logger), logger);
  const access = new GatewayAccess(cache, HASHES, clock, refused, { note: used } as never);
  const codeOf = async (key: string | null): Promise<string> =>
    access.open('kyero', 'a', key, CALLER).then(
      () => 'OPEN',
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
  return { access, find, used, codeOf, lines, wait: (ms: number) => (nowMs += ms) };
}

describe('GatewayAccess', () => {
  it.each([
    ['kyero', 'a'.repeat(65)],
    ['k'.repeat(15_000), 'a'],
  ])('refuses an impossible gateway name with the usual delay, without a query', async (crm, client) => {
    const { access, find } = setUp(null);
    const startedMs = performance.now();
    const refused = access.open(crm, client, 'right', CALLER);
    await expect(refused).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(19);
    expect(find).not.toHaveBeenCalled();
  });

  it('looks up the longest possible gateway name', async () => {
    const { access, find } = setUp(null);
    await expect(access.open('k'.repeat(64), 'a'.repeat(64), 'x', CALLER)).rejects.toMatchObject({
      code: 'AUTH_FAILED',
    });
    expect(find).toHaveBeenCalled();
  });

  it('opens a cached gateway without a query, and advances the age of its confirmation', async () => {
    const { access, find, wait } = setUp({});
    expect((await access.open('kyero', 'a', 'right', CALLER)).confirmedAgeMs).toBe(100);
    wait(50);

    expect((await access.open('kyero', 'a', 'right', CALLER)).confirmedAgeMs).toBe(150);
    expect(access.openCached('kyero/a', 'right', CALLER)).toMatchObject({ confirmedAgeMs: 150, databaseMs: 5_050 });
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('notes the use of a right key when it checks the key, not on each request', async () => {
    const { codeOf, used } = setUp({});
    expect([await codeOf('wrong'), await codeOf('right'), await codeOf('right')]).toEqual([
      'AUTH_FAILED',
      'OPEN',
      'OPEN',
    ]);
    expect(used.mock.calls).toEqual([[keyOf('right'), 'right']]);
  });

  it('logs a separate line when the keys of the refused gateway were hashed with another secret', async () => {
    const others = new KeyHashes({ secretsKey: 'o'.repeat(32), secretsKeyOld: null, pepper: Buffer.from('pepper') });
    const keys = [{ id: 1, ...others.make('right'), expiresAtMs: null, ...ALL_TERMS }];
    const [own, other] = [setUp({}), setUp({ keys })];
    expect([await own.codeOf('wrong'), await other.codeOf('right'), await other.codeOf('right')]).toEqual(
      Array.from({ length: 3 }, () => 'AUTH_FAILED'),
    );
    expect(own.lines.map(({ msg }) => msg)).toEqual(['keys were refused']);
    expect(other.lines.map(({ msg }) => msg)).toEqual([
      'keys that may be valid were refused: they were hashed with another SECRETS_KEY than this process has',
      'keys were refused',
    ]);
  });

  it('refuses an empty key, even if one was stored', async () => {
    const { codeOf } = setUp({ keys: [keyOf('')] });

    expect([await codeOf(''), await codeOf(null)]).toEqual(['AUTH_FAILED', 'AUTH_FAILED']);
  });

  it.each([
    ['an unknown gateway', null],
    ['a wrong key', {}],
  ])('queries the database at most once a second for %s, whether cached or not', async (_title, gateway) => {
    const { codeOf, find, wait } = setUp(gateway);
    if (gateway !== null) await codeOf('right');
    find.mockClear();

    expect(await codeOf('wrong')).toBe('AUTH_FAILED');
    expect(await codeOf('wrong')).toBe('AUTH_FAILED');
    expect(await codeOf(null)).toBe('AUTH_FAILED');
    expect(find).toHaveBeenCalledTimes(1);
    wait(1_000);
    expect(await codeOf('wrong')).toBe('AUTH_FAILED');
    expect(find).toHaveBeenCalledTimes(2);
  });

  describe('minimum time of a refusal', () => {
    let sleep: jest.SpyInstance;
    beforeEach(() => {
      sleep = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    });
    afterEach(() => {
      sleep.mockRestore();
    });

    it.each([
      ['an unknown gateway', null],
      ['a wrong key', {}],
    ])('applies to %s, whether the gateway was queried or not', async (_title, gateway) => {
      const { codeOf } = setUp(gateway);

      expect([await codeOf('wrong'), await codeOf('wrong')]).toEqual(['AUTH_FAILED', 'AUTH_FAILED']);
      expect(sleep.mock.calls).toEqual([[20], [20]]);
    });

    it.each([
      [15, 5],
      [20, 0],
      [500, 0],
    ])('includes the %i ms that the query took', async (tookMs, leftMs) => {
      const { codeOf, find, wait } = setUp(null);
      find.mockImplementationOnce(() => {
        wait(tookMs);
        return Promise.resolve(null);
      });

      await codeOf('wrong');
      expect(sleep.mock.calls).toEqual([[leftMs]]);
    });

    it('never delays a right key', async () => {
      const { codeOf } = setUp({});

      expect([await codeOf('right'), await codeOf('right')]).toEqual(['OPEN', 'OPEN']);
      expect(sleep).not.toHaveBeenCalled();
    });
  });

  it('refuses with a neutral message that names the authentication scheme in a header', async () => {
    const { access } = setUp(null);

    await expect(access.open('kyero', 'a', 'wrong', CALLER)).rejects.toMatchObject({
      message: 'The API key, or the combination of client and crm, is invalid.',
      headers: { 'www-authenticate': 'Bearer realm="listings"' },
    });
  });

  it('opens a gateway without a query only if the gateway is cached and the key is right', async () => {
    const { access, find } = setUp({});
    expect(access.openCached('kyero/a', 'right', CALLER)).toBeNull();
    await access.open('kyero', 'a', 'right', CALLER);

    expect(access.openCached('kyero/a', 'wrong', CALLER)).toBeNull();
    expect(access.openCached('kyero/b', 'right', CALLER)).toBeNull();
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('reads an open gateway again, and refuses the request if the gateway was removed', async () => {
    const { access, find } = setUp({});
    const open = await access.open('kyero', 'a', 'right', CALLER);

    expect((await access.reopen(open)).gateway).toMatchObject({ id: 1 });
    expect(find).toHaveBeenCalledTimes(2);
    find.mockResolvedValueOnce(null);
    await expect(access.reopen(open)).rejects.toMatchObject({
      code: 'AUTH_FAILED',
      message: 'The gateway was removed.',
    });
  });

  it('returns a null age if the listings were never confirmed', async () => {
    const { access } = setUp({ confirmedAgeMs: null });

    expect((await access.open('kyero', 'a', 'right', CALLER)).confirmedAgeMs).toBeNull();
  });

  it('checks a key once per cached read of its gateway', async () => {
    const { access } = setUp({});
    const { gateway } = await access.open('kyero', 'a', 'right', CALLER);
    gateway.keys = [];

    expect(access.openCached('kyero/a', 'right', CALLER)).not.toBeNull();
  });

  it('accepts an old key next to its successor until the old key expires', async () => {
    const { codeOf, wait } = setUp({
      keys: [keyOf('right', 10), keyOf('next')],
    });

    expect([await codeOf('right'), await codeOf('next')]).toEqual(['OPEN', 'OPEN']);
    wait(20);
    expect([await codeOf('right'), await codeOf('next')]).toEqual(['AUTH_FAILED', 'OPEN']);
  });

  it('refuses a cached key as soon as it expires', async () => {
    const { codeOf, wait } = setUp({ keys: [keyOf('right', 1_000)] });

    expect(await codeOf('right')).toBe('OPEN');
    wait(999);
    expect(await codeOf('right')).toBe('OPEN');
    wait(1);
    expect(await codeOf('right')).toBe('AUTH_FAILED');
  });

  it('accepts a key with two entries until the later entry expires', async () => {
    const { codeOf, wait } = setUp({ keys: [keyOf('right', 10), keyOf('right', null, 2)] });

    expect(await codeOf('right')).toBe('OPEN');
    wait(20);
    expect(await codeOf('right')).toBe('OPEN');
  });

  it('reveals only to a right key that a gateway is disabled', async () => {
    const { codeOf } = setUp({ enabled: false });

    expect([await codeOf('right'), await codeOf('wrong')]).toEqual(['FORBIDDEN', 'AUTH_FAILED']);
  });
});

describe('restricted key', () => {
  const REPORT = { ...CALLER, use: 'report' } as const;
  const codeFor = async ({ access }: ReturnType<typeof setUp>, key: string, caller: KeyRequest): Promise<string> =>
    access.open('kyero', 'a', key, { ...caller, requestId: 'r' }).then(
      () => 'OPEN',
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );

  it.each([
    ['read', 'OPEN', 'AUTH_FAILED'],
    ['report', 'AUTH_FAILED', 'OPEN'],
    ['both', 'OPEN', 'OPEN'],
  ] as const)('with scope %s gets %s for a read and %s for a report', async (scope, read, report) => {
    const parts = setUp({ keys: [keyOf('right', null, 1, { scope })] });
    for (let n = 0; n < 2; n += 1) {
      expect([await codeFor(parts, 'right', CALLER), await codeFor(parts, 'right', REPORT)]).toEqual([read, report]);
      expect(parts.access.openCached('kyero/a', 'right', CALLER) !== null).toBe(read === 'OPEN');
    }
  });

  it('is accepted only from its networks', async () => {
    const parts = setUp({ keys: [keyOf('right', null, 1, { networks: ['192.0.2.0/28', '2001:db8::/32'] })] });
    const from = (address: string | undefined) => codeFor(parts, 'right', { address, use: 'read' });
    for (let n = 0; n < 2; n += 1) {
      expect(await from('192.0.2.16')).toBe('AUTH_FAILED');
      expect(await from('192.0.2.15')).toBe('OPEN');
      expect(await from('::ffff:192.0.2.1')).toBe('OPEN');
      expect(await from('2001:db8::1')).toBe('OPEN');
      expect(await from(undefined)).toBe('AUTH_FAILED');
    }
    expect(parts.access.openCached('kyero/a', 'right', { ...CALLER, address: '192.0.2.16' })).toBeNull();
  });

  it('has the permissions of both entries if it is stored twice', async () => {
    const keys = [
      keyOf('right', null, 1, { scope: 'report' }),
      keyOf('right', 5_000, 2, { scope: 'read', networks: ['192.0.2.1'] }),
    ];
    const parts = setUp({ keys });
    expect([await codeFor(parts, 'right', CALLER), await codeFor(parts, 'right', REPORT)]).toEqual(['OPEN', 'OPEN']);
    expect(parts.access.openCached('kyero/a', 'right', CALLER)?.holdsMs).toBeLessThanOrEqual(5_000);
    expect(await codeFor(parts, 'right', { address: '192.0.2.2', use: 'read' })).toBe('AUTH_FAILED');
    parts.wait(5_000);
    expect([await codeFor(parts, 'right', CALLER), await codeFor(parts, 'right', REPORT)]).toEqual([
      'AUTH_FAILED',
      'OPEN',
    ]);
  });
});
