import { ManifestKeys } from './manifest-keys';

const MANIFEST = Buffer.from('{"format":2}');
const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);

describe('ManifestKeys', () => {
  it('verifies its own signatures, also after its key became the previous one', () => {
    const signature = new ManifestKeys(OLD).sign(MANIFEST)!;
    expect(new ManifestKeys(OLD).verifies(MANIFEST, `${signature}\n`)).toBe(true);
    expect(new ManifestKeys(NEW, OLD).verifies(MANIFEST, signature)).toBe(true);
  });

  it('rejects a signature of other bytes, of another key or in an invalid form', () => {
    const keys = new ManifestKeys(NEW);
    const signature = keys.sign(MANIFEST)!;
    expect(keys.verifies(Buffer.from('{"format":3}'), signature)).toBe(false);
    expect(new ManifestKeys(OLD).verifies(MANIFEST, signature)).toBe(false);
    for (const text of ['', 'zz', signature.slice(2), `${signature}00`])
      expect(keys.verifies(MANIFEST, text)).toBe(false);
  });

  it('signs and verifies nothing without a SECRETS_KEY', () => {
    const keys = new ManifestKeys(null);
    expect([keys.isEmpty, keys.canSign, keys.sign(MANIFEST)]).toEqual([true, false, null]);
    expect(keys.verifies(MANIFEST, new ManifestKeys(NEW).sign(MANIFEST)!)).toBe(false);
  });
});
