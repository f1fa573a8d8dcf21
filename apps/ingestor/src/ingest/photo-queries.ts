import { createHash } from 'node:crypto';
import type { VersionTexts } from '@passerelle/database';
import type { Listing } from '@passerelle/domain';

/** A changed listing in which the query of every photo that has one is new. */
export interface QueryChange {
  /** Whether nothing else has changed. */
  isAll: boolean;
  /** A short hash of the new addresses. */
  addresses: string;
}

type Files = Pick<Listing, 'photos' | 'plans' | 'documents'>;

/** Compares two texts of a listing. Undefined when a photo kept its query, or no photo has one. */
export function compareQueries(stored: VersionTexts, next: VersionTexts): QueryChange | undefined {
  if (!next.normalized.includes('?')) return undefined;
  const [served, offered] = [JSON.parse(stored.normalized) as Listing, JSON.parse(next.normalized) as Listing];
  const before = new Map(served.photos.map(({ url }) => [withoutQuery(url), url]));
  const queried = offered.photos.filter(({ url }) => url.includes('?'));
  // A photo with another path is new, so it says nothing about queries.
  const known = queried.filter(({ url }) => before.has(withoutQuery(url)));
  if (known.length === 0 || known.some(({ url }) => before.get(withoutQuery(url)) === url)) return undefined;
  return {
    isAll: withoutQueries(served) === withoutQueries(offered) && plainRaw(stored.raw) === plainRaw(next.raw),
    addresses: createHash('sha256')
      .update(known.map(({ url }) => url).join('\n'))
      .digest('hex')
      .slice(0, 16),
  };
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}

/** A listing's text without the queries of its photos, plans and documents. */
function withoutQueries(listing: Listing): string {
  const plain = (files: readonly { url: string; empreinte?: string }[] | undefined): unknown =>
    files?.map(({ empreinte, ...file }) => ({
      ...file,
      url: withoutQuery(file.url),
      ...(empreinte !== undefined && !file.url.includes('?') && { empreinte }),
    }));
  const { photos, plans, documents }: Files = listing;
  return JSON.stringify({ ...listing, photos: plain(photos), plans: plain(plans), documents: plain(documents) });
}

const QUERY = /\?[^\s"'<>\\]*/g;

/** A raw record without queries, because no name says which of its texts is the address of a photo. */
function plainRaw(raw: string): string {
  return raw.replace(QUERY, '');
}

/** The addresses of some listings in the last run that did not count queries, by `affId`. */
export type KnownQueries = Readonly<Record<string, string>>;

/** Fewer listings are no proof: an agency may have replaced all photos of one house. */
const FEWEST_LISTINGS = 3;
const MOST_REMEMBERED = 20;

/**
 * Finds out whether the queries of a gateway's photos are versions, or new in every run. In the second case all of them
 * change, and change again in the next run: if they do not, they were versions after all.
 */
export class PhotoQueries {
  private readonly changes = new Map<number, QueryChange>();

  constructor(
    private readonly affIdOf: (row: number) => string,
    private readonly known: KnownQueries = {},
  ) {}

  note(row: number, change: QueryChange): void {
    this.changes.set(row, change);
  }

  /**
   * The rows in which nothing but queries has changed, if all queries are new in this run; else none.
   * @param withPhotos the rows of the whole feed whose listings had photos before
   */
  unversioned(withPhotos: Iterable<number>): number[] {
    if (this.changes.size < FEWEST_LISTINGS || this.hasStableQuery()) return [];
    for (const row of withPhotos) if (!this.changes.has(row)) return [];
    return [...this.changes].flatMap(([row, { isAll }]) => (isAll ? [row] : []));
  }

  /** Shows the next run whether the queries are new again. */
  toRemember(): KnownQueries {
    const some = [...this.changes].slice(0, MOST_REMEMBERED);
    return Object.fromEntries(some.map(([row, { addresses }]) => [this.affIdOf(row), addresses]));
  }

  private hasStableQuery(): boolean {
    for (const [row, { addresses }] of this.changes) if (this.known[this.affIdOf(row)] === addresses) return true;
    return false;
  }
}
