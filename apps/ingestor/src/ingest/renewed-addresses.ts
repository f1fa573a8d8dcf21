import { unsignedText } from '@passerelle/connectors';
import type { NewVersion, VersionTexts } from '@passerelle/database';

export type ReadTexts = (versionIds: readonly number[]) => Promise<ReadonlyMap<number, VersionTexts>>;

/** A new version of a listing that the current snapshot has. */
export interface Renewable {
  currentId: number;
  version: Pick<NewVersion, 'normalized' | 'raw'>;
}

/**
 * Finds versions that differ from the current ones only in the signatures of addresses: then nothing has changed, and
 * sites need not fetch the listing again. A version whose signed addresses have ended is not among them, if its new
 * addresses still work. Reads stored texts only for listings that have signed addresses.
 */
export async function findRenewed<V extends Renewable>(
  versions: readonly V[],
  readTexts: ReadTexts,
  nowMs = Date.now(),
): Promise<ReadonlySet<V>> {
  const signed = versions.flatMap((one) => {
    const normalized = unsignedText(one.version.normalized.toString());
    const raw = unsignedText(one.version.raw.toString());
    return normalized.ends.length + raw.ends.length === 0 ? [] : [{ one, normalized, raw }];
  });
  const renewed = new Set<V>();
  if (signed.length === 0) return renewed;
  const current = await readTexts(signed.map(({ one }) => one.currentId));
  for (const { one, normalized, raw } of signed) {
    const stored = current.get(one.currentId);
    if (stored === undefined || unsignedText(stored.raw).text !== raw.text) continue;
    const served = unsignedText(stored.normalized);
    if (served.text === normalized.text && !isWorthReplacing(served.ends, normalized.ends, nowMs)) renewed.add(one);
  }
  return renewed;
}

type Ends = readonly (number | undefined)[];

/** Whether one of the served addresses has ended, and the new one has not. */
function isWorthReplacing(served: Ends, offered: Ends, nowMs: number): boolean {
  return served.some((end, index) => end !== undefined && end <= nowMs && (offered[index] ?? Infinity) > nowMs);
}
