import { maskSettings, openSource, SecretBox, SourceSealed, storeSource } from '../index';

const box = new SecretBox('k'.repeat(32));
const SOURCE = {
  url: 'https://user:pass@crm.example/export/5f2c-secret/feed.xml?token=secret',
  settings: {
    'token-url': 'https://auth.example/hidden-part/token',
    'max-fill-drop': '0.3',
    photos: 'file:photos.zip',
  },
};

describe('a source', () => {
  it('is stored with sealed addresses and readable public parts', () => {
    const stored = storeSource(SOURCE, box);
    expect(stored).toEqual({
      sourceUrl: 'https://***@crm.example/export/***/feed.xml?token=***',
      settings: {
        'token-url': 'https://auth.example/***/token',
        'max-fill-drop': '0.3',
        photos: 'file:photos.zip',
      },
      sealedSource: expect.any(Buffer),
    });
    expect(openSource(stored, box)).toEqual(SOURCE);
  });

  it('is sealed differently each time, and can be opened with the previous key', () => {
    const [one, other] = [storeSource(SOURCE, box), storeSource(SOURCE, box)];
    expect(one.sealedSource).not.toEqual(other.sealedSource);
    const rekeyed = new SecretBox('n'.repeat(32), 'k'.repeat(32));
    expect(openSource(one, rekeyed)).toEqual(SOURCE);
    const again = storeSource(SOURCE, rekeyed);
    expect(() => openSource(again, box)).toThrow('this SECRETS_KEY cannot open the sealed data of the database');
  });

  it('is stored and read as plain text when no key is configured', () => {
    const stored = storeSource(SOURCE, null);
    expect(stored).toEqual({ sourceUrl: SOURCE.url, settings: SOURCE.settings, sealedSource: null });
    expect(openSource(stored, box)).toEqual(SOURCE);
    expect(openSource(stored, null)).toEqual(SOURCE);
  });

  it('cannot be opened without a key when it is sealed', () => {
    expect(() => openSource(storeSource(SOURCE, box), null)).toThrow(SourceSealed);
  });

  it('shows settings that are addresses in masked form', () => {
    expect(maskSettings({ a: 'https://u:p@x.example', b: 'C:/x', c: '12' })).toEqual({
      a: 'https://***@x.example/',
      b: 'C:/x',
      c: '12',
    });
  });
});
