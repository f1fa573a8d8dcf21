import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { fullListing } from '../../../../../test/support/targets/full-listing';
import { contextFor, itemOf } from '../../../../../test/support/targets/placements';
import { idsInXml } from '../../../../../test/support/targets/readers';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  read: (document) => idsInXml(document, 'listings', 'listing', 'home_listing_id'),
  onlyWith: {
    langue: { langue: 'fr', textes: { fr: { intitule: 'Titre', commentaires: 'Texte' } } },
    dpeClasse: { energie: undefined },
    gesClasse: { energie: undefined },
    nbreSallesEau: { nbreSallesDeBain: undefined },
  },
});

it('a home of Meta has a price with its currency, and says that it is under offer', () => {
  const advert = (changes: Parameters<typeof fullListing>[0]): string =>
    target.advert(itemOf(fullListing(changes)), contextFor(target));
  expect(advert({ prix: 325000.5, prixCurrency: 'CHF' })).toContain('<price>325000.5 CHF</price>');
  expect(advert({ typeTransaction: 'location' })).toContain('<availability>for_rent</availability>');
  expect(advert({ statut: 'sous-offre' })).toContain('<availability>sale_pending</availability>');
});
