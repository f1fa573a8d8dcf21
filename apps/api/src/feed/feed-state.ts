import type { FeedFigures, PublishedSnapshot } from '@passerelle/database';
import { FAILED_REASONS, HELD_REASONS } from '@passerelle/domain';

export const FEED_STATES = ['fresh', 'stale', 'held', 'failing', 'never'] as const;

export interface FeedState {
  state: (typeof FEED_STATES)[number];
  /** ISO 8601; null when the state has no start time. */
  since: string | null;
  reason: { code: string; message: string } | null;
}

export interface FeedFacts {
  figures: FeedFigures;
  snapshot: PublishedSnapshot | null;
  confirmedAtMs: number | null;
  isFresh: boolean;
  ttlSeconds: number;
}

/** Pure: the public state. It cannot contain an address, a credential or an operator's name. */
export function feedStateOf({ figures, snapshot, confirmedAtMs, isFresh, ttlSeconds }: FeedFacts): FeedState {
  const { failures, failingSince, failingCode, held } = figures;
  if (failures > 0) return { state: 'failing', since: failingSince, reason: reasonOf(failingCode ?? 'internal') };
  if (held !== null) return { state: 'held', since: held.since, reason: reasonOf(held.code ?? 'held') };
  if (snapshot === null) return { state: 'never', since: null, reason: reasonOf('not_imported') };
  if (isFresh) return { state: 'fresh', since: iso(confirmedAtMs), reason: null };
  const staleSinceMs = confirmedAtMs === null ? null : confirmedAtMs + ttlSeconds * 1000;
  return { state: 'stale', since: iso(staleSinceMs), reason: reasonOf('not_confirmed') };
}

/** The meaning of each code for readers who cannot see or fix the source. */
const MESSAGES: Readonly<Record<string, string>> = {
  not_imported: 'The listings have not been imported yet.',
  not_confirmed: 'The source has not confirmed the list for a while; the last complete one is served.',
  ...FAILED_REASONS,
  ...HELD_REASONS,
};

function reasonOf(code: string): { code: string; message: string } {
  return { code, message: MESSAGES[code] ?? 'The last import was held back. An operator must check it.' };
}

function iso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
