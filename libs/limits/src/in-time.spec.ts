import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './in-time';

const late = (): Error => new Error('too late');

describe('inTime', () => {
  it('returns the value of a promise that resolves in time', async () => {
    await expect(inTime(sleep(1, 'here'), 10_000, late)).resolves.toBe('here');
  });

  it('rejects with the error of a promise that rejects in time', async () => {
    await expect(inTime(Promise.reject(new Error('failed')), 10_000, late)).rejects.toThrow('failed');
  });

  it('fails with "too late" when the promise does not settle in time', async () => {
    await expect(inTime(new Promise(() => undefined), 5, late)).rejects.toThrow('too late');
  });

  it('ignores a rejection after the time limit', async () => {
    let fail: (error: Error) => void = () => undefined;
    const asked = new Promise((_resolve, reject) => (fail = reject));
    await expect(inTime(asked, 5, late)).rejects.toThrow('too late');
    fail(new Error('failed'));
    await sleep(5);
  });
});
