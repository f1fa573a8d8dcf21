import { foldWord, toFlag } from './fold-word';

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

describe('toFlag', () => {
  it.each([
    ['French', ['oui', 'vrai'], ['non', 'faux']],
    ['English', ['yes', 'true'], ['no', 'false']],
    ['German', ['ja', 'wahr'], ['nein', 'falsch']],
    ['Dutch', ['ja', 'waar'], ['nee', 'neen', 'onwaar']],
    ['Italian', ['sì', 'si', 'vero'], ['no', 'falso']],
    ['Spanish', ['sí', 'verdadero'], ['no', 'falso']],
  ])('recognises yes and no in %s', (_language, yes, no) => {
    expect([yes.map(toFlag), no.map(toFlag)]).toEqual([yes.map(() => true), no.map(() => false)]);
  });

  it.each(['OUI', 'oui', 'O', 'Y', 'yes', 'true', 'TRUE', '1', '2', 'ja', 'sí', 'applies', ' Oui ', true, 1])(
    'returns true for %j',
    (value) => {
      expect(toFlag(value)).toBe(true);
    },
  );

  it.each(['NON', 'non', 'N', 'no', 'false', '0', 'nein', 'does-not-apply', false, 0, '0.00'])(
    'returns false for %j',
    (value) => {
      expect(toFlag(value)).toBe(false);
    },
  );

  it.each(['', 'unknown', '?', 'peut-être', null, undefined, -1, {}])('returns undefined for %j', (value) => {
    expect(toFlag(value)).toBeUndefined();
  });

  it('returns undefined for a text that is too long to be a yes or a no', () => {
    expect(toFlag(`oui${' '.repeat(1000)}`)).toBeUndefined();
  });
});
