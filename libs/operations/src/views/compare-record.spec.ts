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

  const field = (name: string, value: string, own: object) => ({
    ...{ field: name, value, affects: null, isRequired: false, alike: [] },
    ...own,
  });

  it('shows fields with the same value, in any notation, when the mapping cannot be tried', () => {
    expect(compareRecord(raw, listing)).toEqual({
      fields: [
        field('ref', 'A1', { alike: ['affId'] }),
        field('price', '450000.00', { alike: ['prix'] }),
        field('type', 'finca', {}),
        field('town.name', ' Jávea ', { alike: ['ville'] }),
        field('images[1].url', 'https://x/1.jpg', { alike: ['photos[1].url'] }),
      ],
      made: [{ field: 'typeCode', value: 'maison' }],
      unmade: [],
    });
  });

  it('shows what each field does, not which fields have the same value', () => {
    const record = {
      ...{ ref: 'A1', kind: 'finca', rooms: [{ size: 3 }, { size: 4 }], note: 'x', flags: ['new', 'old'] },
      // The value of `floor` is also that of the number of rooms.
      ...{ floor: 2, images: ['https://x/1.jpg', 'https://x/2.jpg'] },
    };
    const remap = (one: Partial<typeof record>) =>
      one.ref === undefined
        ? null
        : {
            affId: one.ref,
            ...(one.kind !== undefined && { typeCode: one.kind === 'finca' ? 'maison' : 'autre', titre: one.kind }),
            pieces: one.rooms?.length,
            surface: one.rooms?.map(({ size }) => size).join(),
            neuf: one.flags?.includes('new'),
            marque: one.flags?.length,
            photos: one.images?.map((url) => ({ url })),
          };
    const made = compareRecord(record, remap(record), remap);
    expect(Object.fromEntries(made.fields.map(({ field: name, affects }) => [name, affects]))).toEqual({
      ref: ['affId'],
      kind: ['typeCode', 'titre'],
      'rooms[1].size': ['surface'],
      'rooms[2].size': ['surface'],
      note: [],
      'flags[1]': ['neuf'],
      'flags[2]': ['marque'],
      floor: [],
      'images[1]': ['photos[1].url'],
      'images[2]': ['photos[2].url'],
    });
    expect(made.fields.filter(({ isRequired }) => isRequired)).toEqual([]);
    expect([made.made, made.unmade]).toEqual([[{ field: 'pieces', value: '2' }], []]);
    const beside = { affId: 'A1', typeCode: 'appartement', agenceNom: 'B', photos: ['https://x/1.jpg'] };
    expect(compareRecord(record, beside, remap).unmade).toEqual(['typeCode', 'agenceNom']);
    expect(record.rooms).toEqual([{ size: 3 }, { size: 4 }]);
  });

  it('names a field without which, and without whose value, the record is no listing', () => {
    const remap = (one: { ref?: string; kind?: string }) =>
      one.ref === undefined || one.kind !== 'sale' ? null : { affId: one.ref };
    expect(compareRecord({ ref: 'A1', kind: 'sale' }, { affId: 'A1' }, remap).fields).toEqual([
      field('ref', 'A1', { affects: ['affId'] }),
      field('kind', 'sale', { affects: [], isRequired: true }),
    ]);
  });

  it('distinguishes a postcode from the number without its leading zero', () => {
    expect(compareRecord({ a: '01000' }, { b: '1000', c: '01000' }).fields).toEqual([
      field('a', '01000', { alike: ['c'] }),
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
