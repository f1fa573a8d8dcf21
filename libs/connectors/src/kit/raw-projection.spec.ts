import { addressProjection, rawProjection } from './raw-projection';
import { recordingContext } from '../../../../test/support/connectors/recording-context';

function project(record: unknown): { raw: unknown; warnings: string[] } {
  const { context, warnings } = recordingContext('demo');
  const toRaw = rawProjection({
    public: ['id', 'price.value', 'images.image.url', 'images.image.@id', 'rent.@*', 'rent.net', 'tags'],
    private: { owner: 'a person', 'price.net': 'between agency and owner' },
  });
  return { raw: toRaw(record, context), warnings };
}

describe('rawProjection', () => {
  it('passes public values unchanged, in the order of the record', () => {
    const record = {
      rent: [{ '@interval': 'month', net: ' 900 ' }, '850'],
      id: '007',
      price: { value: 1.5 },
      tags: ['a', ''],
    };
    const { raw, warnings } = project(record);
    expect(JSON.stringify(raw)).toBe(JSON.stringify(record));
    expect(warnings).toEqual([]);
  });

  it('drops private values without a warning', () => {
    expect(project({ id: '1', owner: { name: 'x' }, price: { value: 1, net: 2 } })).toEqual({
      raw: { id: '1', price: { value: 1 } },
      warnings: [],
    });
  });

  it('omits fields that are neither public nor private, and warns about them without their values', () => {
    expect(
      project({
        id: '1',
        secret: 'x',
        price: { value: 1, margin: 2 },
        images: { image: [{ url: 'a', '@id': '1', gps: 'x' }] },
      }),
    ).toEqual({
      raw: { id: '1', price: { value: 1 }, images: { image: [{ url: 'a', '@id': '1' }] } },
      warnings: ['unmapped_field secret', 'unmapped_field price.margin', 'unmapped_field images.image.gps'],
    });
  });

  it('does not warn about unknown fields that are empty', () => {
    expect(project({ id: '1', later: null, soon: '', list: [] }).warnings).toEqual([]);
  });

  it('warns about a plain value instead of a structure', () => {
    expect(project({ price: 'on request', images: '' })).toEqual({
      raw: { images: '' },
      warnings: ['unmapped_field price'],
    });
  });

  it('warns about a structure instead of a plain value', () => {
    expect(project({ id: { nested: 'x' } })).toEqual({ raw: {}, warnings: ['unmapped_field id.nested'] });
  });

  it('passes all attributes of an element when they are public, but not its undeclared children', () => {
    const rent = { '@interval': 'month', '@for': 'all', '#text': '900', net: '800', tenant: { name: 'x' } };
    expect(project({ id: '1', rent })).toEqual({
      raw: { id: '1', rent: { '@interval': 'month', '@for': 'all', '#text': '900', net: '800' } },
      warnings: ['unmapped_field rent.tenant'],
    });
  });

  it('refuses a path that ends in `.*`, because it does not say which fields are public', () => {
    expect(() => rawProjection({ public: ['texts.*'], private: {} })).toThrow(
      '"texts.*" does not name the public members',
    );
  });

  it('keeps the text of a public element with attributes', () => {
    expect(project({ id: { '#text': '1' } }).raw).toEqual({ id: { '#text': '1' } });
  });

  it('treats names of Object.prototype as unknown fields', () => {
    const record = JSON.parse('{"id":"1","__proto__":{"polluted":true},"constructor":"x"}') as unknown;
    const { raw, warnings } = project(record);
    expect(JSON.stringify(raw)).toBe('{"id":"1"}');
    expect(warnings).toEqual(['unmapped_field __proto__', 'unmapped_field constructor']);
    expect((raw as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('refuses a path that is both public and private', () => {
    expect(() => rawProjection({ public: ['owner.name'], private: { owner: 'a person' } })).toThrow('both');
  });
});

describe('addressProjection', () => {
  const toRaw = addressProjection({
    public: ['id', 'town'],
    private: { owner: 'a person' },
    address: ['street.@*', 'point.lat'],
    hiddenBecause: 'the owner does not want it',
  });
  const RECORD = { id: '1', town: 'Nice', street: 'Rue A', point: { lat: 43.7 }, owner: 'x' };

  it.each<[boolean, object]>([
    [true, { id: '1', town: 'Nice', street: 'Rue A', point: { lat: 43.7 } }],
    [false, { id: '1', town: 'Nice' }],
  ])('for an address with visibility %s returns %j', (isShown, raw) => {
    const { context, warnings } = recordingContext('demo');
    expect(toRaw(RECORD, context, isShown)).toEqual(raw);
    expect(warnings).toEqual([]);
  });
});
