import type { FastifyRequest } from 'fastify';
import { EN, type Texts } from './en';
import { FR } from './fr';
import { inFrench } from './library-sentences';

export type LanguageCode = 'en' | 'fr';

export interface Language {
  code: LanguageCode;
  texts: Texts;
  /** A sentence of the library; untranslated when there is no translation. */
  ofLibrary: (sentence: string) => string;
  speaks: (sentence: string) => boolean;
  number: (value: number) => string;
  percent: (share: number) => string;
  /** @param currency ISO 4217; another text is shown beside the number */
  money: (amount: number, currency: string | null | undefined) => string;
  /** A day for a message that is forwarded: `28 November 2026`, in UTC. */
  day: (time: string) => string;
  /** A day in little space: `28 Nov`, from `YYYY-MM-DD`. */
  shortDay: (day: string) => string;
  /** A time relative to now: `3 min. ago`. */
  relative: (time: string, now: Date) => string;
  /** A duration in its largest unit. */
  span: (seconds: number) => string;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function makeLanguage(code: LanguageCode, texts: Texts): Language {
  const locale = code === 'en' ? 'en-GB' : 'fr-FR';
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const shortDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const spans = new Map(
    UNITS.map(([unit]) => [unit, new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })]),
  );
  const unitOf = (seconds: number) => UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[UNITS.length - 1]!;
  return {
    code,
    texts,
    ofLibrary(sentence) {
      const french = code === 'fr' ? inFrench(sentence) : null;
      return french === null ? sentence : withoutLooseSigns(french);
    },
    speaks: (sentence) => code === 'en' || inFrench(sentence) !== null,
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share),
    money: (amount, currency) => moneyIn(locale, amount, currency ?? 'EUR'),
    day: (time) => days.format(new Date(time)),
    shortDay: (day) => shortDays.format(new Date(day)),
    relative(time, now) {
      const seconds = Math.round((Date.parse(time) - now.getTime()) / 1000);
      const [unit, size] = unitOf(seconds);
      return relative.format(Math.trunc(seconds / size), unit);
    },
    span(seconds) {
      const [unit, size] = unitOf(seconds);
      return spans.get(unit)!.format(Math.round(seconds / size));
    },
  };
}

const MONEY = new Map<string, Intl.NumberFormat>();
/** Enough for every currency in both languages; a feed may contain any three letters. */
const MOST_CURRENCIES = 400;

function moneyIn(locale: string, amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${new Intl.NumberFormat(locale).format(amount)} ${currency}`;
  const key = `${locale} ${currency}`;
  const known = MONEY.get(key);
  const format = known ?? new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 });
  if (known === undefined && MONEY.size < MOST_CURRENCIES) MONEY.set(key, format);
  return format.format(amount);
}

const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: makeLanguage('en', EN),
  fr: makeLanguage('fr', heldTogether(FR)),
};

/** Puts narrow no-break spaces where French typography needs them, also in results of text functions. */
function heldTogether<Value>(texts: Value): Value {
  if (typeof texts === 'string') return withoutLooseSigns(texts) as Value;
  if (isSaying(texts)) return ((...values: unknown[]) => heldTogether(texts(...values))) as Value;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, heldTogether<unknown>(text)])) as Value;
}

function isSaying(texts: unknown): texts is (...values: unknown[]) => unknown {
  return typeof texts === 'function';
}

function withoutLooseSigns(text: string): string {
  return text.replace(/ (?=[:;!?»%€])/g, '\u00a0').replaceAll('« ', '«\u00a0');
}

export const LANGUAGE_COOKIE = 'language';

/** The language that the operator chose, else the first supported one that the browser prefers, else English. */
export function languageOf({ cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>): Language {
  const chosen = cookies[LANGUAGE_COOKIE];
  if (chosen === 'en' || chosen === 'fr') return LANGUAGES[chosen];
  const asked = /\b(fr|en)\b/i.exec(headers['accept-language'] ?? '')?.[1]?.toLowerCase();
  return asked === 'fr' ? LANGUAGES.fr : LANGUAGES.en;
}
