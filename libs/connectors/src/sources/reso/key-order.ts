import type { KeyOrder, SourceRequest, WalkedPage } from '../../kit/contracts';

/** Every property has this key, and it never changes. */
const KEY = 'ListingKey';
/** Query options that choose another order, or a position in the order. */
const OTHER_ORDER = /[?&](?:\$|%24)(?:orderby|skip|skiptoken|apply|search)=/i;
const SELECT = /[?&](?:\$|%24)select=([^&]*)/i;
const FILTER = /^(?:\$|%24)filter=/i;

/** Pages by ranges of `ListingKey`: `$orderby=ListingKey`, then `ListingKey gt '…'`. */
export const KEY_ORDER: KeyOrder = {
  first(request) {
    const selected = decoded(SELECT.exec(request.url)?.[1] ?? KEY);
    if (OTHER_ORDER.test(request.url) || !selected.split(',').includes(KEY)) return undefined;
    return withOption(request, `$orderby=${KEY}`);
  },
  keyOf(record) {
    const key = keyIn(record);
    return key === undefined || key === '' ? undefined : String(key);
  },
  next(first, page, lastRecord) {
    const key = keyIn(lastRecord);
    return key === undefined || !hasMore(page) ? undefined : after(first, key);
  },
};

const NEXT_LINKS = ['@odata.nextLink', '@nextLink', 'odata.nextLink'];
export const ENVELOPE = ['@odata.count', ...NEXT_LINKS];

export function nextLinkOf({ envelope }: Pick<WalkedPage, 'envelope'>): unknown {
  const given = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return NEXT_LINKS.map((name) => envelope[name]).find(given);
}

export function topOf({ url }: SourceRequest): number | undefined {
  const top = /[?&](?:\$|%24)top=(\d+)/i.exec(url)?.[1];
  return top === undefined ? undefined : Number(top);
}

/** Servers may give fewer records than `$top`; then a link or the count shows whether there are more. */
function hasMore(page: WalkedPage): boolean {
  if (nextLinkOf(page) !== undefined || (page.records > 0 && page.records === topOf(page.request))) return true;
  return page.declared !== undefined && page.declared > page.records;
}

function keyIn(record: unknown): string | number | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const key = (record as Record<string, unknown>)[KEY];
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

function after(first: SourceRequest, key: string | number): SourceRequest {
  const [base = '', query = ''] = first.url.split('?', 2);
  const options = query.split('&');
  const filter = options.find((option) => FILTER.test(option))?.replace(FILTER, '');
  const range = `${KEY} gt ${typeof key === 'number' ? key : `'${key.replaceAll("'", "''")}'`}`;
  const condition = filter === undefined ? range : `(${decoded(filter)}) and ${range}`;
  const others = options.filter((option) => option !== '' && !FILTER.test(option));
  return { ...first, url: `${base}?${[...others, `$filter=${encodeURIComponent(condition)}`].join('&')}` };
}

function withOption(request: SourceRequest, option: string): SourceRequest {
  return { ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}${option}` };
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
