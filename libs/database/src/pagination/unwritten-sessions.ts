import { LRUCache } from 'lru-cache';

/** A pagination session, with times in ms by this process's monotonic clock. */
export interface UnwrittenSession {
  snapshotId: number;
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

/** The owner of a session: a gateway, and a hash that distinguishes its readers. */
export interface SessionOwner {
  gatewayId: number;
  reader: Buffer;
}

/** A page that a reader requests while sessions are being written to the database. */
export interface RequestedPage extends SessionOwner {
  /** Whether it is page 1. */
  isFirst: boolean;
  /** The number of listings on this page and all pages before it. On the last page it reaches the snapshot's total. */
  upTo: number;
  /** The id of the snapshot with which a session begins. */
  begin: number;
}

/** One step of a reader. */
interface UnwrittenStep {
  isFirst: boolean;
  isLast: boolean;
  nowMs: number;
}

const MAX_SESSIONS = 50_000;

/** One process's record of a session. Ages in ms, so that differences between processes' clocks do not matter. */
export interface SessionAges {
  reader: Buffer;
  snapshotId: number;
  firstAgeMs: number;
  lastFirstAgeMs: number;
  finishedAgeMs: number | null;
}

/** Sessions that only this process knows. The number is limited: the least recently used session is dropped first. */
export class UnwrittenSessions {
  private readonly sessions = new LRUCache<string, UnwrittenSession>({ max: MAX_SESSIONS });

  get(gatewayId: number, reader: Buffer): UnwrittenSession | null {
    return this.sessions.get(nameOf(gatewayId, reader)) ?? null;
  }

  set(gatewayId: number, reader: Buffer, session: UnwrittenSession): void {
    this.sessions.set(nameOf(gatewayId, reader), session);
  }

  /** Null when the page belongs to no session, or the session uses another snapshot than `snapshotId`. */
  of({ gatewayId, reader, isFirst }: RequestedPage, walkSeconds: number, snapshotId?: number): UnwrittenSession | null {
    const session = this.get(gatewayId, reader);
    if (session === null || !belongsTo(session, { isFirst, nowMs: performance.now() }, walkSeconds * 1000)) return null;
    return (snapshotId ?? session.snapshotId) === session.snapshotId ? session : null;
  }

  /** @param known the session to which the page belongs; null when the page begins a session */
  note(
    { gatewayId, reader, isFirst, upTo }: RequestedPage,
    { id, total }: { id: number; total: number },
    known: UnwrittenSession | null,
  ): void {
    const step = { isFirst, isLast: total <= upTo, nowMs: performance.now() };
    this.set(gatewayId, reader, advance(known, id, step));
  }

  delete(gatewayId: number, reader: Buffer): void {
    this.sessions.delete(nameOf(gatewayId, reader));
  }
}

function nameOf(gatewayId: number, reader: Buffer): string {
  return `${gatewayId}:${reader.toString('base64')}`;
}

/** The session is within its lifetime, and the page does not start a finished session again. */
function belongsTo(
  session: UnwrittenSession,
  { isFirst, nowMs }: Omit<UnwrittenStep, 'isLast'>,
  sessionMs: number,
): boolean {
  const { firstMs, lastFirstMs, finishedMs } = session;
  const isBegunAgain = finishedMs !== null && firstMs <= finishedMs && finishedMs < lastFirstMs;
  if (nowMs - (isBegunAgain ? lastFirstMs : firstMs) >= sessionMs) return false;
  return !isFirst || finishedMs === null || lastFirstMs > finishedMs;
}

function advance(
  known: UnwrittenSession | null,
  snapshotId: number,
  { isFirst, isLast, nowMs }: UnwrittenStep,
): UnwrittenSession {
  if (known === null) return { snapshotId, firstMs: nowMs, lastFirstMs: nowMs, finishedMs: isLast ? nowMs : null };
  return {
    ...known,
    lastFirstMs: isFirst ? nowMs : known.lastFirstMs,
    finishedMs: isLast ? nowMs : known.finishedMs,
  };
}

export function fromAges(session: Omit<SessionAges, 'reader'>, nowMs: number): UnwrittenSession {
  const { snapshotId, firstAgeMs, lastFirstAgeMs, finishedAgeMs } = session;
  return {
    snapshotId,
    firstMs: nowMs - firstAgeMs,
    lastFirstMs: nowMs - lastFirstAgeMs,
    finishedMs: finishedAgeMs === null ? null : nowMs - finishedAgeMs,
  };
}
