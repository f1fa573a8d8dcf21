import { createHash } from 'node:crypto';
import type { VersionTexts } from '@passerelle/database';
import type { Listing } from '@passerelle/domain';

const KINDS = ['photos', 'plans', 'documents'] as const;
/** The files of a listing, by field. */
export type FileKind = (typeof KINDS)[number];

/** The queries of a changed listing's files, compared with the stored ones. */
export interface QueryChange {
  /** The kinds in which each known file has another query. Empty when there is no file to compare. */
  changing: readonly FileKind[];
  /** The kinds that have a file with its previous query. */
  stable: readonly FileKind[];
  /** Whether only queries of the changing kinds are new. */
  isAll: boolean;
  /** A short hash of the new addresses. */
  addresses: string;
}

type Files = Pick<Listing, FileKind>;

/** Compares two texts of a listing, which have no signatures in their addresses. */
export function compareQueries(stored: VersionTexts, next: VersionTexts): QueryChange {
  const [served, offered] = [JSON.parse(stored.normalized) as Listing, JSON.parse(next.normalized) as Listing];
  const changing: FileKind[] = [];
  const stable: FileKind[] = [];
  const addresses: string[] = [];
  for (const kind of KINDS) {
    const before = new Map(filesOf(served, kind).map(({ url }) => [withoutQuery(url), url]));
    // A file with another path is new, so it says nothing about queries.
    const known = filesOf(offered, kind).filter(({ url }) => url.includes('?') && before.has(withoutQuery(url)));
    if (known.length === 0) continue;
    if (known.some(({ url }) => before.get(withoutQuery(url)) === url)) stable.push(kind);
    else changing.push(kind);
    addresses.push(...known.map(({ url }) => url));
  }
  const isAll =
    changing.length > 0 &&
    withoutQueries(served, changing) === withoutQueries(offered, changing) &&
    plainRaw(stored.raw) === plainRaw(next.raw);
  return {
    changing,
    stable,
    isAll,
    addresses: createHash('sha256').update(addresses.join('\n')).digest('hex').slice(0, 16),
  };
}

/** The kinds that have a file with a query. @param text the listing's text without signatures */
export function queriedKinds(text: string): FileKind[] {
  if (!text.includes('?')) return [];
  const listing = JSON.parse(text) as Listing;
  return KINDS.filter((kind) => filesOf(listing, kind).some(({ url }) => url.includes('?')));
}

function filesOf(listing: Files, kind: FileKind): readonly { url: string; empreinte?: string }[] {
  return listing[kind] ?? [];
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}

/** A listing's text without the queries of some files. */
function withoutQueries(listing: Listing, kinds: readonly FileKind[]): string {
  const plain = kinds.map((kind) => [
    kind,
    filesOf(listing, kind).map(({ empreinte, ...file }) => ({
      ...file,
      url: withoutQuery(file.url),
      ...(empreinte !== undefined && !file.url.includes('?') && { empreinte }),
    })),
  ]);
  return JSON.stringify({ ...listing, ...(Object.fromEntries(plain) as Partial<Listing>) });
}

const QUERY = /\?[^\s"'<>\\]*/g;

/** A raw record without queries, because no name says which of its texts is the address of a photo. */
function plainRaw(raw: string): string {
  return raw.replace(QUERY, '');
}

/** The addresses of some listings in the last run that did not count queries, by `affId`. */
export type KnownQueries = Readonly<Record<string, string>>;

/** Finds the kinds of files with a query among the stored texts of some rows; stops at the first rows that have one. */
export type FindQueried = (rows: readonly number[], kinds: ReadonlySet<FileKind>) => Promise<readonly FileKind[]>;

/** How a gateway's queries are judged. */
export interface QueryRule {
  /** Whether the format says that a query is the photo's version: then each new one is a change. */
  areVersions?: boolean;
  known?: KnownQueries | undefined;
}

const MOST_REMEMBERED = 20;

/**
 * Finds out whether the queries of a gateway's files are versions, or new in every run. In the second case all of them
 * change, and change again in the next run: if they do not, they were versions after all, and the next run publishes
 * them. So the rule is safe for a gateway with one listing too: a new version waits for one run there.
 */
export class PhotoQueries {
  private readonly changes = new Map<number, QueryChange>();

  constructor(
    private readonly affIdOf: (row: number) => string,
    private readonly rule: QueryRule = {},
  ) {}

  note(row: number, change: QueryChange): void {
    this.changes.set(row, change);
  }

  /**
   * The rows in which nothing but queries has changed, if all queries of these kinds of files are new in this run.
   * @param rows the rows of the whole feed that are in the current snapshot
   */
  async unversioned(rows: readonly number[], findQueried: FindQueried): Promise<number[]> {
    const noted = [...this.changes];
    const kinds = new Set(noted.flatMap(([, { changing }]) => changing));
    for (const [, { stable }] of noted) for (const kind of stable) kinds.delete(kind);
    if (kinds.size === 0 || this.rule.areVersions === true || this.hasStableQuery()) return [];
    const others = rows.filter((row) => !this.changes.has(row));
    if (others.length > 0) for (const kind of await findQueried(others, kinds)) kinds.delete(kind);
    return noted.flatMap(([row, { isAll, changing }]) =>
      isAll && changing.every((kind) => kinds.has(kind)) ? [row] : [],
    );
  }

  /** Shows the next run whether the queries are new again. */
  toRemember(): KnownQueries {
    const some = [...this.changes].filter(([, { changing }]) => changing.length > 0).slice(0, MOST_REMEMBERED);
    return Object.fromEntries(some.map(([row, { addresses }]) => [this.affIdOf(row), addresses]));
  }

  private hasStableQuery(): boolean {
    const { known = {} } = this.rule;
    for (const [row, { addresses, changing }] of this.changes)
      if (changing.length > 0 && known[this.affIdOf(row)] === addresses) return true;
    return false;
  }
}
