import pino from 'pino';
import { LimitStore } from './limit-store';
import { RefusedKeys } from './refused-keys';

function setUp(refusedKeysPerMinute: number) {
  let nowMs = 0;
  const lines: unknown[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const clock = { nowMs: () => 0, monotonicMs: () => nowMs };
  const store = new LimitStore({ redisUrl: null, redisPrefix: 'test' }, clock, logger);
  const refused = new RefusedKeys({ refusedKeysPerMinute }, store, logger);
  const codes = async (count: number, address: string | undefined): Promise<string[]> => {
    const refusals = await Promise.all(Array.from({ length: count }, () => refused.refusal(address)));
    return refusals.map(({ code }) => code);
  };
  return { refused, codes, lines, at: (ms: number) => (nowMs = ms) };
}

describe('RefusedKeys', () => {
  it('limits refusals per address and minute, counts all refusals and logs one line', async () => {
    const { refused, codes, lines, at } = setUp(2);
    expect(await codes(3, '192.0.2.1')).toEqual(['AUTH_FAILED', 'AUTH_FAILED', 'RATE_LIMITED']);
    expect(await codes(1, '192.0.2.2')).toEqual(['AUTH_FAILED']);
    at(50_000);
    expect((await refused.refusal('192.0.2.1')).headers).toEqual({ 'retry-after': '10' });
    at(60_000);
    expect(await codes(1, '192.0.2.1')).toEqual(['AUTH_FAILED']);
    expect([refused.count, refused.limited]).toEqual([6, 2]);
    expect(lines).toMatchObject([{ msg: 'keys were refused', count: 1 }]);
  });

  it('counts an IPv6 network as one address, and all disconnected clients as one address', async () => {
    const { codes } = setUp(2);
    await codes(1, '2001:db8:1:2::1');
    await codes(1, '2001:db8:1:2::2');
    expect(await codes(1, '2001:db8:1:2:ffff::9')).toEqual(['RATE_LIMITED']);
    expect(await codes(3, undefined)).toEqual(['AUTH_FAILED', 'AUTH_FAILED', 'RATE_LIMITED']);
  });

  it('counts new addresses together when 50,000 addresses have filled its table', async () => {
    const { refused, codes } = setUp(2);
    for (let n = 0; n < 50_000; n += 1) await refused.refusal(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(refused.limited).toBe(0);
    const newcomers = await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => codes(1, address)));
    expect(newcomers.flat()).toEqual(['AUTH_FAILED', 'AUTH_FAILED', 'RATE_LIMITED']);
    expect(refused.limited).toBe(1);
  });
});
