import type { JsonRecord } from '../json-records';
import type { XmlRecord } from '../xml-records';
import { listOf } from '../../kit/values';

const ATTACHMENTS: Readonly<Record<string, string>> = {
  images: 'image',
  plans: 'plan',
  logos: 'logo',
  documents: 'document',
  links: 'link',
  directLinks: 'linkDirect',
  virtualTourLinks: 'linkVirtualTour',
  youTubeLinks: 'linkYoutube',
};

/** A JSON property or project under XML names. Attributes of XML begin with `@`; lists get an element around them. */
export function toXmlNames(record: JsonRecord): XmlRecord {
  return {
    ...renamed(record, { id: '@id' }),
    ...(isObject(record['availability']) && {
      availability: renamed(record['availability'], { state: '#text', start: '@start', expiration: '@expiration' }),
    }),
    categories: { category: record['categories'] },
    utilizations: { utilization: record['utilizations'] },
    ...(isObject(record['prices']) && { prices: toPrices(record['prices']) }),
    localizations: { localization: listOf(record['localizations']).map(toLocalization) },
    units: { unit: listOf(record['units']).map((unit) => (isObject(unit) ? toXmlUnit(unit) : undefined)) },
  };
}

function toXmlUnit(unit: JsonRecord): XmlRecord {
  return {
    ...renamed(unit, { id: '@id' }),
    localizations: { localization: listOf(unit['localizations']).map(toLocalization) },
  };
}

function toPrices(prices: JsonRecord): XmlRecord {
  const { rent, buy, auction, deposit } = prices;
  const terms = { interval: '@interval', referring: '@referring' };
  return {
    ...renamed(prices, { currency: '@currency' }),
    ...(isObject(rent) && { rent: renamed(rent, terms) }),
    ...(isObject(buy) && { buy: renamed(buy, terms) }),
    ...(isObject(auction) && { auction: renamed(auction, { startPrice: '#text' }) }),
    ...(isObject(deposit) && { deposit: renamed(deposit, { amount: '#text' }) }),
  };
}

function toLocalization(texts: unknown): XmlRecord | undefined {
  if (!isObject(texts)) return undefined;
  const { attachments } = texts;
  return {
    ...renamed(texts, { languageCode: '@lang', title: 'name' }),
    ...(isObject(attachments) && { attachments: renamed(attachments, ATTACHMENTS) }),
  };
}

function renamed(members: JsonRecord, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]): [string, unknown] => [names[name] ?? name, value]),
  );
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PATHS: readonly (readonly [xml: RegExp, json: string])[] = [
  [/^availability$/, 'availability.state'],
  [/^prices\.auction$/, 'prices.auction.startPrice'],
  [/^prices\.deposit$/, 'prices.deposit.amount'],
  [/^(categories|utilizations|localizations)\.(?:category|utilization|localization)\b/, '$1'],
  [/^(localizations)\.name$/, '$1.title'],
  ...Object.entries(ATTACHMENTS).map(([json, xml]): [RegExp, string] => [
    new RegExp(`(attachments\\.)${xml}(?![a-z])`, 'i'),
    `$1${json}`,
  ]),
  [/@lang\b/, 'languageCode'],
  [/@/g, ''],
];

/** The JSON path for a path of the XML form: operators and reviewers search for it in the file. */
export function toJsonPath(path: string): string {
  return PATHS.reduce((written, [xml, json]) => written.replace(xml, json), path);
}
