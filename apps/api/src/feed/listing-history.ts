import type { PastChange } from '@passerelle/database';
import { currentRejection, type ListingStanding, type ListingTrace, standingOf } from '@passerelle/domain';

export const LISTING_STATES = ['listed', 'removed', 'rejected', 'withdrawn', 'held', 'unknown'] as const;

/** Where a listing is, or at which step it was dropped. Times are ISO 8601. */
export interface ListingHistory {
  /** The identifier or reference in the request. */
  id: string;
  /** Null when no listing with that identifier or reference is known. */
  affId: string | null;
  state: (typeof LISTING_STATES)[number];
  /** One sentence. */
  explanation: string;
  since: string | null;
  /** 1-based position in the feed's order, for a listed listing. */
  position?: number;
  total?: number;
  /** When the listing's record became unreadable; since then its last readable version is served. */
  kept_since?: string;
  rejection?: { code: string; field?: string; message: string; at: string };
  /** The `affId` under which a removed listing came back. */
  replaced_by?: string;
  /** Newest first. */
  changes: (Omit<PastChange, 'replaces'> & { replaces?: string })[];
}

/** Pure: the public history, without excerpts of records, run numbers or operators' names. */
export function tellHistory(id: string, trace: ListingTrace, changes: PastChange[]): ListingHistory {
  const standing = standingOf(trace);
  const rejection = currentRejection(trace);
  return {
    ...{ id, affId: trace.affId, state: standing.state },
    explanation: explain(standing, trace, changes[0]),
    since: sinceOf(standing, trace),
    ...(standing.state === 'listed' && { position: standing.listed.position, total: standing.listed.total }),
    ...(standing.state === 'listed' && standing.listed.keptSince !== null && { kept_since: standing.listed.keptSince }),
    ...(rejection !== null && {
      rejection: {
        code: rejection.code,
        ...(rejection.field !== null && { field: rejection.field }),
        ...{ message: rejection.message, at: rejection.at },
      },
    }),
    ...(standing.state !== 'listed' && trace.replacedBy !== null && { replaced_by: trace.replacedBy }),
    changes: changes.map(({ replaces, ...change }) => (replaces === null ? change : { ...change, replaces })),
  };
}

function isBack({ replacedBy }: ListingTrace): string {
  return replacedBy === null ? '' : `; the same property is listed as ${replacedBy}`;
}

function explain(standing: ListingStanding, trace: ListingTrace, last: PastChange | undefined): string {
  switch (standing.state) {
    case 'listed':
      return `It is number ${standing.listed.position} of the ${standing.listed.total} that are served.`;
    case 'held':
      return 'The last import has it, and waits for an operator to approve it.';
    case 'rejected':
      return `Its record cannot be used: ${standing.rejection.message}.`;
    case 'withdrawn':
      return 'The feed says that it is withdrawn.';
    case 'removed':
      return `The feed no longer has it${last?.approved === true ? '; an operator approved its removal' : ''}${isBack(trace)}.`;
    case 'unknown':
      return 'No import on record has seen it.';
  }
}

function sinceOf(standing: ListingStanding, { change }: ListingTrace): string | null {
  switch (standing.state) {
    case 'listed':
      return change?.at ?? null;
    case 'held':
      return standing.held.at;
    case 'rejected':
    case 'withdrawn':
      return standing.rejection.at;
    case 'removed':
      return standing.removal.at;
    case 'unknown':
      return null;
  }
}
