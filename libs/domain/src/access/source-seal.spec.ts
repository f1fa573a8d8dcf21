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
  it('is stored so that its addresses are sealed, and what may be shown can be read', () => {
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

  it('is sealed differently each time, and opens with the key of before', () => {
    const [one, other] = [storeSource(SOURCE, box), storeSource(SOURCE, box)];
    expect(one.sealedSource).not.toEqual(other.sealedSource);
    const rekeyed = new SecretBox('n'.repeat(32), 'k'.repeat(32));
    expect(openSource(one, rekeyed)).toEqual(SOURCE);
    const again = storeSource(SOURCE, rekeyed);
    expect(() => openSource(again, box)).toThrow('what is sealed in the database cannot be read with this SECRETS_KEY');
  });

  it('stays as it is without a key, and is read so', () => {
    const stored = storeSource(SOURCE, null);
    expect(stored).toEqual({ sourceUrl: SOURCE.url, settings: SOURCE.settings, sealedSource: null });
    expect(openSource(stored, box)).toEqual(SOURCE);
    expect(openSource(stored, null)).toEqual(SOURCE);
  });

  it('cannot be opened without a key when it is sealed', () => {
    expect(() => openSource(storeSource(SOURCE, box), null)).toThrow(SourceSealed);
  });

  it('has settings that are masked where they are addresses', () => {
    expect(maskSettings({ a: 'https://u:p@x.example', b: 'C:/x', c: '12' })).toEqual({
      a: 'https://***@x.example/',
      b: 'C:/x',
      c: '12',
    });
  });
});
