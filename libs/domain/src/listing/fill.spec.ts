import { countFills, fillMask, type Listing, WATCHED_FIELDS } from '../index';

const EMPTY: Listing = { affId: '1', passerelleName: 'kyero', photos: [] };

const filledIn = (listing: Partial<Listing>): string[] => {
  const counts = countFills([fillMask({ ...EMPTY, ...listing })]);
  return WATCHED_FIELDS.filter((field) => counts[field] === 1);
};

describe('fill mask', () => {
  it.each<[string, Partial<Listing>, string[]]>([
    ['nothing', {}, ['legible']],
    ['a text', { intitule: 'Maison de ville' }, ['intitule', 'legible']],
    ['a sale price', { prix: 250_000 }, ['price', 'legible']],
    ['a rent', { loyer: 700 }, ['price', 'legible']],
    ['no price, but "on request"', { prixSurDemande: true }, ['legible']],
    ['photos', { photos: [{ url: 'https://photos.example/1.jpg', empreinte: '1' }] }, ['photos', 'legible']],
    [
      'words that we know',
      { typeTransaction: 'vente', typeCode: 'maison' },
      ['typeTransaction', 'typeCode', 'legible'],
    ],
    ['words that we do not know', { typeTransaction: 'autre', typeCode: 'autre' }, ['legible']],
    ['a text that could not be decoded', { commentaires: 'Tr\uFFFDs beau' }, ['commentaires']],
    ['a title that was encoded twice', { intitule: 'TrÃ¨s beau' }, ['intitule']],
    ['a town that was encoded twice', { ville: 'Lâ€™Isle' }, ['ville']],
    ['a title in the code page of DOS', { intitule: 'Propri‚t‚ de caractŠre' }, ['intitule']],
    ['a town of an old Macintosh', { ville: 'Saint-RŽmy' }, ['ville', 'legible']],
    ['a description of an old Macintosh', { commentaires: 'PropriŽtŽ' }, ['commentaires']],
    ['quotation marks and Slavic capitals', { intitule: 'Sie sagt ‚so‘… ŽELEZNIKI' }, ['intitule', 'legible']],
    ['accents', { ville: 'Âge-sur-Ã, Nîmes' }, ['ville', 'legible']],
  ])('marks the fields that are filled by %s', (_what, listing, fields) => {
    expect(filledIn(listing)).toEqual(fields);
  });

  it('is counted per field over several listings', () => {
    const listings = [{ ...EMPTY, prix: 1 }, { ...EMPTY, loyer: 1 }, EMPTY];
    expect(countFills(listings.map(fillMask))).toMatchObject({ price: 2, legible: 3, ville: 0 });
  });
});
