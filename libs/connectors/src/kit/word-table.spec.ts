import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { lookUp, readCountry, readCurrency, wordTable } from './word-table';

describe('wordTable', () => {
  const table = wordTable({ 'maison/villa': 'maison', 'hôtel particulier': 'hotel-particulier', maison: 'maison' });

  it.each([
    ['maison/villa', 'maison'],
    ['MAISON / VILLA', 'maison'],
    ['Hotel-Particulier', 'hotel-particulier'],
    [' maison ', 'maison'],
    ['constructor', undefined],
    ['yourte', undefined],
  ])('finds %j as %j, on the first and the second call', (word, expected) => {
    expect(table.find(word)).toBe(expected);
    expect(table.find(word)).toBe(expected);
  });

  it('refuses one word with two meanings', () => {
    expect(() => wordTable({ 'a-b': 1, 'A B': 2 })).toThrow('appears twice');
  });
});

it.each<[string, string | undefined, string | undefined, string[]]>([
  ['a word of the table', 'Sale', 'vente', []],
  ['a missing word', undefined, undefined, []],
  ['an unknown word, with a warning', 'troc', undefined, ['implausible_value offer troc']],
])('lookUp reads %s', (_title, word, meaning, noticed) => {
  const { context, warnings } = recordingContext('demo');
  const table = wordTable({ sale: 'vente' });
  expect([lookUp(table, word, 'offer', context, 'implausible_value'), warnings]).toEqual([meaning, noticed]);
});

it.each<[string, string | undefined, Record<string, string>, string | undefined, string[]]>([
  ['the currency that the record names', 'Franc suisse', { devise: 'XPF' }, 'CHF', []],
  ['absent, with a warning, when its three letters are not a currency', 'xxq', {}, undefined, ['unknown_word c xxq']],
  ['the currency of the settings when the record names none', undefined, { devise: 'XPF' }, 'XPF', []],
  ['the default of the format when neither the record nor the settings name a currency', undefined, {}, 'EUR', []],
  [
    'absent, with a warning, when its word is unknown',
    'couronnes',
    { devise: 'XPF' },
    undefined,
    ['unknown_word c couronnes'],
  ],
])('the currency of a record is %s', (_title, word, settings, currency, noticed) => {
  const { context, warnings } = recordingContext('demo', { settings });
  expect([readCurrency(word, 'c', context), warnings]).toEqual([currency, noticed]);
});

it.each<[string, string | undefined, string | undefined, string[]]>([
  ['the country that the record names', 'Francia', 'FR', []],
  ['absent when the record names no country', undefined, undefined, []],
  ['absent, with a warning, when its word is unknown', 'Atlantide', undefined, ['unknown_word p Atlantide']],
])('the country of a record is %s', (_title, word, country, noticed) => {
  const { context, warnings } = recordingContext('demo');
  expect([readCountry(word, 'p', context), warnings]).toEqual([country, noticed]);
});
