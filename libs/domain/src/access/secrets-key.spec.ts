import { firstSecretsKeyName, nameOfSecret, secretsKeyFault } from '../index';

const [FIRST, SECOND, THIRD] = ['f'.repeat(32), 's'.repeat(32), 't'.repeat(32)];
const [F, S, T] = [nameOfSecret(FIRST), nameOfSecret(SECOND), nameOfSecret(THIRD)];
const keys = (secretsKey: string | null, secretsKeyOld: string | null = null) => ({ secretsKey, secretsKeyOld });

describe('secretsKeyFault', () => {
  it.each([
    ['the name', keys(FIRST), { name: F, carried: [] }],
    ['the name, during a rotation', keys(SECOND, FIRST), { name: F, carried: [] }],
    ['no name and no hash', keys(FIRST), { name: null, carried: [] }],
    ['one of the names of hashes', keys(FIRST), { name: null, carried: [S, F] }],
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

  it('accepts a missing key only while nothing was made with one', () => {
    expect(secretsKeyFault(keys(null), { name: F, carried: [], isUsed: false })).toBeNull();
    expect(secretsKeyFault(keys(null), { name: null, carried: [], isUsed: true })).toMatch(/^SECRETS_KEY is missing/);
  });
});

describe('firstSecretsKeyName', () => {
  it.each([
    ['the key of a new database', keys(SECOND, FIRST), [], S],
    ['the key that hashes carry', keys(SECOND, FIRST), [F, S], S],
    ['the previous key when only that one is carried', keys(SECOND, FIRST), [F], F],
    ['nothing without a key', keys(null), [F], null],
  ])('returns %s', (_what, own, carried, name) => {
    expect(firstSecretsKeyName(own, { carried })).toBe(name);
  });
});
