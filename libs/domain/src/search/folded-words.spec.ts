import { comparedWord, folded, wordsOf } from './folded-words';

describe('words of a text', () => {
  it('are separated by every character that is neither a letter nor a digit', () => {
    expect(wordsOf("L'été, à Saint-Étienne : T3/120m² (n°7) 日本")).toEqual([
      ...['L', 'été', 'à', 'Saint', 'Étienne', 'T3', '120m²', 'n', '7', '日本'],
    ]);
    expect(wordsOf(' .*+?^${}()|[]\\ ')).toEqual([]);
  });

  it('keep isolated combining marks', () => {
    expect(wordsOf('e\u0301te\u0301')).toEqual(['e\u0301te\u0301']);
    expect(folded('e\u0301te\u0301')).toBe('ete');
  });

  it.each([
    ['Œuvre', 'oeuvre'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Søndre', 'sondre'],
    ['ﬁn', 'fin'],
    ['m²', 'm2'],
    ['İzmir', 'izmir'],
  ])('are folded: %s becomes %s', (word, expected) => {
    expect(folded(word)).toBe(expected);
  });

  it.each([
    [
      'fr',
      ['maison maisons', 'château châteaux', 'local locaux', 'bijou bijoux', 'prix prix', 'commercial commerciaux'],
    ],
    ['es', ['casa casas', 'habitación habitaciones', 'luz luces', 'coche coches', 'jardín jardines', 'baño baños']],
    [
      'pt',
      ['casa casas', 'habitação habitações', 'garagem garagens', 'lugar lugares', 'quintal quintais', 'hotel hotéis'],
    ],
    ['ca', ['casa cases', 'jardí jardís', 'habitació habitacios']],
    [
      'it',
      [
        'casa case',
        'appartamento appartamenti',
        'balcone balconi',
        'servizio servizi',
        'banca banche',
        'camera camere',
      ],
    ],
    ['en', ['house houses', 'property properties', 'beach beaches', 'box boxes', 'garden gardens', 'glass glasses']],
    [
      'de',
      [
        'Haus Häuser',
        'Wohnung Wohnungen',
        'Küche Küchen',
        'Ferienhaus Ferienhäuser',
        'Balkon Balkons',
        'Garten Gärten',
      ],
    ],
    ['nl', ['woning woningen', 'huis huizen', 'kamer kamers', 'terras terrassen', 'appartement appartementen']],
  ])('of %s compare as equal in singular and plural', (language, pairs) => {
    for (const pair of pairs) {
      const [one = '', other = ''] = pair.split(' ');
      expect([pair, comparedWord(one, language)]).toEqual([pair, comparedWord(other, language)]);
    }
  });

  it.each([
    ['fr', 'location locataire'],
    ['fr', 'mais maison'],
    ['en', 'glass glas'],
    ['en', 'gas ga'],
    ['xx', 'casa casas'],
    [null, 'maison maisons'],
  ])('stay different in %s when they are not the same word: %s', (language, pair) => {
    const [one = '', other = ''] = pair.split(' ');
    expect(comparedWord(one, language)).not.toBe(comparedWord(other, language));
  });
});
