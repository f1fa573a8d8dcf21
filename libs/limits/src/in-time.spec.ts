import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './in-time';

const late = (): Error => new Error('too late');

describe('what is waited for no longer than some time', () => {
  it('is what was waited for, when it comes', async () => {
    await expect(inTime(sleep(1, 'here'), 10_000, late)).resolves.toBe('here');
  });

  it('is its failure, when that comes', async () => {
    await expect(inTime(Promise.reject(new Error('failed')), 10_000, late)).rejects.toThrow('failed');
  });

  it('is that it is too late, when nothing comes', async () => {
    await expect(inTime(new Promise(() => undefined), 5, late)).rejects.toThrow('too late');
  });

  it('may fail afterwards, which is nobody’s', async () => {
    let fail: (error: Error) => void = () => undefined;
    const asked = new Promise((_resolve, reject) => (fail = reject));
    await expect(inTime(asked, 5, late)).rejects.toThrow('too late');
    fail(new Error('failed'));
    await sleep(5);
  });
});
