import { AccessRefused } from '@passerelle/domain';
import type { SourceRequest } from '../../../kit/contracts';
import type { PageStore } from './page-store';
import type { Spool } from '../spool';
import { parseContext, EventLoopYield, type FeedPass, isOwnRecord } from '../../feed-pass';
import { openDocuments } from '../../cut/open/open-documents';
import { waitFor } from './request-with-retries';
import type { SourceRequests } from './source-requests';

/** A walk must not use up the source's quota of requests per second. */
const PAUSE_BETWEEN_PAGES_MS = 100;

export interface ReadPage {
  /** The request that succeeded: a token may have been renewed for it. */
  request: SourceRequest;
  spool: Spool;
  records: number;
  declared: number | undefined;
  envelope: Readonly<Record<string, unknown>>;
  /** Why the end of the page is missing. */
  cut: string | undefined;
}

export class PageReader {
  private pages = 0;

  constructor(
    private readonly pass: FeedPass,
    private readonly requests: SourceRequests,
  ) {}

  /** The number of pages read in all walks. */
  get pagesRead(): number {
    return this.pages;
  }

  /** Fetches a page. @param prepareAgain builds the walk's first request again, with a new token @throws FeedError */
  async read(
    request: SourceRequest,
    store: PageStore,
    prepareAgain: () => Promise<SourceRequest | undefined>,
  ): Promise<ReadPage> {
    const { session, request: feed } = this.pass;
    feed.work?.leave();
    if (this.pages > 0) await waitFor(feed.outbound.pagePauseMs ?? PAUSE_BETWEEN_PAGES_MS, feed.signal);
    let working = request;
    const fetched = await this.requests.page(request).catch(async (error: unknown) => {
      if (!(error instanceof AccessRefused) || (this.pages === 0 && !this.requests.mayBeOutdated)) throw error;
      // The token expired before or during the walk: prepare again, and use the new headers.
      const again = await prepareAgain();
      // A page on another origin was requested without the token, and must not get the new token either.
      if (again?.headers === undefined || new URL(again.url).origin !== new URL(request.url).origin) throw error;
      working = { ...request, headers: again.headers };
      return await this.requests.page(working);
    });
    try {
      const page = { ...(await this.measure(fetched)), request: working, spool: await store.keep(fetched) };
      this.pages += 1;
      return page;
    } finally {
      await session.release(fetched);
    }
  }

  /** Calls `read` with each record of a page, in order, and returns the results. `read` must not keep the bytes. */
  async mapRecords<T>(page: Pick<ReadPage, 'spool'>, read: (bytes: Buffer) => T): Promise<T[]> {
    const { connector, request } = this.pass;
    const found: T[] = [];
    const loopYield = new EventLoopYield(request.signal);
    const { documents } = await openDocuments(page.spool, connector.open, request.outbound.maxBytes);
    for (const document of documents) {
      for await (const slice of connector.format.slice(document)) {
        if (isOwnRecord(slice)) found.push(read(slice.bytes));
        if (loopYield.isDue()) await loopYield.wait();
      }
    }
    return found;
  }

  /** @throws BadFeed when the answer is not a page of this format. */
  private async measure(spool: Spool): Promise<Pick<ReadPage, 'records' | 'declared' | 'envelope' | 'cut'>> {
    const { connector, request } = this.pass;
    const envelope: Record<string, unknown> = {};
    let records = 0;
    let declared: number | undefined;
    let cut: string | undefined;
    const { documents } = await openDocuments(spool, connector.open, request.outbound.maxBytes);
    for (const document of documents) {
      for await (const slice of connector.format.slice(document)) {
        if (isOwnRecord(slice)) records += 1;
        else if (slice.kind === 'context') envelope[slice.name] = parseContext(this.pass, slice);
        else if (slice.kind === 'declared') declared = slice.count;
        else if (slice.kind === 'incomplete') cut ??= slice.message;
      }
    }
    return { records, declared, envelope, cut };
  }
}
