import { hashApiKey, type KeyHash, KeyHashes } from '../index';

const PEPPER = Buffer.from('pepper');
const [KEY, OTHER_KEY] = ['k'.repeat(32), 'o'.repeat(32)];
const plain = new KeyHashes({ secretsKey: null, secretsKeyOld: null, pepper: PEPPER });
const keyed = new KeyHashes({ secretsKey: KEY, secretsKeyOld: null, pepper: PEPPER });
const rekeyed = new KeyHashes({ secretsKey: OTHER_KEY, secretsKeyOld: KEY, pepper: PEPPER });

let ids = 0;
const stored = (hash: KeyHash, expiresAtMs: number | null = null) => ({ id: (ids += 1), ...hash, expiresAtMs });

describe('the hash of a key', () => {
  it('uses a secret derived only from SECRETS_KEY, and names that secret', () => {
    const another = new KeyHashes({ secretsKey: KEY, secretsKeyOld: OTHER_KEY, pepper: Buffer.from('another') });
    expect(keyed.make('right')).toEqual(another.make('right'));
    expect(keyed.make('right').keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(rekeyed.make('right').keyId).not.toBe(keyed.make('right').keyId);
    expect(keyed.make('right').hash).not.toEqual(hashApiKey('right', PEPPER));
    expect(keyed.make('right').hash).not.toEqual(hashApiKey('right', Buffer.from(KEY)));
    expect(keyed.make('wrong').hash).not.toEqual(keyed.make('right').hash);
  });

  it("uses the installation's own secret without a SECRETS_KEY", () => {
    expect(plain.make('right')).toEqual({ hash: hashApiKey('right', PEPPER), keyId: null });
  });

  it('shows whether its secret is the current one, and whether its secret is known', () => {
    const hashes = [plain, keyed, rekeyed].map((made) => made.make('right'));
    expect(hashes.map((hash) => plain.isCurrent(hash))).toEqual([true, false, false]);
    expect(hashes.map((hash) => keyed.isCurrent(hash))).toEqual([false, true, false]);
    expect(hashes.map((hash) => rekeyed.isCurrent(hash))).toEqual([false, false, true]);
    expect(hashes.map(({ keyId }) => keyed.knows(keyId))).toEqual([true, true, false]);
    expect(hashes.map(({ keyId }) => rekeyed.knows(keyId))).toEqual([true, true, true]);
  });
});

describe('a presented key', () => {
  it.each([
    ['with the current SECRETS_KEY', rekeyed],
    ['with the previous SECRETS_KEY', keyed],
    ['by an earlier release, without a SECRETS_KEY', plain],
  ])('matches a stored hash made %s', (_when, made) => {
    const right = stored(made.make('right'));
    expect(rekeyed.matching('right', [stored(rekeyed.make('other')), right], 0)).toEqual([right]);
    expect(rekeyed.matching('wrong', [right], 0)).toEqual([]);
  });

  it('matches every stored key that has its hash and has not expired', () => {
    const keys = [stored(keyed.make('right'), 1_000), stored(plain.make('right'), 2_000)];
    expect(keyed.matching('right', keys, 999)).toEqual(keys);
    expect(keyed.matching('right', keys, 1_000)).toEqual([keys[1]]);
    expect(keyed.matching('right', keys, 2_000)).toEqual([]);
  });

  it.each<[string, string, KeyHash[]]>([
    ['when no hash is stored', 'right', []],
    [
      'when the stored hash has the key id of another secret',
      'right',
      [{ ...plain.make('right'), keyId: keyed.make('').keyId }],
    ],
    ['when the key id of the stored hash is unknown', 'right', [rekeyed.make('right')]],
    [
      'when the stored hash is empty and its key id is unknown',
      'right',
      [{ hash: Buffer.alloc(32), keyId: 'unknown' }],
    ],
    ['when it is empty, even if the hash of an empty key is stored', '', [keyed.make('')]],
  ])('is rejected %s', (_what, presented, hashes) => {
    expect(
      keyed.matching(
        presented,
        hashes.map((hash) => stored(hash)),
        0,
      ),
    ).toEqual([]);
  });

  it('gets a new hash only if it matches a stored hash that was made with an older secret', () => {
    for (const made of [keyed, plain]) {
      expect(rekeyed.renewed('right', made.make('right'))).toEqual(rekeyed.make('right'));
      expect(rekeyed.renewed('wrong', made.make('right'))).toBeNull();
    }
    expect(rekeyed.renewed('right', rekeyed.make('right'))).toBeNull();
    expect(rekeyed.renewed('right', { ...plain.make('right'), keyId: keyed.make('').keyId })).toBeNull();
    expect(rekeyed.renewed('', keyed.make(''))).toBeNull();
    expect(keyed.renewed('right', rekeyed.make('right'))).toBeNull();
  });
});
