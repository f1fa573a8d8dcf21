import { countFills, fillMask, type Listing, WATCHED_FIELDS } from '../index';

const EMPTY: Listing = { affId: '1', passerelleName: 'kyero', photos: [] };

const filledIn = (listing: Partial<Listing>): string[] => {
  const counts = countFills([fillMask({ ...EMPTY, ...listing })]);
  return WATCHED_FIELDS.filter((field) => counts[field] === 1);
};

describe('fill mask', () => {
  it.each<[string, Partial<Listing>, string[]]>([
    ['an empty listing', {}, ['legible']],
    ['a text', { intitule: 'Maison de ville' }, ['intitule', 'legible']],
    ['a sale price', { prix: 250_000 }, ['price', 'legible']],
    ['a rent', { loyer: 700 }, ['price', 'legible']],
    ['no price, but "on request"', { prixSurDemande: true }, ['legible']],
    ['photos', { photos: [{ url: 'https://photos.example/1.jpg', empreinte: '1' }] }, ['photos', 'legible']],
    ['known words', { typeTransaction: 'vente', typeCode: 'maison' }, ['typeTransaction', 'typeCode', 'legible']],
    ['unknown words', { typeTransaction: 'autre', typeCode: 'autre' }, ['legible']],
    ['a text that could not be decoded', { commentaires: 'Tr\uFFFDs beau' }, ['commentaires']],
    ['a title that was encoded twice', { intitule: 'TrÃ¨s beau' }, ['intitule']],
    ['a town that was encoded twice', { ville: 'Lâ€™Isle' }, ['ville']],
    ['a title in a DOS code page', { intitule: 'Propri‚t‚ de caractŠre' }, ['intitule']],
    ['a town in Mac OS Roman', { ville: 'Saint-RŽmy' }, ['ville', 'legible']],
    ['a description in Mac OS Roman', { commentaires: 'PropriŽtŽ' }, ['commentaires']],
    [
      'a title with quotation marks and Slavic capitals',
      { intitule: 'Sie sagt ‚so‘… ŽELEZNIKI' },
      ['intitule', 'legible'],
    ],
    ['a town with accents', { ville: 'Âge-sur-Ã, Nîmes' }, ['ville', 'legible']],
  ])('marks the fields that are filled by %s', (_what, listing, fields) => {
    expect(filledIn(listing)).toEqual(fields);
  });

  it('is summed per field over several listings', () => {
    const listings = [{ ...EMPTY, prix: 1 }, { ...EMPTY, loyer: 1 }, EMPTY];
    expect(countFills(listings.map(fillMask))).toMatchObject({ price: 2, legible: 3, ville: 0 });
  });
});
