import { foldWord } from './fold';

const WORDS: Readonly<Record<string, string>> = {
  vi: 'VI',
  v: 'VI',
  vierge: 'VI',
  'dpe vierge': 'VI',
  ns: 'NS',
  'non soumis': 'NS',
  'non concerne': 'NS',
  nc: 'NS',
  exempt: 'NS',
};

/** An energy class: A to G, `VI` for a blank certificate, `NS` where none is needed; undefined for everything else. */
export function toEnergyClass(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[A-Ga-g]\+{0,3}$/.test(text)) return text.charAt(0).toUpperCase();
  return WORDS[foldWord(text)];
}
