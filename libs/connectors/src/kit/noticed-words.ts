import { toCountry } from './clean/country';
import { toCurrency } from './clean/currency';
import type { RecordContext } from './contracts';

/** The country that a record names; a word that nobody knows is noticed. */
export function readCountry(word: string | undefined, field: string, context: RecordContext): string | undefined {
  return known(toCountry(word), word, field, context);
}

/**
 * The currency that a record names, else the one of the settings (`devise`), else the format's own. A word that nobody
 * knows is noticed, and none of them: a price in the wrong currency is worse than one without.
 */
export function readCurrency(
  word: string | undefined,
  field: string,
  context: RecordContext,
  usual = 'EUR',
): string | undefined {
  if (word !== undefined) return known(toCurrency(word), word, field, context);
  return toCurrency(context.settings['devise']) ?? usual;
}

function known<T>(
  meaning: T | undefined,
  word: string | undefined,
  field: string,
  context: RecordContext,
): T | undefined {
  if (meaning === undefined && word !== undefined) context.warn('unknown_word', field, word.slice(0, 120));
  return meaning;
}
