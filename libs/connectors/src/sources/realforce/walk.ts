import { AccessRefused, BadFeed, isUrl } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, SourceClient, SourceConfig } from '../../kit/contracts';
import { credential } from '../../kit/http-access';
import { nextNumberedPage } from '../../kit/page-numbers';
import { isLabelList, type LabelLists, writtenLabel } from './labels';
import { STATUSES } from './lookups';

const KEY_NAMES = ['api-key', 'api_key'];
const DEFAULT_BASE_URL = 'https://listings.realforce.ch';
const DEFAULT_LABELS_URL = 'https://labels.realforce.ch';
const PATH = '/api/v1/get-full-listings';
/** The largest page that the API accepts. */
const MOST_PER_PAGE = 100;
const LANGUAGES = 'fr|en|de|it';
const MOST_CHOICES = 60;
const USUAL_CHOICES = Array.from({ length: 20 }, (_, index) => index + 1);

const LOCATIONS = { countries: 'is_country', cantons: 'is_canton', cities: 'is_city', quarters: 'is_quarter' } as const;

/** One walk through the published properties. It first requests the labels of their codes. */
export const REALFORCE_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const url = firstPage(source);
    const key = credential(source, KEY_NAMES)?.trim() ?? '';
    if (key === '') throw new AccessRefused('the credential `api-key` is missing');
    if (/[^\x21-\x7e]/.test(key)) throw new AccessRefused('the credential `api-key` is no key');
    const headers = { accept: 'application/json', 'x-api-key': key };
    return { walks: [{ url, headers }], feed: { labels: await labelsFor(source, client, headers) } };
  },
  whenRefused: 'RealForce does not know the public key of the website',
  next: (page) => nextNumberedPage(page, { number: 'page', size: 'per_page' }),
};

/** @throws AccessRefused */
function firstPage({ url: given, settings }: SourceConfig): string {
  const address = given.trim() === '' ? DEFAULT_BASE_URL : given;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const url = new URL(`${new URL(address).origin}${PATH}`);
  const limit = toInteger(settings['limit']) ?? MOST_PER_PAGE;
  url.searchParams.set('per_page', String(Math.min(Math.max(limit, 1), MOST_PER_PAGE)));
  url.searchParams.set('page', '1');
  url.searchParams.set('lang', LANGUAGES);
  return url.href;
}

/**
 * Skips categories that have no list of labels: a code without a label gives a warning where it occurs. @throws
 * FeedError
 */
async function labelsFor(
  { settings }: SourceConfig,
  client: SourceClient,
  headers: Record<string, string>,
): Promise<LabelLists> {
  const address = settings['labels-url'] ?? DEFAULT_LABELS_URL;
  if (!isUrl(address)) throw new AccessRefused('the setting `labels-url` is not an address');
  const ask = async (call: string, parameters: Record<string, string> = {}): Promise<unknown> => {
    const url = new URL(`${new URL(address).origin}/api/v1/${call}`);
    for (const [name, value] of Object.entries({ ...parameters, lang: LANGUAGES })) url.searchParams.set(name, value);
    return await client.getTable({ url: url.href, headers });
  };
  const lists: Record<string, unknown> = {
    categories: listIn(await ask('get-categories-labels'), 'categories'),
    amenities: listIn(await ask('get-amenities-labels'), 'amenities'),
  };
  for (const [name, flag] of Object.entries(LOCATIONS))
    lists[name] = listIn(await ask('get-locations', { [flag]: '1' }), name);
  const choices: Record<string, unknown> = {};
  for (const category of choicesIn(settings['choices'])) {
    const found = await ask('get-choices-labels', { category: String(category) }).catch((error: unknown) => {
      if (error instanceof BadFeed) return {};
      throw error;
    });
    if (isLabelList(found)) Object.assign(choices, found);
  }
  // Without the labels of the statuses, sold or suspended properties would be shown.
  const hasStatuses = Object.values(choices).some((entry) => STATUSES.find(writtenLabel(entry) ?? '') !== undefined);
  if (!hasStatuses)
    throw new BadFeed('RealForce gave no labels of statuses: the setting `choices` must contain their category');
  return { ...lists, choices } as LabelLists;
}

function listIn(answer: unknown, name: string): unknown {
  if (isLabelList(answer)) return answer;
  // Some programs write an empty object as an empty list.
  if (Array.isArray(answer) && answer.length === 0) return {};
  throw new BadFeed(`RealForce gave no labels of ${name}`);
}

function choicesIn(setting = ''): readonly number[] {
  const given = setting.split(/[\s,;]+/).flatMap((number) => toInteger(number) ?? []);
  return given.length === 0 ? USUAL_CHOICES : given.slice(0, MOST_CHOICES);
}
