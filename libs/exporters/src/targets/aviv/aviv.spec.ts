import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { fullListing } from '../../../../../test/support/targets/full-listing';
import { contextFor, itemOf } from '../../../../../test/support/targets/placements';
import { estateId } from './mapping';
import { target } from './target';

interface Classified {
  portals: string[];
  data: { metaData: { source: { offererEstateId: string } }; location: object; energy?: object };
}

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  idOf: ({ advertId }) => estateId(advertId),
  read: (advert) => [(JSON.parse(advert.toString()) as Classified).data.metaData.source.offererEstateId],
});

describe('AVIV classified', () => {
  const read = (changes: Parameters<typeof fullListing>[0], portals = 'SL'): Classified =>
    JSON.parse(
      target.advert(itemOf(fullListing(changes)), contextFor(target, { settings: { portals } })),
    ) as Classified;

  it.each<[string | undefined, string, string]>([
    ['12 bis rue Fictive', '12 bis', 'rue Fictive'],
    ['7, place du Port', '7', 'place du Port'],
    ['Lieu-dit Le Port', '', 'Lieu-dit Le Port'],
    [undefined, '', ''],
  ])('has a street and a number for the address %j, empty if need be', (adresse, houseNumber, street) => {
    expect(read({ adresse }).data.location).toMatchObject({ houseNumber, street });
  });

  it('says why there is no certificate', () => {
    const statut = (state: 'vierge' | 'non-soumis') =>
      read({ energie: [{ pays: 'FR', grandeur: 'energie-primaire', statut: state }] }).data.energy;
    const certificate = (certificateType: string): object => ({
      countrySpecific: { fr: { energyCertificate: { certificateType } } },
    });
    expect([statut('vierge'), statut('non-soumis')]).toEqual([certificate('EMPTY'), certificate('NOT_APPLICABLE')]);
  });

  it('goes to the portals of the placement', () => {
    expect([read({}).portals, read({}, 'SL+BD').portals]).toEqual([['SL'], ['SL', 'BD']]);
  });

  it('needs a photo, a long text and 20 m² for Belles Demeures only', () => {
    const item = itemOf(fullListing({ photos: [], commentaires: 'Court', surfaceHabitable: 19 }));
    const needs = (portals: string): string[] =>
      target
        .shortfalls(item, contextFor(target, { settings: { portals } }))
        .map(({ field, need }) => `${field} ${need}`);
    expect(needs('SL')).toEqual([]);
    expect(needs('BD')).toEqual([
      'photos needs at least 1 photo',
      'commentaires needs at least 160 characters',
      'surfaceHabitable needs at least 20 m²',
    ]);
  });
});
