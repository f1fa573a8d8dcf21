import { FeedError, RetryLater } from '@passerelle/domain';
import type { FeedCoverage } from '../../../kit/feed-shape';
import type { ListedChanges, SourceClient, SourceRequest } from '../../../kit/source-client';
import type { FeedMemory } from '../../contracts';
import type { FeedPass } from '../../feed-pass';

/** The overlap between two queries, which covers differences in clocks and time zones. */
const OVERLAP_MS = 24 * 3600 * 1000;
/** The share of the period after which the whole list is due; runs start at intervals, so early rather than late. */
const EARLY = 0.95;

export interface PagesState {
  memory: FeedMemory;
  coverage?: FeedCoverage;
}

/** Undefined when invalid, or in the future: the clock was ahead, and the changes until then were never requested. */
export function pastTime(remembered: string | undefined, now: Date): string | undefined {
  return remembered !== undefined && Date.parse(remembered) <= now.getTime() ? remembered : undefined;
}

/**
 * Decides how much to read: the changes since the returned time, or the whole list when it returns undefined.
 * @param state gets the deletions as coverage. @throws RetryLater when the deletions are not available now.
 */
export async function changesSince(
  pass: FeedPass,
  changes: ListedChanges,
  first: SourceRequest,
  { client, state }: { client: SourceClient; state: PagesState },
): Promise<Date | undefined> {
  const now = new Date();
  const { previous, readsEverything } = pass.request;
  const known = previous.mappingKey === pass.mappingKey ? previous : {};
  const [comparedAt, askedAt] = [pastTime(known.comparedAt, now), pastTime(known.askedAt, now)];
  const whole = { ...state.memory, comparedAt: now.toISOString(), askedAt: now.toISOString() };
  state.memory = whole;
  if (readsEverything === true || comparedAt === undefined || askedAt === undefined) return undefined;
  const oldestMs = changes.wholeEverySeconds * 1000 * EARLY;
  if (now.getTime() - Date.parse(comparedAt) >= oldestMs) return undefined;
  let deleted: readonly string[];
  try {
    deleted = await changes.deleted(first, client);
  } catch (error) {
    if (!(error instanceof FeedError) || error instanceof RetryLater) throw error;
    client.warn('extra_request_failed', 'deleted', 'unavailable');
    return undefined;
  }
  state.coverage = { kind: 'delta', deleted };
  state.memory = { ...whole, comparedAt };
  return new Date(Date.parse(askedAt) - OVERLAP_MS);
}
