import type { SourceRequest, WalkedPage } from './contracts';

/** A page of a list that is requested by its number and its size. */
export interface NumberedPage {
  number: number;
  size: number;
  /** How many of the records received so far the page begins with. */
  overlaps: number;
}

/**
 * The page that shares at least one record with the received ones and adds the most new ones; sizes may differ from
 * page to page. With at most 100 records per page, a list of 5,000 takes 57 pages instead of 50.
 *
 * @returns undefined when no page can share a record: the received records end at a page border for every size, as with
 * 12 records in pages of 4.
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

/** The names of the address parameters that choose a page. */
export interface PageParameters {
  number: string;
  size: string;
}

/**
 * The request for the next page, which shares records with the received ones. An empty page is the last one. A page
 * that is not full is also the last, unless more records are declared: then the source delivers fewer per page than
 * requested.
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
