import { foldWord } from './fold';

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

/** A currency in ISO 4217, from its code, sign or name. */
export function toCurrency(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
  return SIGNS[text] ?? NAMES[foldWord(text)];
}
