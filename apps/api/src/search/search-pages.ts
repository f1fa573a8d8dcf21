import { Injectable } from '@nestjs/common';
import { digestOf, weakTag } from '../http/entity-tag';
import { CachedBody } from '../http/cached-body';
import { PageCache } from '../properties/page-cache';
import { pageLinks } from '../properties/page-links';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { findListings } from './found-listings';
import { FoundTexts } from './found-texts';
import type { SearchQuery } from './search-query';
import type { SearchedListing } from './searched-listing';
import { facetsOf, pinsTextOf } from './shown-result';
import { SnapshotIndexes } from './snapshot-indexes';

/** Pages of results as bytes: everything in the body after `request_id`. */
@Injectable()
export class SearchPages {
  constructor(
    private readonly indexes: SnapshotIndexes,
    private readonly texts: FoundTexts,
    private readonly cache: PageCache,
  ) {}

  /** @throws Error when the snapshot was pruned meanwhile */
  async load(snapshot: ServedSnapshot, query: SearchQuery, isGzip: boolean): Promise<CachedBody> {
    const digest = digestOf(JSON.stringify({ ...query, linkParameters: undefined, snapshot: undefined }));
    const name = `${snapshot.gatewayId}/${snapshot.token}/${digest}`;
    const etag = weakTag(snapshot.token, 'search', digest);
    const page = this.cache.get(name) ?? (await this.cache.load(name, () => this.make(snapshot, query, etag)));
    if (isGzip && !page.isReadyForGzip) {
      await page.prepareGzip();
      this.cache.recount(name, page);
    }
    return page;
  }

  private async make(snapshot: ServedSnapshot, query: SearchQuery, etag: string): Promise<CachedBody> {
    const index = await this.indexes.load(snapshot);
    const found = findListings(index, query);
    const listingAt = (position: number): SearchedListing => index.listings[position]!;
    const { page, per_page, crm, client, facets, pins } = query;
    const total = found.length;
    const meta = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
    const members = [
      ...(facets === undefined ? [] : [`"facets":${JSON.stringify(facetsOf(found.map(listingAt), facets))}`]),
      ...(pins === 'true' ? [`"pins":${pinsTextOf(found.map(listingAt))}`] : []),
      `"meta":${JSON.stringify(meta)}`,
    ].join();
    const shown = found.slice((page - 1) * per_page, page * per_page).map(listingAt);
    const texts = await this.texts.load(
      snapshot,
      shown.map(({ versionId }) => versionId),
      query.format,
    );
    const body = bodyOf(query.fields === undefined ? texts : texts.map(withFields(query.fields)), members);
    const links = pageLinks({ token: snapshot.token, total }, query, {
      path: '/v1/search',
      linkParameters: query.linkParameters,
    });
    return new CachedBody(body, ['link', links], etag);
  }
}

const COMMA = Buffer.from(',');

function bodyOf(texts: readonly Buffer[], members: string): Buffer {
  const listings = texts.flatMap((text, at) => (at === 0 ? [text] : [COMMA, text]));
  return Buffer.concat([Buffer.from('"data":['), ...listings, Buffer.from(`],${members}}`)]);
}

/** Keeps only the given fields of a listing, and its identifiers. */
function withFields(fields: readonly string[]): (text: Buffer) => Buffer {
  const wanted = new Set<string>(['affId', ...fields]);
  return (text) => {
    const listing = JSON.parse(text.toString()) as object;
    return Buffer.from(
      JSON.stringify(Object.fromEntries(Object.entries(listing).filter(([field]) => wanted.has(field)))),
    );
  };
}
