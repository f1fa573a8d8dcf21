import type { SourceRequest, WalkedPage } from './contracts';

/** A page of a list that is asked for by its number and its size. */
export interface NumberedPage {
  number: number;
  size: number;
  /** How many of the records so far it begins with. */
  overlaps: number;
}

/**
 * The page that shares at least one record with what has come and brings most of what has not: sizes may differ from page to
 * page. With 100 records a page at most, a list of 5,000 takes 57 pages in place of 50.
 *
 * @returns undefined when no page can do so: what has come ends with a page of every size, as 12 records do where 4 are given
 * at once.
 */
export function overlappingPage(recordsSoFar: number, mostPerPage: number): NumberedPage | undefined {
  let best: NumberedPage | undefined;
  for (let size = mostPerPage; size > 1; size -= 1) {
    const before = Math.floor((recordsSoFar - 1) / size);
    const overlaps = recordsSoFar - before * size;
    const brings = size - overlaps;
    if (brings > 0 && (best === undefined || brings > best.size - best.overlaps))
      best = { number: before + 1, size, overlaps };
  }
  return best;
}

/** The names of the parameters of an address that choose a page. */
export interface PageParameters {
  number: string;
  size: string;
}

/**
 * The request for the page after one, so that it shares records with what has come. An empty page is the last, and one that is
 * not full, unless more are declared: then the source gives fewer at once than it was asked for.
 */
export function nextNumberedPage(
  { request, records, recordsSoFar, declared = 0 }: WalkedPage,
  parameters: PageParameters,
): SourceRequest | undefined {
  const url = new URL(request.url);
  const asked = Number(url.searchParams.get(parameters.size));
  const isFull = records >= asked;
  if (records === 0 || (!isFull && recordsSoFar >= declared)) return undefined;
  const perPage = isFull ? (request.perPage ?? asked) : records;
  const { number, size, overlaps } = overlappingPage(recordsSoFar, perPage) ?? {
    ...{ number: Number(url.searchParams.get(parameters.number)) + 1, size: asked, overlaps: undefined },
  };
  url.searchParams.set(parameters.number, String(number));
  url.searchParams.set(parameters.size, String(size));
  const next: SourceRequest = { ...request, url: url.href, perPage };
  if (overlaps === undefined) delete next.overlaps;
  else next.overlaps = overlaps;
  return next;
}
