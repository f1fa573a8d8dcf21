import { unsignedText } from '@passerelle/connectors';
import type { NewVersion, VersionTexts } from '@passerelle/database';
import { compareQueries, type QueryChange } from './photo-queries';

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
  /** Versions in which the queries of all photos are new. */
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
    return isSigned || PHOTO_WITH_QUERY.test(next.normalized) ? [{ one, next, unsigned, isSigned }] : [];
  });
  if (texts.length === 0) return { renewed, queries };
  const current = await readTexts(texts.map(({ one }) => one.currentId));
  for (const { one, next, unsigned, isSigned } of texts) {
    const stored = current.get(one.currentId);
    if (stored === undefined) continue;
    const change = isSigned ? undefined : compareQueries(stored, next);
    if (change !== undefined) queries.set(one, change);
    if (!isSigned || unsignedText(stored.raw).text !== unsigned.raw.text) continue;
    const served = unsignedText(stored.normalized);
    if (served.text === unsigned.normalized.text && !isWorthReplacing(served.ends, unsigned.normalized.ends, nowMs))
      renewed.add(one);
  }
  return { renewed, queries };
}

const PHOTO_WITH_QUERY = /"url":"[^"?]{0,2000}\?/;

type Ends = readonly (number | undefined)[];

/** Whether one of the served addresses has ended, and the new one has not. */
function isWorthReplacing(served: Ends, offered: Ends, nowMs: number): boolean {
  return served.some((end, index) => end !== undefined && end <= nowMs && (offered[index] ?? Infinity) > nowMs);
}
