import pino from 'pino';
import { networkOf, RefusedKeys } from './refused-keys';

describe('RefusedKeys', () => {
  it('limits them by address and minute, counts all, and says once that there were some', () => {
    let nowMs = 0;
    const lines: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const clock = { nowMs: () => 0, monotonicMs: () => nowMs };
    const refused = new RefusedKeys({ refusedKeysPerMinute: 2 }, clock, logger);
    const codes = (count: number, address: string): string[] =>
      Array.from({ length: count }, () => refused.refusal(address).code);

    expect(codes(3, '192.0.2.1')).toEqual(['AUTH_FAILED', 'AUTH_FAILED', 'RATE_LIMITED']);
    expect(codes(1, '192.0.2.2')).toEqual(['AUTH_FAILED']);
    nowMs = 50_000;
    expect(refused.refusal('192.0.2.1').headers).toEqual({ 'retry-after': '10' });
    nowMs = 60_000;
    expect(codes(1, '192.0.2.1')).toEqual(['AUTH_FAILED']);
    expect([refused.count, refused.limited]).toEqual([6, 2]);
    expect(lines).toMatchObject([{ msg: 'keys were refused', count: 1 }]);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
