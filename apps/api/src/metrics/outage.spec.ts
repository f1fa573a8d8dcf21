import type { Logger } from 'pino';
import { Outage } from './outage';

describe('Outage', () => {
  const error = jest.fn();
  const outage = new Outage({ error } as unknown as Logger);
  const fault = (message: string, code: string): Error => Object.assign(new Error(message), { code });

  it('logs each kind of failure once, and counts every failed request', () => {
    const readOnly = fault('cannot execute INSERT in a read-only transaction', '25006');
    const full = fault('could not extend file: No space left on device', '53100');
    const away = fault('connect ECONNREFUSED', 'ECONNREFUSED');
    expect([readOnly, full, readOnly, away, away].map((each) => outage.covers(each))).not.toContain(false);
    expect(error.mock.calls).toEqual([
      [{ reason: readOnly.message, failures: 1 }, 'the database is read-only'],
      [{ reason: away.message, failures: 1 }, 'the database does not answer'],
    ]);
    expect([outage.refusedWrites, outage.count]).toEqual([3, 2]);
  });

  it('ignores other errors', () => {
    expect(outage.covers(fault('permission denied for table run', '42501'))).toBe(false);
  });
});
