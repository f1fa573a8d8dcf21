import type { LanguageTexts, Listing } from '@passerelle/domain';
import { toLanguage } from './clean/language';
import type { RecordContext } from './contracts';
import { TITLE_LANGUAGES, type TitleLanguage, type TitleParts, titleWordIn } from './title-words';
import type { Verb } from './verb';

/** `Villa 3 chambres à Almunecar`, `Appartement 3 pièces à Nice`; undefined when even the type is not known. */
export function frenchTitle({ type, pieces, chambres, ville }: TitleParts): string | undefined {
  if (type === undefined || type === '') return undefined;
  const size = pieces === undefined ? counted(chambres, 'chambre') : counted(pieces, 'pièce');
  const town = ville === undefined ? '' : ` à ${capitalized(ville)}`;
  return `${capitalized(type)}${size}${town}`;
}

function counted(count: number | undefined, noun: string): string {
  return count === undefined ? '' : ` ${String(count).replace('.', ',')} ${noun}${count >= 2 ? 's' : ''}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Noun = readonly [one: string, many: string];

interface Wording {
  in: (town: string) => string;
  rooms: Noun;
  bedrooms: Noun;
  /** Whether adverts in this language count bedrooms when both numbers are known. */
  countsBedrooms: boolean;
  numbers: Intl.NumberFormat;
}

const numbersOf = (locale: string): Intl.NumberFormat => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

const WORDINGS: Readonly<Record<TitleLanguage, Wording>> = {
  en: {
    in: (town) => `in ${town}`,
    ...{ rooms: ['room', 'rooms'], bedrooms: ['bedroom', 'bedrooms'], countsBedrooms: true },
    numbers: numbersOf('en'),
  },
  de: {
    in: (town) => `in ${town}`,
    ...{ rooms: ['Zimmer', 'Zimmer'], bedrooms: ['Schlafzimmer', 'Schlafzimmer'], countsBedrooms: false },
    numbers: numbersOf('de'),
  },
  es: {
    in: (town) => `en ${town}`,
    ...{ rooms: ['estancia', 'estancias'], bedrooms: ['dormitorio', 'dormitorios'], countsBedrooms: true },
    numbers: numbersOf('es'),
  },
  it: {
    in: (town) => (/^a/i.test(town) ? `ad ${town}` : `a ${town}`),
    ...{ rooms: ['locale', 'locali'], bedrooms: ['camera da letto', 'camere da letto'], countsBedrooms: false },
    numbers: numbersOf('it'),
  },
  nl: {
    in: (town) => `in ${town}`,
    ...{ rooms: ['kamer', 'kamers'], bedrooms: ['slaapkamer', 'slaapkamers'], countsBedrooms: true },
    numbers: numbersOf('nl'),
  },
  pt: {
    in: (town) => `em ${town}`,
    ...{ rooms: ['divisão', 'divisões'], bedrooms: ['quarto', 'quartos'], countsBedrooms: true },
    numbers: numbersOf('pt-PT'),
  },
  ca: {
    in: (town) => `a ${town}`,
    ...{ rooms: ['estança', 'estances'], bedrooms: ['dormitori', 'dormitoris'], countsBedrooms: true },
    numbers: numbersOf('ca'),
  },
};

type Described = Pick<Listing, 'typeCode' | 'surfaceHabitable' | 'surfaceTerrain' | 'pays'>;

/**
 * A title in the language: `Apartment in Bristol, 3 bedrooms, 85 m²`. A language without words of its own gets English,
 * which most readers of a foreign advert understand better than French.
 */
export function titleIn(language: string, parts: TitleParts, listing: Described): string | undefined {
  if (language === 'fr') return frenchTitle(parts);
  const { type, pieces, chambres, ville } = parts;
  if (type === undefined || type === '') return undefined;
  const spoken = TITLE_LANGUAGES.find((one) => one === language) ?? 'en';
  const wording = WORDINGS[spoken];
  const word = titleWordIn(spoken, type, listing.typeCode);
  const town = ville === undefined ? '' : ` ${wording.in(capitalized(ville))}`;
  const bedrooms = counting(wording, chambres, wording.bedrooms);
  const rooms = counting(wording, pieces, wording.rooms);
  const area = areaOf(listing);
  const size = wording.countsBedrooms ? (bedrooms ?? rooms) : (rooms ?? bedrooms);
  return [`${word}${town}`, size, area === undefined ? undefined : `${written(area, wording)} m²`]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** In whole m². Absent in the United States, where adverts have square feet. */
function areaOf({ typeCode, surfaceHabitable, surfaceTerrain, pays }: Described): number | undefined {
  const area = typeCode === 'terrain' ? surfaceTerrain : surfaceHabitable;
  return area === undefined || pays === 'US' || area < 1 ? undefined : Math.round(area);
}

function counting(wording: Wording, count: number | undefined, [one, many]: Noun): string | undefined {
  return count === undefined ? undefined : `${written(count, wording)} ${count === 1 ? one : many}`;
}

/** Whole numbers below 1000 are the same in all these languages, and `Intl` takes 2 µs for each. */
function written(count: number, { numbers }: Wording): string {
  return Number.isInteger(count) && count >= 0 && count < 1_000 ? String(count) : numbers.format(count);
}

/** The language of adverts, by country. French is also the language of titles where a country has several languages. */
const LANGUAGE_BY_COUNTRY: Readonly<Record<string, TitleLanguage>> = {
  ...{ AD: 'ca', AT: 'de', DE: 'de', LI: 'de', ES: 'es', IT: 'it', SM: 'it', NL: 'nl', PT: 'pt' },
  ...{ AE: 'en', AU: 'en', CA: 'en', CY: 'en', GB: 'en', GI: 'en', IE: 'en', MT: 'en', NZ: 'en', US: 'en', ZA: 'en' },
};

/**
 * Puts built titles into the languages of the listing: `langue`, else the one that the operator prefers, else the one
 * of the country, else French. Each text in `textes` without a title gets a built one.
 * @param partsOf is called only for a listing with a language other than French
 */
export function localizeTitles(
  listing: Pick<Listing, 'intitule' | 'langue' | 'textes'> & Described,
  settings: Readonly<Record<string, string>>,
  partsOf: () => TitleParts | undefined,
): void {
  const { langue = toLanguage(settings['langue'] ?? ''), textes, intitule } = listing;
  const language = langue ?? LANGUAGE_BY_COUNTRY[listing.pays ?? ''] ?? 'fr';
  if (language === 'fr' && textes === undefined) return;
  const parts = partsOf();
  if (parts === undefined) return;
  if (language !== 'fr' && intitule !== undefined && intitule === frenchTitle(parts)) {
    const title = titleIn(language, parts, listing);
    if (title !== undefined) listing.intitule = title;
  }
  if (textes === undefined) return;
  const titled = Object.entries(textes).map(([spoken, texts]): [string, LanguageTexts] => {
    const title = texts.intitule === undefined ? titleIn(spoken, parts, listing) : undefined;
    return [spoken, title === undefined ? texts : { intitule: title, ...texts }];
  });
  listing.textes = Object.fromEntries(titled);
}

/** A title for a record without one; undefined parts give none. It is built in the languages of the listing. */
export function builtTitle<R>(
  titleParts: (record: R, context: RecordContext) => TitleParts | undefined,
  ...paths: readonly string[]
): Verb<R, string> {
  const read = (record: R, context: RecordContext): string | undefined => {
    const parts = titleParts(record, context);
    return parts === undefined ? undefined : frenchTitle(parts);
  };
  return { verb: 'computed', paths, read, titleParts };
}
