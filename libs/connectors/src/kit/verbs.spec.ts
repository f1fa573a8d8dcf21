import { recordingContext } from './testing/recording-context';
import * as v from './verbs';
import { wordTable } from './word-table';

const { context } = recordingContext('demo');

function read<T>(verb: v.Verb<unknown, T>, a: unknown): T | undefined {
  return verb.read({ a }, context);
}

describe('verbs', () => {
  it.each<[string, v.Verb<unknown, unknown>, unknown, unknown]>([
    ['text is one clean line', v.text('a'), 'Un<br>deux &amp; trois', 'Un deux & trois'],
    ['text takes numbers as they came', v.text('a'), 24368, '24368'],
    ['text keeps leading zeros', v.text('a'), '00012', '00012'],
    ['prose keeps lines', v.prose('a'), 'Un<br>deux', 'Un\ndeux'],
    ['integer reads text', v.integer('a'), '3', 3],
    ['integer takes zero for unknown', v.integer('a'), '0', undefined],
    ['integer takes a negative for unknown', v.integer('a'), -2, undefined],
    ['floor knows the ground floor', v.floor('a'), '0', 0],
    ['floor knows basements', v.floor('a'), '-1', -1],
    ['rooms tolerates T3', v.rooms('a'), 'T3', 3],
    ['year', v.year('a'), '1985', 1985],
    ['decimal', v.decimal('a'), '92,5', 92.5],
    ['decimal with thousands', v.decimal('a', { comma: 'thousands' }), '1,350', 1350],
    ['money takes zero for none', v.money('a'), '0.00', undefined],
    ['money takes words for none', v.money('a'), 'x', undefined],
    ['money', v.money('a'), '1 450,50 €', 1450.5],
    ['date', v.date('a'), '2024-03-30 09:12:00', '2024-03-30T09:12:00'],
    ['day', v.day('a'), '2024-03-30 09:12:00', '2024-03-30'],
    ['flag', v.flag('a'), 'OUI', true],
    ['flag knows a no', v.flag('a'), 'false', false],
    ['url', v.url('a'), 'www.x.com/a', 'https://www.x.com/a'],
    ['anyOf', v.anyOf('b', 'a'), '2', true],
    ['anyOf says nothing of zero', v.anyOf('b', 'a'), '0', undefined],
    ['absent', v.absent('not in the format'), 'x', undefined],
    ['first', v.first<unknown, string>(v.text('b'), v.text('a')), 'x', 'x'],
  ])('%s', (_title, verb, value, expected) => {
    expect(read(verb, value)).toBe(expected);
  });

  it.each([null, undefined, '', ' ', {}, []])('say nothing of %j', (value) => {
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

describe('words that a verb does not know', () => {
  it.each<[string, v.Verb<unknown, unknown>, string, unknown, string[]]>([
    ['flag notices', v.flag('a'), 'Comunitaria', undefined, ['unknown_word a Comunitaria']],
    ['flag takes a word for unknown', v.flag('a'), 'Non renseigné', undefined, []],
    ['flag takes a sign for unknown', v.flag('a'), '?', undefined, []],
    ['floor notices', v.floor('a'), 'dernier', undefined, ['unknown_word a dernier']],
    ['floor reads what people say', v.floor('a'), 'Bajo', 0, []],
    ['floor reads ordinals', v.floor('a'), '4ª planta', 4, []],
    ['energyClass notices', v.energyClass('a'), 'En trámite', undefined, ['unknown_word a En trámite']],
    ['energyClass', v.energyClass('a'), 'd', 'D', []],
    ['money notices', v.money('a'), 'de 100 à 200', undefined, ['implausible_value a de 100 à 200']],
  ])('%s %j', (_title, verb, word, expected, noticed) => {
    const recording = recordingContext('demo');
    expect([verb.read({ a: word }, recording.context), recording.warnings]).toEqual([expected, noticed]);
  });
});

describe('oneOf', () => {
  const table = wordTable({ vente: 'vente', location: 'location', autre: 'autre' });

  it('looks a word up', () => {
    expect(read(v.oneOf(table, 'a', 'autre'), 'VENTE')).toBe('vente');
  });

  it('counts an unknown word, and says so in the listing', () => {
    const { context: noticing, warnings } = recordingContext('demo');
    expect(v.oneOf(table, 'a', 'autre').read({ a: 'troc' }, noticing)).toBe('autre');
    expect(v.oneOf(table, 'a').read({ a: 'troc' }, noticing)).toBeUndefined();
    expect(warnings).toEqual(['unknown_word a troc', 'unknown_word a troc']);
  });

  it('says nothing of no word', () => {
    const { context: noticing, warnings } = recordingContext('demo');
    expect(v.oneOf(table, 'a', 'autre').read({ a: ' ' }, noticing)).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

describe('together', () => {
  it('asks its function once for each record', () => {
    let asked = 0;
    const both = v.together((record: { n: number }) => {
      asked += 1;
      return { half: record.n / 2, double: record.n * 2 };
    });
    const one = { n: 2 };
    expect([both.part('half').read(one, context), both.part('double').read(one, context)]).toEqual([1, 4]);
    expect(asked).toBe(1);
    expect(both.part('half').read({ n: 6 }, context)).toBe(3);
    expect(asked).toBe(2);
  });

  it('does not answer for one record with another', () => {
    const both = v.together((record: { n: number }) => {
      if (record.n < 0) throw new Error('negative');
      return { n: record.n };
    });
    const bad = { n: -1 };
    expect(both.part('n').read({ n: 1 }, context)).toBe(1);
    expect(() => both.part('n').read(bad, context)).toThrow('negative');
    expect(() => both.part('n').read(bad, context)).toThrow('negative');
  });
});
