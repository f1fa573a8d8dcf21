import { BadFeed, FeedError, RetryLater } from '@passerelle/domain';
import type { PagedFetch, PreparedWalks, SourceClient } from '../../../kit/contracts';
import { PageStore } from './page-store';
import { checkWalked, type FeedPass, type OutcomeGroups, readPart } from '../../feed-pass';
import { openParts } from '../../cut/open/open-parts';
import { PageReader, type ReadPage } from './page-reader';
import { requestWithRetries } from './request-with-retries';
import { walkByKey } from './walk-by-key';
import { type ListPage, resumeAt, type WalkableList, walkStablePages, walkUntilProven } from './walk-list';

const MAX_SECONDARY_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Reads the lists of an API, one after the other: first all pages of a list, then their records. Once a page was read, a
 * later one that fails makes the feed incomplete; an outage ends the pass instead, because the next run may read
 * everything.
 *
 * @throws FeedError
 */
export async function* readPages(pass: FeedPass, fetch: PagedFetch): OutcomeGroups {
  const client = sourceClient(pass);
  const prepare = (): Promise<PreparedWalks> => fetch.prepare(pass.request.source, client);
  const { walks, feed, hasStablePages = false } = await prepare();
  for (const [name, value] of Object.entries(feed)) pass.reader.setContext(name, value);
  const reader = new PageReader(pass);
  for (const [index, first] of walks.entries()) {
    const store = new PageStore();
    const list: WalkableList = {
      ...{ pass, fetch, reader, store, first },
      async prepareAgain() {
        const again = (await prepare()).walks[index];
        if (again !== undefined) list.first = again;
        return again;
      },
    };
    try {
      for (const page of await collectPages(list, hasStablePages)) yield* readRecords(pass, page);
    } finally {
      await store.close();
    }
    if (pass.incomplete !== null) return;
  }
}

/** Reads the pages of a list in the cheapest way that misses nothing. @throws FeedError */
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
  // One page is the list of one moment, if it is at least as long as it says.
  const isWhole =
    page.declared === undefined || page.declared <= page.records || pass.request.ignoresDeclaredCount === true;
  if (isLast && isWhole && page.cut === undefined) {
    checkWalked(pass, page.declared, page.records);
    return [{ page }];
  }
  if (hasStablePages) return await walkStablePages(list, page);
  const byKey = isLast || fetch.keyOrder === undefined ? undefined : await walkByKey(list, fetch.keyOrder);
  return byKey ?? (await walkUntilProven(list, page));
}

async function* readRecords(pass: FeedPass, { page, places }: ListPage): OutcomeGroups {
  const { connector, request } = pass;
  let place = 0;
  const isWanted = (): boolean => places?.has(place++) ?? true;
  const { parts } = await openParts(page.spool, connector.open, request.outbound.maxBytes);
  for (const part of parts) yield* readPart(pass, part, { isPage: true, isWanted });
}

function sourceClient({ session, request, warnings }: FeedPass): SourceClient {
  return {
    async getJson(question) {
      const spool = await requestWithRetries(session, question, request.signal);
      try {
        const shown = session.show(question.url);
        if (spool.sizeBytes > MAX_SECONDARY_ANSWER_BYTES)
          throw new BadFeed(`${shown} answered with more bytes than expected`);
        const text = (await spool.read(0, spool.sizeBytes)).toString('utf8').replace(/^\ufeff/, '');
        try {
          const answer: unknown = JSON.parse(text);
          return answer;
        } catch {
          // No `cause`: its message quotes the answer, which may hold a token.
          throw new BadFeed(`${shown} did not answer with JSON`);
        }
      } finally {
        await session.release(spool);
      }
    },
    warn(code, field, value) {
      warnings.note(code, field, value);
      warnings.settle(undefined);
    },
  };
}
