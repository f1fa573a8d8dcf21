import { readCountry, readCurrency } from './noticed-words';
import { recordingContext } from './testing/recording-context';

it.each<[string, string | undefined, Record<string, string>, string | undefined, string[]]>([
  ['its word', 'Franc suisse', { devise: 'XPF' }, 'CHF', []],
  ['that of the settings where it names none', undefined, { devise: 'XPF' }, 'XPF', []],
  ['the format’s own where nobody names one', undefined, {}, 'EUR', []],
  [
    'none, and noticed, where nobody knows its word',
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
  ['its word', 'Francia', 'FR', []],
  ['none where it names none', undefined, undefined, []],
  ['none, and noticed, where nobody knows its word', 'Atlantide', undefined, ['unknown_word p Atlantide']],
])('the country of a record is %s', (_title, word, country, noticed) => {
  const { context, warnings } = recordingContext('demo');
  expect([readCountry(word, 'p', context), warnings]).toEqual([country, noticed]);
});
