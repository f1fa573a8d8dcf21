import { type Listing, searchEntryOf, termOf } from '@passerelle/domain';
import { findListings } from './found-listings';
import { SearchedListing } from './searched-listing';
import type { SearchQuery } from './search-query';
import { SnapshotIndex } from './snapshot-index';

const indexOf = (listings: readonly Partial<Listing>[]): SnapshotIndex =>
  new SnapshotIndex(
    listings.map((listing, versionId) => new SearchedListing({ versionId, ...searchEntryOf(listing) })),
  );
const find = (index: SnapshotIndex, query: Partial<SearchQuery>): (string | undefined)[] =>
  findListings(index, { sort: 'feed', ...query } as SearchQuery).map(
    (position) => index.listings[position]!.fields.affId,
  );

describe('search in a snapshot', () => {
  const index = indexOf([
    { affId: 'a', intitule: 'Maison avec piscine', prix: 300_000, latitude: 46, longitude: 4 },
    { affId: 'b', intitule: 'House with gardens', langue: 'en', latitude: 46 },
    { affId: 'c', intitule: 'Casa con jardines', langue: 'es', affNum: 'piscine', prix: 100_000, longitude: 4 },
  ]);

  it('finds all listings with a word, even after a filtered search for the same word', () => {
    expect(find(index, { q: 'piscine', prixMin: 200_000 })).toEqual(['a']);
    expect(find(index, { q: 'piscine' })).toEqual(['a', 'c']);
    expect(find(index, { q: 'piscine' })).toEqual(['a', 'c']);
    expect(find(index, { q: 'garden' })).toEqual(['b']);
    expect(find(index, { q: 'jardín' })).toEqual(['c']);
  });

  it('keeps the cached results of many words apart', () => {
    const words = Array.from({ length: 120 }, (_, at) => `mot${at}`);
    const many = indexOf(words.map((word) => ({ affId: word, intitule: word })));
    for (const word of [...words, ...words]) expect(find(many, { q: word })).toEqual([word]);
  });

  it('distinguishes words whose terms have the same lower part', () => {
    const [one, other] = ['mot7900a', 'mot64457a'];
    expect(termOf(one, 'fr').low).toBe(termOf(other, 'fr').low);
    const both = indexOf([one, other].map((word) => ({ affId: word, intitule: `une ${word} calme` })));
    expect([find(both, { q: one }), find(both, { q: other })]).toEqual([[one], [other]]);
  });

  it('excludes listings with only a latitude or only a longitude from every area', () => {
    expect(find(index, { polygon: '45,3;47,3;47,5;45,5' })).toEqual(['a']);
    expect(find(index, { bbox: [3, 45, 5, 47] })).toEqual(['a']);
    expect(find(index, { around: [46, 4, 10] })).toEqual(['a']);
  });

  it("sorts listings without a value last in both directions, and equal listings in the feed's order", () => {
    expect(find(index, { sort: 'prix' })).toEqual(['c', 'a', 'b']);
    expect(find(index, { sort: '-prix' })).toEqual(['a', 'c', 'b']);
    expect(find(index, { sort: 'surface' })).toEqual(['a', 'b', 'c']);
    expect(find(index, { sort: '-surface' })).toEqual(['a', 'b', 'c']);
  });
});
