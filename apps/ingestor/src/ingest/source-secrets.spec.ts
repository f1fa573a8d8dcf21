import { sealCredentials, SecretBox, storeSource } from '@passerelle/domain';
import { SourceSecrets } from './source-secrets';

const [KEY, OLD_KEY] = ['k'.repeat(32), 'o'.repeat(32)];
const SOURCE = { url: 'https://crm.example/9d2f7c/feed.xml', settings: { 'token-url': 'https://auth.example/t' } };
const CREDENTIALS = { token: 'secret' };

function sealedWith(key: string) {
  const box = new SecretBox(key);
  const { settings: sourceSettings, ...stored } = storeSource(SOURCE, box);
  return { ...stored, sourceSettings, credentials: sealCredentials(CREDENTIALS, box) };
}

describe('SourceSecrets', () => {
  it.each([KEY, OLD_KEY])('opens a source that was sealed with the present or with the previous key', (key) => {
    const secrets = new SourceSecrets(new SecretBox(KEY, OLD_KEY));
    expect(secrets.open(sealedWith(key))).toEqual({ ...SOURCE, credentials: CREDENTIALS });
  });

  it('opens a source without sealed values', () => {
    const plain = { sourceUrl: SOURCE.url, sourceSettings: SOURCE.settings, sealedSource: null, credentials: null };
    expect(new SourceSecrets(null).open(plain)).toEqual({
      ...SOURCE,
      credentials: {},
    });
  });

  it.each([
    [null, 'is sealed, and this ingestor has no SECRETS_KEY to read it with'],
    ['n'.repeat(32), 'was sealed with another SECRETS_KEY than this ingestor has'],
  ])('fails the run when it cannot open the source', (secretsKey, message) => {
    const secrets = new SourceSecrets(secretsKey === null ? null : new SecretBox(secretsKey));
    const { credentials, ...source } = sealedWith(KEY);
    expect(() => secrets.open({ ...source, credentials: null })).toThrow(`the gateway's source ${message}`);
    expect(() => secrets.open({ ...source, sealedSource: null, credentials })).toThrow(
      `the gateway's source ${message}`,
    );
  });
});
