import type { Listing } from '@passerelle/domain';
import { countedValues, filterListings, queryOf, readFilters } from './filters';

const LISTINGS: readonly Listing[] = [
  { affId: 'flat', typeTransaction: 'vente', typeCode: 'appartement', ville: 'Villedemo', prix: 200_000 },
  { affId: 'house', typeTransaction: 'vente', typeCode: 'maison', ville: 'L’Étoile', prix: 400_000 },
  { affId: 'rental', typeTransaction: 'location', typeCode: 'appartement', ville: 'Villedemo', loyer: 900 },
  { affId: 'secret', typeTransaction: 'vente', typeCode: 'maison', ville: 'Villedemo', prixSurDemande: true },
].map((listing) => ({ passerelleName: 'kyero', photos: [], ...listing }) as Listing);

const found = (query: string): string[] =>
  filterListings(LISTINGS, readFilters(new URLSearchParams(query))).map(({ affId }) => affId);

describe('the filters of the demo', () => {
  it.each([
    ['', ['flat', 'house', 'rental', 'secret']],
    ['transaction=location', ['rental']],
    ['type=maison', ['house', 'secret']],
    ['ville=Villedemo', ['flat', 'rental', 'secret']],
    ['ville=L%E2%80%99%C3%89toile&type=maison', ['house']],
    ['prix_min=200000', ['flat', 'house']],
    ['prix_max=200000', ['flat', 'rental']],
    ['prix_min=1&prix_max=900', ['rental']],
    ['transaction=vente&type=appartement&ville=Villedemo&prix_max=300+000', ['flat']],
    ['ville=Nowhere', []],
  ])('find with "%s" what fits', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  it.each(['transaction=theft', 'type=toString', 'ville=+', 'prix_min=-1', 'prix_max=many', 'prix_min=1e3', 'other=1'])(
    'leave everything with "%s", which says nothing',
    (query) => {
      expect(found(query)).toHaveLength(LISTINGS.length);
    },
  );

  it('are written as they were read', () => {
    const query = 'transaction=vente&type=maison&ville=A+%26+B&prix_min=0&prix_max=5';
    expect(queryOf(readFilters(new URLSearchParams(query))).toString()).toBe(query);
  });

  it('count what occurs, most frequent first', () => {
    expect(countedValues(LISTINGS, ({ ville }) => ville)).toEqual([
      { value: 'Villedemo', count: 3 },
      { value: 'L’Étoile', count: 1 },
    ]);
  });
});
