import { firstSecretsKeyName, nameOfSecret, secretsKeyFault } from '../index';

const [FIRST, SECOND, THIRD] = ['f'.repeat(32), 's'.repeat(32), 't'.repeat(32)];
const [F, S, T] = [nameOfSecret(FIRST), nameOfSecret(SECOND), nameOfSecret(THIRD)];
const keys = (secretsKey: string | null, secretsKeyOld: string | null = null) => ({ secretsKey, secretsKeyOld });

describe('secretsKeyFault', () => {
  it.each([
    ['the stored name', keys(FIRST), { name: F, carried: [] }],
    ['the stored name, during a rotation', keys(SECOND, FIRST), { name: F, carried: [] }],
    ['a database without a key name and without hashes', keys(FIRST), { name: null, carried: [] }],
    ['one of the key names in the stored hashes', keys(FIRST), { name: null, carried: [S, F] }],
  ])('accepts a key that fits %s', (_what, own, state) => {
    expect(secretsKeyFault(own, { ...state, isUsed: true })).toBeNull();
  });

  it('names the setting when no key fits', () => {
    expect(secretsKeyFault(keys(FIRST), { name: S, carried: [F], isUsed: false })).toMatch(
      /^SECRETS_KEY is not the key/,
    );
    expect(secretsKeyFault(keys(FIRST), { name: null, carried: [S], isUsed: false })).toMatch(/^SECRETS_KEY is not/);
    expect(secretsKeyFault(keys(FIRST, SECOND), { name: T, carried: [], isUsed: true })).toMatch(
      /^neither SECRETS_KEY/,
    );
  });

  it('accepts a missing key only when the database contains nothing made with a key', () => {
    expect(secretsKeyFault(keys(null), { name: F, carried: [], isUsed: false })).toBeNull();
    expect(secretsKeyFault(keys(null), { name: null, carried: [], isUsed: true })).toMatch(/^SECRETS_KEY is missing/);
  });
});

describe('firstSecretsKeyName', () => {
  it.each([
    ['the name of the current key for a new database', keys(SECOND, FIRST), [], S],
    ['the name of the current key when hashes carry both names', keys(SECOND, FIRST), [F, S], S],
    ['the name of the previous key when hashes carry only that name', keys(SECOND, FIRST), [F], F],
    ['nothing without a key', keys(null), [F], null],
  ])('returns %s', (_what, own, carried, name) => {
    expect(firstSecretsKeyName(own, { carried })).toBe(name);
  });
});
