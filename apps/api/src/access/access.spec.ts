import type { ServedGateway } from '@passerelle/database';
import { ApiError, hashApiKey } from '@passerelle/domain';
import { Access } from './access';
import { GatewayCache } from './gateway-cache';

const PEPPER = Buffer.from('pepper');

function setUp(gateway: Partial<ServedGateway> | null) {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
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
            keys: [{ hash: hashApiKey('right', PEPPER), expiresAtMs: null }],
            snapshot: { id: 1, total: 0 },
            confirmedAgeMs: 100,
            connector: null,
            ...gateway,
          },
    ),
  );
  const cache = new GatewayCache(find, clock);
  cache.setListening(true);
  const access = new Access(cache, PEPPER, clock);
  const codeOf = async (key: string | null): Promise<string> =>
    access.open('kyero', 'a', key).then(
      () => 'OPEN',
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
  return { access, find, codeOf, wait: (ms: number) => (nowMs += ms) };
}

describe('Access', () => {
  it('opens from memory after the first time, with an age that goes on', async () => {
    const { access, find, wait } = setUp({});
    expect((await access.open('kyero', 'a', 'right')).confirmedAgeMs).toBe(100);
    wait(50);

    expect((await access.open('kyero', 'a', 'right')).confirmedAgeMs).toBe(150);
    expect(access.openRemembered('kyero', 'a', 'right')?.confirmedAgeMs).toBe(150);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('never opens with an empty key, even if one was stored', async () => {
    const { codeOf } = setUp({ keys: [{ hash: hashApiKey('', PEPPER), expiresAtMs: null }] });

    expect([await codeOf(''), await codeOf(null)]).toEqual(['AUTH_FAILED', 'AUTH_FAILED']);
  });

  it.each([
    ['an unknown gateway', null],
    ['a wrong key', {}],
  ])('looks once a second for %s, whether it is remembered or not', async (_title, gateway) => {
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

  it('ends a key in memory at its moment', async () => {
    const { codeOf, wait } = setUp({ keys: [{ hash: hashApiKey('right', PEPPER), expiresAtMs: 1_000 }] });

    expect(await codeOf('right')).toBe('OPEN');
    wait(999);
    expect(await codeOf('right')).toBe('OPEN');
    wait(1);
    expect(await codeOf('right')).toBe('AUTH_FAILED');
  });

  it('keeps a key that is stored twice until its last end', async () => {
    const hash = hashApiKey('right', PEPPER);
    const { codeOf, wait } = setUp({
      keys: [
        { hash, expiresAtMs: 10 },
        { hash, expiresAtMs: null },
      ],
    });

    expect(await codeOf('right')).toBe('OPEN');
    wait(20);
    expect(await codeOf('right')).toBe('OPEN');
  });

  it('tells that a gateway is disabled only to its key', async () => {
    const { codeOf } = setUp({ enabled: false });

    expect([await codeOf('right'), await codeOf('wrong')]).toEqual(['FORBIDDEN', 'AUTH_FAILED']);
  });
});
