import { compareRecord, differencesOf } from './compare-record';

describe('a record beside its listing', () => {
  const raw = {
    ref: 'A1',
    price: '450000.00',
    type: 'finca',
    town: { name: ' Jávea ' },
    images: [{ url: 'https://x/1.jpg' }],
  };
  const listing = {
    affId: 'A1',
    prix: 450000,
    typeCode: 'maison',
    ville: 'Jávea',
    photos: [{ url: 'https://x/1.jpg' }],
  };

  it('says field by field what became of it, in whatever writing, and what was made of none', () => {
    expect(compareRecord(raw, listing)).toEqual({
      fields: [
        { field: 'ref', value: 'A1', became: ['affId'] },
        { field: 'price', value: '450000.00', became: ['prix'] },
        { field: 'type', value: 'finca', became: [] },
        { field: 'town.name', value: ' Jávea ', became: ['ville'] },
        { field: 'images[1].url', value: 'https://x/1.jpg', became: ['photos[1].url'] },
      ],
      made: [{ field: 'typeCode', value: 'maison' }],
    });
  });

  it('does not take a postcode for the number without its nought', () => {
    expect(compareRecord({ a: '01000' }, { b: '1000', c: '01000' }).fields).toEqual([
      { field: 'a', value: '01000', became: ['c'] },
    ]);
  });

  it('differs from the one before in the fields that are not the same', () => {
    expect(differencesOf({ prix: 1, ville: 'Lyon', dpe: 'B' }, { prix: 2, ville: 'Lyon', etage: 3 })).toEqual([
      { field: 'prix', before: '1', after: '2' },
      { field: 'dpe', before: 'B', after: null },
      { field: 'etage', before: null, after: '3' },
    ]);
    expect(differencesOf(null, { prix: 1 })).toEqual([{ field: 'prix', before: null, after: '1' }]);
  });
});
