import pino from 'pino';
import { Outage } from '../metrics/outage';
import { UsedKeys } from './used-keys';

describe('UsedKeys', () => {
  it('notes each key once a day, and again where that failed', async () => {
    let nowMs = Date.parse('2026-03-01T23:00:00Z');
    const note = jest.fn(() => Promise.resolve());
    const logger = pino({ level: 'silent' });
    const used = new UsedKeys({ note }, { nowMs: () => nowMs, monotonicMs: () => 0 }, new Outage(logger), logger);
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    for (const hash of [one, one, other]) used.note(1, hash);
    expect(note.mock.calls).toEqual([
      [1, one],
      [1, other],
    ]);
    nowMs += 3_600_000;
    note.mockRejectedValueOnce(new Error('away'));
    used.note(1, one);
    await Promise.resolve().then(() => undefined);
    used.note(1, one);
    used.note(1, one);
    expect(note).toHaveBeenCalledTimes(4);
  });
});
