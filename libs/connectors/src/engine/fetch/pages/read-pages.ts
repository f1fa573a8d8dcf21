import { AccessRefused, FeedError, RetryLater } from '@passerelle/domain';
import type { PagedFetch, PreparedWalks, SourceRequest } from '../../../kit/contracts';
import type { RecordSlice } from '../../map/record-reader';
import { DetailReader } from './detail-reader';
import { changesSince, type PagesState } from './listed-changes';
import { PageStore } from './page-store';
import { checkComplete, type FeedPass, type OutcomeGroups, mapDocument } from '../../feed-pass';
import { openDocuments } from '../../cut/open/open-documents';
import { PageReader, type ReadPage } from './page-reader';
import { SourceRequests } from './source-requests';
import { walkByKey } from './walk-by-key';
import { type ListPage, resumeAt, type WalkableList, walkStablePages, walkUntilProven } from './walk-list';

/**
 * The share of the total time in which listings may be requested, so that the run ends normally before its time limit.
 */
const SHARE_FOR_DETAILS = 5 / 6;

/**
 * Reads the lists of an API, one after the other: first all pages of a list, then their records. Pages are read without
 * a processing slot, because a walk that waits for a slot between its pages would meet more changes. If a page after
 * the first one fails, the feed is incomplete; an outage ends the pass with an error instead, because the next run may
 * read everything.
 * @param state is filled in for a source that lists changes. @throws FeedError
 */
export async function* readPages(pass: FeedPass, fetch: PagedFetch, state?: PagesState): OutcomeGroups {
  const requests = new SourceRequests(pass, fetch);
  const { timeoutMs, detailsMs = timeoutMs * SHARE_FOR_DETAILS } = pass.request.outbound;
  // One deadline for all lists of the source.
  const detailsUntilMs = performance.now() + detailsMs;
  const prepare = async (): Promise<PreparedWalks> => {
    const prepared = (): Promise<PreparedWalks> => fetch.prepare(pass.request.source, requests.client);
    return await prepared().catch((error: unknown) => {
      if (!(error instanceof AccessRefused) || !requests.mayBeOutdated) throw error;
      requests.refuseExchanged();
      return prepared();
    });
  };
  const { walks, feed, hasStablePages = false } = await prepare();
  const { changes } = fetch;
  const since =
    changes === undefined || state === undefined || walks[0] === undefined
      ? undefined
      : await changesSince(pass, changes, walks[0], { client: requests.client, state });
  const asked = (first: SourceRequest): SourceRequest =>
    changes === undefined || since === undefined ? first : changes.since(first, since);
  for (const [name, value] of Object.entries(feed)) pass.reader.setContext(name, value);
  const reader = new PageReader(pass, requests);
  for (const [index, first] of walks.entries()) {
    const store = new PageStore(pass.session.reservation);
    const list: WalkableList = {
      ...{ pass, fetch, reader, store, first: asked(first) },
      async prepareAgain() {
        requests.refuseExchanged();
        const again = (await prepare()).walks[index];
        if (again === undefined) return undefined;
        list.first = asked(again);
        return list.first;
      },
    };
    try {
      const pages = await collectPages(list, hasStablePages);
      const details = fetch.details && new DetailReader(pass, requests, fetch.details, list, detailsUntilMs);
      for (const page of pages) yield* mapPage(pass, page, details);
      details?.end();
    } finally {
      await store.close();
    }
    if (pass.incomplete !== null) return;
  }
}

/** Reads the pages of a list in the cheapest way that misses no record. @throws FeedError */
async function collectPages(list: WalkableList, hasStablePages: boolean): Promise<ListPage[]> {
  const { pass, fetch, reader, store } = list;
  let page: ReadPage;
  let isLast: boolean;
  try {
    await store.startWalk();
    page = await reader.read(list.first, store, list.prepareAgain);
    isLast = fetch.next({ ...page, recordsSoFar: page.records, resumeAt: resumeAt(page.records, page) }) === undefined;
  } catch (error) {
    if (reader.pagesRead === 0 || !(error instanceof FeedError) || error instanceof RetryLater) throw error;
    pass.incomplete ??= `page 1 of the walk could not be read: ${error.message}`;
    return [];
  }
  // A single page is the whole list of one moment if it has at least as many records as it declares.
  const isWhole =
    page.declared === undefined || page.declared <= page.records || pass.request.ignoresDeclaredCount === true;
  if (isLast && isWhole && page.cut === undefined) {
    checkComplete(pass, page.declared, page.records);
    return [{ page }];
  }
  if (hasStablePages) return await walkStablePages(list, page);
  const byKey = isLast || fetch.keyOrder === undefined ? undefined : await walkByKey(list, fetch.keyOrder);
  return byKey ?? (await walkUntilProven(list, page));
}

async function* mapPage(pass: FeedPass, { page, positions }: ListPage, details?: DetailReader): OutcomeGroups {
  const { connector, request } = pass;
  let position = 0;
  const isWanted = (): boolean => positions?.has(position++) ?? true;
  const { documents } = await openDocuments(page.spool, connector.open, request.outbound.maxBytes);
  const detailOf = details && ((summary: RecordSlice) => details.sliceFor(summary, page.request));
  for (const document of documents)
    yield* mapDocument(pass, document, { isPage: true, isWanted, ...(detailOf && { detailOf }) });
}
