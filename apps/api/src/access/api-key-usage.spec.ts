import { type KeyHash, KeyHashes, SecretBox } from '@passerelle/domain';
import pino from 'pino';
import { Outage } from '../metrics/outage';
import { ApiKeyUsage } from './api-key-usage';

const PEPPER = Buffer.from('pepper');
const secretsKey = 'k'.repeat(32);
const keyed = new KeyHashes({ secretsKey, secretsKeyOld: null, pepper: PEPPER });
const plain = new KeyHashes({ secretsKey: null, secretsKeyOld: null, pepper: PEPPER });
const stored = (id: number, hash: KeyHash) => ({ id, ...hash, expiresAtMs: null });

function setUp() {
  let nowMs = Date.parse('2026-03-01T23:00:00Z');
  const uses = {
    note: jest.fn(() => Promise.resolve()),
    leave: jest.fn<Promise<void>, [id: number, sealed: Buffer]>(() => Promise.resolve()),
  };
  const logger = pino({ level: 'silent' });
  const clock = { nowMs: () => nowMs, monotonicMs: () => 0 };
  const usage = new ApiKeyUsage(uses, keyed, { secretsKey }, clock, new Outage(logger), logger);
  return { usage, uses, wait: (ms: number) => (nowMs += ms) };
}

describe('ApiKeyUsage', () => {
  it('notes the use of each key once a day, and tries again after a failed write', async () => {
    const { usage, uses, wait } = setUp();
    const [one, other] = [stored(1, keyed.make('one')), stored(2, keyed.make('other'))];
    for (const key of [one, one, other]) usage.note(key, 'presented');
    expect(uses.note.mock.calls).toEqual([[1], [2]]);
    wait(3_600_000);
    uses.note.mockRejectedValueOnce(new Error('away'));
    usage.note(one, 'one');
    await Promise.resolve().then(() => undefined);
    usage.note(one, 'one');
    usage.note(one, 'one');
    expect(uses.note).toHaveBeenCalledTimes(4);
    expect(uses.leave).not.toHaveBeenCalled();
  });

  it('stores a key encrypted for the ingestor when its hash was made with an older secret', () => {
    const { usage, uses } = setUp();
    const key = stored(1, plain.make('one'));
    usage.note(key, 'one');
    const [[id, sealed] = []] = uses.leave.mock.calls;
    expect([id, sealed && new SecretBox(secretsKey).open(sealed)]).toEqual([1, 'one']);
  });
});
