import type { SourceRequest, WalkedPage } from './contracts';

export interface NumberedPage {
  number: number;
  size: number;
  /** How many records at the start of the page were already received. */
  overlaps: number;
}

/**
 * Finds the page that begins with a received record and adds the most new ones. Undefined if, for every page size, the
 * received records end at a page border.
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

export interface PageParameters {
  number: string;
  size: string;
}

/**
 * Returns the request for the next page, or undefined after the last one: an empty page, or one that is not full while
 * no more records are declared.
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
