import { FeedError, RetryLater } from '@passerelle/domain';
import type { KeyOrder, SourceRequest } from '../../../kit/contracts';
import { checkComplete } from '../../feed-pass';
import type { ReadPage } from './page-reader';
import type { ListPage, WalkableList } from './walk-list';

/**
 * Walks a list by requesting the records after the last key. It cannot miss a record that stays in the list, even if
 * other records come or go.
 * @returns undefined when the source does not sort or filter by the key @throws FeedError when the source is out of
 * service
 */
export async function walkByKey(list: WalkableList, keyOrder: KeyOrder): Promise<ListPage[] | undefined> {
  const { pass, reader, store } = list;
  const first = keyOrder.first(list.first);
  const pages: ReadPage[] = [];
  const order = new AscendingKeys();
  let recordsSoFar = 0;
  let request: SourceRequest | undefined = first;
  while (first !== undefined && request !== undefined) {
    let page: ReadPage;
    try {
      page = await reader.read(request, store, async () => {
        const again = await list.prepareAgain();
        return again && keyOrder.first(again);
      });
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      if (error instanceof RetryLater && error.retryAfterMs !== undefined) throw error;
      // The first two requests show whether the source can sort and filter.
      if (pages.length < 2) return undefined;
      if (error instanceof RetryLater) throw error;
      pass.incomplete ??= `page ${pages.length + 1} of the walk could not be read: ${error.message}`;
      break;
    }
    const read = await reader.mapRecords(page, (bytes) => pass.reader.tryParse(bytes));
    if (!read.every((record) => order.take(record === undefined ? undefined : keyOrder.keyOf(record))))
      return undefined;
    pages.push(page);
    recordsSoFar += page.records;
    if (page.cut !== undefined) {
      pass.incomplete ??= page.cut;
      break;
    }
    request = keyOrder.next(
      { ...page.request, url: first.url },
      { ...page, recordsSoFar, resumeAt: recordsSoFar },
      read.at(-1),
    );
    // The total of a page should count only the records after the last key, but some sources declare the whole list on
    // each page.
    if (request === undefined && page.declared !== recordsSoFar) checkComplete(pass, page.declared, page.records);
  }
  return pages.length === 0 ? undefined : pages.map((page) => ({ page }));
}

type IsBefore = (key: string, next: string) => boolean;

const COLLATOR = new Intl.Collator('en');
const ORDERS: readonly IsBefore[] = [
  (key, next) => /^\d+$/.test(key) && /^\d+$/.test(next) && BigInt(key) < BigInt(next),
  (key, next) => key < next,
  (key, next) => key.toLowerCase() < next.toLowerCase(),
  (key, next) => COLLATOR.compare(key, next) < 0,
];

/** Checks that keys increase, in one of the orders that databases use. */
class AscendingKeys {
  private orders = ORDERS;
  private last: string | undefined;

  /** @returns false for a key that cannot come next. */
  take(key: string | undefined): boolean {
    const last = this.last;
    this.last = key;
    if (key === undefined) return false;
    if (last !== undefined) this.orders = this.orders.filter((isBefore) => isBefore(last, key));
    return this.orders.length > 0;
  }
}
