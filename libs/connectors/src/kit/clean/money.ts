import { ownText, type RentPeriod } from '@passerelle/domain';
import { toCents } from './number';
import { foldWord } from './fold-word';

const NAMES: Readonly<Record<string, string>> = {
  euro: 'EUR',
  euros: 'EUR',
  'franc suisse': 'CHF',
  'francs suisses': 'CHF',
  dollar: 'USD',
  dollars: 'USD',
  'us dollar': 'USD',
  livre: 'GBP',
  'livre sterling': 'GBP',
  pound: 'GBP',
  'franc cfp': 'XPF',
  'dirham marocain': 'MAD',
};
const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };

/** Includes former currencies. */
const NAMES_OF_CODES = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });

/** Few words repeat in all records, and `Intl` needs 4 µs for each. A hostile feed must not fill the memory with others. */
const known = new Map<string, string | undefined>();
const MOST_KNOWN = 1_000;
const MOST_LETTERS = 20;

/** A currency in ISO 4217, from its code, sign or name. */
export function toCurrency(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.length > MOST_LETTERS) return currencyOf(text);
  if (known.has(text)) return known.get(text);
  const currency = currencyOf(text);
  // The text may be a part of the record's text, which must not stay in memory.
  if (known.size < MOST_KNOWN) known.set(ownText(text), currency);
  return currency;
}

function currencyOf(text: string): string | undefined {
  if (/^[A-Za-z]{3}$/.test(text) && NAMES_OF_CODES.of(text) !== undefined) return text.toUpperCase();
  return SIGNS[text] ?? NAMES[foldWord(text)];
}

/** The number of periods per month; a year has 365 days, 52 weeks or 12 months. */
const PER_MONTH: Readonly<Record<RentPeriod, number>> = {
  jour: 365 / 12,
  semaine: 52 / 12,
  quinzaine: 26 / 12,
  mois: 1,
  trimestre: 1 / 3,
  semestre: 1 / 6,
  an: 1 / 12,
};

export function toMonthlyRent(amount: number, period: RentPeriod): number {
  return period === 'mois' ? amount : toCents(amount * PER_MONTH[period]);
}
