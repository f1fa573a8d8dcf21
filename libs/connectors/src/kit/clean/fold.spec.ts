import { foldWord } from './fold';

describe('foldWord', () => {
  it.each([
    ['VENTE', 'vente'],
    [' Location ', 'location'],
    ['vente-de-prestige', 'vente de prestige'],
    ['Hôtel Particulier', 'hotel particulier'],
    ['loft/atelier/surface', 'loft atelier surface'],
    ["produit d'investissement", 'produit d investissement'],
    ['produit d’investissement', 'produit d investissement'],
    ['town_house', 'town house'],
    ['Cœur', 'coeur'],
    ['Straße', 'strasse'],
    ['  ', ''],
  ])('folds %j to %j', (word, folded) => {
    expect(foldWord(word)).toBe(folded);
  });
});
