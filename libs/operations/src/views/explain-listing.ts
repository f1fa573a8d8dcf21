import {
  currentRejection,
  type GatewayPause,
  dutiesOfMask,
  inactiveReason,
  type ListingTrace,
  type LostPhotos,
  pausedReason,
  standingOf,
  type TracedRejection,
} from '@passerelle/domain';
import { type RejectionView, toRejectionView } from './run-view';

/** Where a listing is, or the step that lost it. */
export interface WhyView {
  /** The id as the operator typed it. */
  id: string;
  crm: string;
  client: string;
  state: 'listed' | 'removed' | 'rejected' | 'withdrawn' | 'held' | 'unknown';
  /** One sentence. */
  explanation: string;
  /** Absent when no run has seen the listing. */
  aff_id?: string;
  /** The 1-based position in the feed's order. */
  position?: number;
  snapshot?: number;
  /** When the listing reached its present state. */
  since?: string;
  /** The time since which the last readable version is served, if the record is unreadable. */
  kept_since?: string;
  /** Why a removed listing was removed; `revert`: an operator went back to an earlier list. */
  cause?: 'absent' | 'withdrawn' | 'rejected' | 'revert';
  /** When a run last read the feed; only for an unknown listing, and absent if none did. */
  last_read?: string;
  /** The `affId` under which a removed listing came back. */
  replaced_by?: string;
  /** The run that did so. */
  run?: number;
  change?: { kind: 'added' | 'changed' | 'removed'; run: number; snapshot: number; at: string };
  rejection?: RejectionView & { run: number };
  /** Data that the law of the listing's country requires and the listing lacks: codes of docs/legal.md. */
  duties_missing?: string[];
  /** Names of photos that arrived as files but are not shown, and why; null when the file is missing. */
  lost_photos?: { name: string; reason: string | null }[];
}

type Answer = Pick<WhyView, 'state' | 'explanation'> & Partial<WhyView>;

/** Conditions that prevent the API from serving a gateway, or its runs from starting. */
export interface GatewayTrouble {
  /** Why the API does not serve the gateway and no run starts; null when it is active. */
  inactive: string | null;
  /** Why no run starts although the API serves the gateway. */
  paused: string | null;
  failing: { since: string; reason: string } | null;
}

/** Derives the conditions from the stored gateway. `contractEnd` is `YYYY-MM-DD`. */
export function troubleOf(
  gateway: {
    enabled: boolean;
    contractEnd: string | null;
    paused: GatewayPause | null;
    failingSince: string | null;
    failingReason: string | null;
  },
  now: Date,
): GatewayTrouble {
  const { failingSince, failingReason } = gateway;
  return {
    inactive: inactiveReason(gateway, now),
    paused: pausedReason(gateway.paused),
    failing: failingSince === null ? null : { since: failingSince, reason: failingReason ?? '' },
  };
}

/** Turns the facts about a listing into sentences for the operator; a pure function. */
export function explainListing(
  asked: { id: string; crm: string; client: string },
  trace: ListingTrace,
  trouble: GatewayTrouble = { inactive: null, paused: null, failing: null },
): WhyView {
  const { affId, change } = trace;
  const rejection = currentRejection(trace) ?? trace.nameless;
  const answer = answerOf(trace);
  const duties = dutiesOfMask(trace.listed?.duties ?? 0);
  return {
    ...asked,
    ...(affId !== null && { aff_id: affId }),
    ...answer,
    explanation: [
      answer.explanation,
      ...describeDuties(duties),
      ...describeLostPhotos(trace.lostPhotos),
      ...describeTrouble(trouble),
    ].join(' '),
    ...(change !== null && {
      change: { kind: change.kind, run: change.runId, snapshot: change.snapshotId, at: change.at },
    }),
    ...(duties.length > 0 && { duties_missing: duties }),
    ...(trace.lostPhotos.count > 0 && {
      lost_photos: trace.lostPhotos.examples.map(({ name, refusal }) => ({ name, reason: refusal })),
    }),
    ...(rejection !== null && { rejection: { run: rejection.runId, ...toRejectionView(rejection) } }),
  };
}

function describeDuties(codes: readonly string[]): string[] {
  return codes.length === 0 ? [] : [`It lacks data that the law requires: ${codes.join(', ')}.`];
}

function describeLostPhotos({ count, examples }: LostPhotos): string[] {
  if (count === 0) return [];
  const names = examples.map(({ name, refusal }) => (refusal === null ? name : `${name} (${refusal})`));
  if (count > examples.length) names.push('…');
  const what = count === 1 ? '1 of its photos is' : `${count} of its photos are`;
  return [`${what} missing, or cannot be shown: ${names.join(', ')}.`];
}

function describeTrouble({ inactive, paused, failing }: GatewayTrouble): string[] {
  return [
    ...(inactive === null ? [] : [sentence(`the gateway is not served: ${inactive}`)]),
    ...(paused === null ? [] : [sentence(`the gateway does not run: ${paused}`)]),
    ...(failing === null ? [] : [sentence(`every run has failed since ${failing.since}: ${failing.reason}`)]),
  ];
}

function answerOf(trace: ListingTrace): Answer {
  const standing = standingOf(trace);
  switch (standing.state) {
    case 'listed':
      return describeListed(standing.listed, trace);
    case 'held':
      return describeHeld(standing.held);
    case 'rejected':
    case 'withdrawn':
      return describeRejection(standing.rejection, trace);
    case 'removed':
      return describeRemoval(standing.removal, trace.replacedBy);
    case 'unknown':
      return describeUnknown(trace);
  }
}

function describeListed(listed: NonNullable<ListingTrace['listed']>, trace: ListingTrace): Answer {
  const { change, held } = trace;
  const rejection = currentRejection(trace);
  const { position, total, snapshotId } = listed;
  const parts = [`it is number ${position} of the ${total} that are served, in snapshot ${snapshotId}`];
  if (listed.keptSince !== null)
    parts.push(`its record is unreadable: the last version has been kept since ${listed.keptSince}`);
  if (change !== null) parts.push(`${change.kind} by run ${change.runId}`);
  if (held !== null) parts.push(`run ${held.runId} is held, and marks it as ${held.kind}`);
  if (rejection !== null) {
    parts.push(`run ${rejection.runId}, which is ${rejection.runState}, rejected a record of it: ${rejection.message}`);
  }
  return {
    state: 'listed',
    explanation: sentence(parts.join('; ')),
    position,
    snapshot: snapshotId,
    ...(listed.keptSince !== null && { kept_since: listed.keptSince }),
    ...(change !== null && { since: change.at, run: change.runId }),
  };
}

function describeHeld(held: NonNullable<ListingTrace['held']>): Answer {
  const why = held.reason === null ? '' : `: ${held.reason}`;
  return {
    state: 'held',
    explanation: sentence(`run ${held.runId} found it, and is held${why}`),
    since: held.at,
    run: held.runId,
  };
}

function describeRejection(rejection: TracedRejection, { lastReading }: ListingTrace): Answer {
  const { runId, position, code, message, field, at } = rejection;
  const isWithdrawn = code === 'withdrawn';
  const where = field === null ? '' : ` (field ${field})`;
  const what = isWithdrawn
    ? `record ${position} of run ${runId} withdraws it: ${message}`
    : `run ${runId} rejected its record ${position}${where}: ${message}`;
  const isOld = lastReading !== null && lastReading.runId > runId;
  return {
    state: isWithdrawn ? 'withdrawn' : 'rejected',
    explanation: sentence(
      isOld ? `${what}; no later run has seen it, and the last one is run ${lastReading.runId}` : what,
    ),
    since: at,
    run: runId,
  };
}

function describeRemoval(removal: NonNullable<ListingTrace['change']>, replacedBy: string | null): Answer {
  const cause = removal.cause ?? 'absent';
  const isBack = replacedBy === null ? '' : `; the same property is listed as ${replacedBy} since then`;
  return {
    state: 'removed',
    explanation: sentence(`run ${removal.runId} removed it: ${CAUSES[cause]}${isBack}`),
    cause,
    ...(replacedBy !== null && { replaced_by: replacedBy }),
    since: removal.at,
    run: removal.runId,
    snapshot: removal.snapshotId,
  };
}

const CAUSES = {
  absent: 'the feed no longer had it',
  withdrawn: 'the feed said that it must not be shown',
  rejected: 'its record was rejected',
  revert: 'an operator went back to an earlier list, which does not have it',
} as const;

function describeUnknown({ lastReading, nameless }: ListingTrace): Answer {
  if (nameless !== null) {
    const { runId, position, message, at } = nameless;
    return {
      state: 'rejected',
      explanation: sentence(
        `run ${runId} rejected record ${position}, which has no identifier and contains this text: ${message}`,
      ),
      since: at,
      run: runId,
    };
  }
  if (lastReading === null) {
    return { state: 'unknown', explanation: sentence('no run of this gateway has read a record yet') };
  }
  return {
    state: 'unknown',
    last_read: lastReading.at,
    explanation: sentence(
      `no run on record has seen it, neither as a listing nor as a rejection; the last run that read the feed is run ${lastReading.runId}`,
    ),
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');
}
