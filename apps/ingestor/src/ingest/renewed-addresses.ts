import { unsignedText, type UnsignedText } from '@passerelle/connectors';
import type { NewVersion, VersionTexts } from '@passerelle/database';
import { compareQueries, type FileKind, queriedKinds, type QueryChange } from './photo-queries';

export type ReadTexts = (versionIds: readonly number[]) => Promise<ReadonlyMap<number, VersionTexts>>;

/** A new version of a listing that the current snapshot has. */
export interface Renewable {
  currentId: number;
  version: Pick<NewVersion, 'normalized' | 'raw'>;
}

export interface ComparedAddresses<V> {
  /**
   * Versions that differ from the current ones only in the signatures of addresses: then nothing has changed, and sites
   * need not fetch the listing again. A version whose signed addresses have ended is not among them, if its new
   * addresses still work.
   */
  renewed: ReadonlySet<V>;
  /** Queries of files in the other versions, compared with the current ones. */
  queries: ReadonlyMap<V, QueryChange>;
}

const QUESTION_MARK = 0x3f;

/** Compares changed listings with their stored texts. Reads these only for listings with a query in an address. */
export async function compareAddresses<V extends Renewable>(
  versions: readonly V[],
  readTexts: ReadTexts,
  nowMs = Date.now(),
): Promise<ComparedAddresses<V>> {
  const renewed = new Set<V>();
  const queries = new Map<V, QueryChange>();
  const withQuery = versions.filter(
    ({ version: { normalized, raw } }) => normalized.includes(QUESTION_MARK) || raw.includes(QUESTION_MARK),
  );
  const texts = withQuery.flatMap((one) => {
    const next = { normalized: one.version.normalized.toString(), raw: one.version.raw.toString() };
    const unsigned = { normalized: unsignedText(next.normalized), raw: unsignedText(next.raw) };
    const isSigned = unsigned.normalized.ends.length + unsigned.raw.ends.length > 0;
    return isSigned || FILE_WITH_QUERY.test(next.normalized) ? [{ one, unsigned, isSigned }] : [];
  });
  if (texts.length === 0) return { renewed, queries };
  const current = await readTexts(texts.map(({ one }) => one.currentId));
  for (const { one, unsigned, isSigned } of texts) {
    const stored = current.get(one.currentId);
    if (stored === undefined) continue;
    const served = { normalized: unsignedText(stored.normalized), raw: unsignedText(stored.raw) };
    const hasEnded = isWorthReplacing(served.normalized.ends, unsigned.normalized.ends, nowMs);
    const [before, after] = [textsOf(served), textsOf(unsigned)];
    if (before.normalized !== after.normalized || before.raw !== after.raw) {
      const change = compareQueries(before, after);
      queries.set(one, { ...change, isAll: change.isAll && !hasEnded });
    } else if (isSigned && !hasEnded) renewed.add(one);
  }
  return { renewed, queries };
}

const ROWS_AT_A_TIME = 50;
/** So many listings are read at most to see whether one of them has kept its query. */
const MOST_ROWS = 2_000;

/**
 * The kinds that have a file with a query in one of these listings. The records of these listings have not
 * changed, so such a query has stayed. Returns all kinds when there are too many listings to read.
 */
export async function findQueried(
  current: { idOf: (row: number) => number; readTexts: ReadTexts },
  rows: readonly number[],
  kinds: ReadonlySet<FileKind>,
): Promise<readonly FileKind[]> {
  if (rows.length > MOST_ROWS) return [...kinds];
  const found = new Set<FileKind>();
  for (let at = 0; at < rows.length && found.size < kinds.size; at += ROWS_AT_A_TIME) {
    const texts = await current.readTexts(rows.slice(at, at + ROWS_AT_A_TIME).map((row) => current.idOf(row)));
    for (const { normalized } of texts.values())
      for (const kind of queriedKinds(unsignedText(normalized).text)) if (kinds.has(kind)) found.add(kind);
  }
  return [...found];
}

function textsOf({ normalized, raw }: Record<keyof VersionTexts, UnsignedText>): VersionTexts {
  return { normalized: normalized.text, raw: raw.text };
}

const FILE_WITH_QUERY = /"url":"[^"?]{0,2000}\?/;

type Ends = readonly (number | undefined)[];

/** Whether one of the served addresses has ended, and the new one has not. */
function isWorthReplacing(served: Ends, offered: Ends, nowMs: number): boolean {
  return served.some((end, index) => end !== undefined && end <= nowMs && (offered[index] ?? Infinity) > nowMs);
}
