import { recordingContext } from '../../../../test/support/connectors/recording-context';
import * as v from './verbs';
import { wordTable } from './word-table';

const { context } = recordingContext('demo');

function read<T>(verb: v.Verb<unknown, T>, a: unknown): T | undefined {
  return verb.read({ a }, context);
}

it('identifier accepts the same identifier twice in a record, and rejects two different ones', () => {
  expect(read(v.identifier('a'), ['7', ' 7 '])).toBe('7');
  expect(() => read(v.identifier('a'), ['7', '8'])).toThrow('the record has several identifiers: it is made of two');
});

describe('verbs', () => {
  it.each<[string, v.Verb<unknown, unknown>, unknown, unknown]>([
    ['`text` returns one clean line', v.text('a'), 'Un<br>deux &amp; trois', 'Un deux & trois'],
    ['`text` reads a number as its digits', v.text('a'), 24368, '24368'],
    ['`text` keeps leading zeros', v.text('a'), '00012', '00012'],
    ['`prose` keeps lines', v.prose('a'), 'Un<br>deux', 'Un\ndeux'],
    ['`integer` reads text', v.integer('a'), '3', 3],
    ['`integer` reads zero as unknown', v.integer('a'), '0', undefined],
    ['`integer` reads a negative number as unknown', v.integer('a'), -2, undefined],
    ['`floor` reads the ground floor', v.floor('a'), '0', 0],
    ['`floor` reads a basement', v.floor('a'), '-1', -1],
    ['`rooms` reads T3', v.rooms('a'), 'T3', 3],
    ['`year` reads text', v.year('a'), '1985', 1985],
    ['`decimal` reads a comma', v.decimal('a'), '92,5', 92.5],
    ['`decimal` reads a thousands comma', v.decimal('a', { comma: 'thousands' }), '1,350', 1350],
    ['`money` reads zero as no amount', v.money('a'), '0.00', undefined],
    ['`money` reads words as no amount', v.money('a'), 'x', undefined],
    ['`money` reads an amount with its currency', v.money('a'), '1 450,50 €', 1450.5],
    ['`date` keeps the time', v.date('a'), '2024-03-30 09:12:00', '2024-03-30T09:12:00'],
    ['`day` drops the time', v.day('a'), '2024-03-30 09:12:00', '2024-03-30'],
    ['`flag` reads a yes', v.flag('a'), 'OUI', true],
    ['`flag` reads a no', v.flag('a'), 'false', false],
    ['`word` keeps markup and entities', v.word('a'), ' <b>a</b> &amp; b ', '<b>a</b> &amp; b'],
    [
      '`email` reads the second field when the first is missing',
      v.email('b', 'a'),
      'mailto:a@b.example',
      'a@b.example',
    ],
    ['`joined` concatenates the existing fields', v.joined('b', 'a', 'a'), ' x ', 'x x'],
    ['`area` rounds to two decimals', v.area('a'), '92,555', 92.56],
    ['`area` converts hectares', v.area('a', 'ha'), '1,5', 15000],
    ['`area` reads zero as unknown', v.area('a'), '0', undefined],
    ['`currency` reads a sign', v.currency('a'), '€', 'EUR'],
    ['`currency` falls back to its default', v.currency('b', 'CHF'), '', 'CHF'],
    ['`url` adds the scheme', v.url('a'), 'www.x.com/a', 'https://www.x.com/a'],
    ['`anyOf` reads a number above zero as true', v.anyOf('b', 'a'), '2', true],
    ['`anyOf` reads zero as unknown', v.anyOf('b', 'a'), '0', undefined],
    ['`when` reads the value if its condition is true', v.when(() => true, v.text('a')), 'x', 'x'],
    ['`when` omits the value if its condition is false', v.when(() => false, v.text('a')), 'x', undefined],
    ['`unless` omits the value if its condition is true', v.unless(() => true, v.text('a')), 'x', undefined],
    ['`firstOf` reads the first existing field', v.firstOf(v.rooms, 'b', 'a'), 'T3', 3],
    ['`first` uses the first verb with a value', v.first<unknown, string>(v.text('b'), v.text('a')), 'x', 'x'],
  ])('read a value as expected: %s', (_title, verb, value, expected) => {
    expect(read(verb, value)).toBe(expected);
  });

  it.each([null, undefined, '', ' ', {}, []])('return undefined for %j', (value) => {
    for (const verb of [
      v.text('a'),
      v.prose('a'),
      v.integer('a'),
      v.rooms('a'),
      v.money('a'),
      v.date('a'),
      v.flag('a'),
      v.url('a'),
    ]) {
      expect(read<unknown>(verb, value)).toBeUndefined();
    }
  });
});

describe('verbs for unknown words', () => {
  it.each<[string, v.Verb<unknown, unknown>, string, unknown, string[]]>([
    ['`flag` warns about', v.flag('a'), 'Comunitaria', undefined, ['unknown_word a Comunitaria']],
    ['`flag` ignores the placeholder word', v.flag('a'), 'Non renseigné', undefined, []],
    ['`flag` ignores the placeholder sign', v.flag('a'), '?', undefined, []],
    ['`floor` warns about', v.floor('a'), 'dernier', undefined, ['unknown_word a dernier']],
    ['`floor` reads the everyday word', v.floor('a'), 'Bajo', 0, []],
    ['`floor` reads the ordinal', v.floor('a'), '4ª planta', 4, []],
    ['`money` warns about', v.money('a'), 'de 100 à 200', undefined, ['implausible_value a de 100 à 200']],
  ])('read a word as expected: %s %j', (_title, verb, word, expected, noticed) => {
    const recording = recordingContext('demo');
    expect([verb.read({ a: word }, recording.context), recording.warnings]).toEqual([expected, noticed]);
  });
});

it('setting returns the value that the operator set', () => {
  const { context: withName } = recordingContext('demo', { settings: { 'agence-nom': ' Agence  du Parc ' } });
  expect(v.setting('agence-nom').read({}, withName)).toBe('Agence du Parc');
  expect(v.setting('agence-nom').read({}, context)).toBeUndefined();
});

it('beside reads an element outside the records', () => {
  const { context: withAgent } = recordingContext('demo', { feed: { agent: { name: 'Agence du Parc' } } });
  expect(v.beside(v.text('agent.name')).read({ agent: { name: 'x' } }, withAgent)).toBe('Agence du Parc');
});

describe('unit', () => {
  const verb = v.area('size', v.unit(wordTable<'m2' | 'ft2'>({ sqm: 'm2', sqft: 'ft2' }), 'unit', 'm2'));

  it.each<[object, number | undefined, string[]]>([
    [{ size: '100', unit: 'sqft' }, 9.29, []],
    [{ size: '100' }, 100, []],
    [{ size: '100', unit: 'perche' }, undefined, ['implausible_value unit perche']],
    [{ size: '', unit: 'perche' }, undefined, []],
  ])('converts %j to %j', (record, expected, noticed) => {
    const { context: noticing, warnings } = recordingContext('demo');
    expect([verb.read(record, noticing), warnings]).toEqual([expected, noticed]);
  });
});

describe('oneOf', () => {
  const table = wordTable({ vente: 'vente', location: 'location', autre: 'autre' });

  it('looks a word up', () => {
    expect(read(v.oneOf(table, 'a', 'autre'), 'VENTE')).toBe('vente');
  });

  it('warns about an unknown word, and returns the fallback if there is one', () => {
    const { context: noticing, warnings } = recordingContext('demo');
    expect(v.oneOf(table, 'a', 'autre').read({ a: 'troc' }, noticing)).toBe('autre');
    expect(v.oneOf(table, 'a').read({ a: 'troc' }, noticing)).toBeUndefined();
    expect(warnings).toEqual(['unknown_word a troc', 'unknown_word a troc']);
  });

  it('also warns when a computed verb calls it', () => {
    const { context: noticing, warnings } = recordingContext('demo');
    const verb = v.computed((record, inside) => v.oneOf(table, 'a').read(record, inside) ?? 'autre');
    expect([verb.read({ a: 'troc' }, noticing), warnings]).toEqual(['autre', ['unknown_word a troc']]);
  });

  it('ignores an empty word', () => {
    const { context: noticing, warnings } = recordingContext('demo');
    expect(v.oneOf(table, 'a', 'autre').read({ a: ' ' }, noticing)).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

describe('digits and words that a verb cannot read', () => {
  it.each<[string, v.Verb<unknown, unknown>, string[], string[]]>([
    ['an area', v.area('a'), ['environ 80', '12 ares', '1.250', '-85', '-1', 'vaste'], ['0', '', 'x', '85.125']],
    ['a measure', v.decimal('a'), ['150 kWh/an', '-3', '-1', 'three'], ['0', 'vierge', '1.250']],
    ['an area in a format where -1 means unknown', v.area('a', 'm2', { unknown: -1 }), ['-2'], ['-1']],
    ['a measure in a format where -1 means unknown', v.decimal('a', { unknown: -1 }), ['-2'], ['-1']],
    ['a count', v.integer('a'), ['2.5', '2 ou 3', 'three'], ['0', '-1', 'aucun', 'OUI', 'nc']],
    ['rooms', v.rooms('a'), ['3 pièces + cuisine', 'plusieurs'], ['0', '-1', 'T3', '2.5', 'studio']],
    ['a year', v.year('a'), ['74', 'vers 1900', 'ancien'], ['0', '-1', '1974']],
    [
      'a date',
      v.date('a'),
      ['12/03/23', '2024-13-01', 'mars 2024'],
      ['00/00/0000', '1970-01-01', '30/12/1899', '01/03/2024'],
    ],
    ['a day', v.day('a'), ['12/03/23'], ['0000-00-00 00:00:00', '01/01/1900', 'de suite']],
  ])('cause a warning in a verb for %s, while placeholders cause no warning', (_title, verb, noticed, unnoticed) => {
    const { context, warnings } = recordingContext('demo');
    for (const a of [...noticed, ...unnoticed]) verb.read({ a }, context);
    expect(warnings).toEqual(
      noticed.map((text) => `${/\d/.test(text) ? 'implausible_value' : 'unknown_word'} a ${text}`),
    );
  });
});
