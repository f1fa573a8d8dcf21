import { compareRecord, differencesOf } from './compare-record';

describe('comparison of a record with its listing', () => {
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

  it('shows the listing fields that have the value of each record field, in any notation, and those without a source', () => {
    expect(compareRecord(raw, listing)).toEqual({
      fields: [
        { field: 'ref', value: 'A1', became: ['affId'], makes: null },
        { field: 'price', value: '450000.00', became: ['prix'], makes: null },
        { field: 'type', value: 'finca', became: [], makes: null },
        { field: 'town.name', value: ' Jávea ', became: ['ville'], makes: null },
        { field: 'images[1].url', value: 'https://x/1.jpg', became: ['photos[1].url'], makes: null },
      ],
      made: [{ field: 'typeCode', value: 'maison' }],
      unmade: [],
    });
  });

  it('shows the effect of a field that is not copied, and the fields without any effect', () => {
    const record = { ref: 'A1', kind: 'finca', rooms: [{ size: 3 }, { size: 4 }], note: 'x', flags: ['new', 'old'] };
    const remap = (one: Partial<typeof record>) =>
      one.ref === undefined
        ? null
        : {
            affId: one.ref,
            ...(one.kind !== undefined && { typeCode: 'maison', titre: 'Maison' }),
            surface: one.rooms?.map(({ size }) => size).join(),
            neuf: one.flags?.includes('new'),
          };
    const made = compareRecord(record, { affId: 'A1', typeCode: 'maison', surface: '3,4', neuf: true }, remap);
    expect(Object.fromEntries(made.fields.map(({ field, makes }) => [field, makes]))).toEqual({
      ref: null,
      kind: ['typeCode', 'titre'],
      'rooms[1].size': ['surface'],
      'rooms[2].size': ['surface'],
      note: [],
      'flags[1]': ['neuf'],
      'flags[2]': [],
    });
    expect(made.unmade).toEqual([]);
    const beside = { affId: 'A1', typeCode: 'appartement', agenceNom: 'B', photos: ['https://x/1.jpg'] };
    expect(compareRecord(record, beside, remap).unmade).toEqual(['typeCode', 'agenceNom']);
    expect(record.rooms).toEqual([{ size: 3 }, { size: 4 }]);
    const required = compareRecord({ ref: 'A1' }, { affId: 'a-1' }, remap);
    expect(required.fields).toMatchObject([{ field: 'ref', makes: ['affId'] }]);
  });

  it('distinguishes a postcode from the number without its leading zero', () => {
    expect(compareRecord({ a: '01000' }, { b: '1000', c: '01000' }).fields).toEqual([
      { field: 'a', value: '01000', became: ['c'], makes: null },
    ]);
  });

  it('lists the fields in which two versions differ', () => {
    expect(differencesOf({ prix: 1, ville: 'Lyon', dpe: 'B' }, { prix: 2, ville: 'Lyon', etage: 3 })).toEqual([
      { field: 'prix', before: '1', after: '2' },
      { field: 'dpe', before: 'B', after: null },
      { field: 'etage', before: null, after: '3' },
    ]);
    expect(differencesOf(null, { prix: 1 })).toEqual([{ field: 'prix', before: null, after: '1' }]);
  });
});
