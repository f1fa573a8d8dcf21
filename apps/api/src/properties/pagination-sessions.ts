import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type PublishedSnapshot,
  type SessionAges,
  retryLostRead,
  type ServedGateway,
  UnknownPaginationSession,
  PaginationSessionStore,
} from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';
import { type SeenSession, SeenSessions } from './seen-sessions';

/** The sender of a request. */
export interface Requester {
  key: string;
  address: string | undefined;
  userAgent: string | undefined;
}

export interface Reader extends Requester {
  crm: string;
  client: string;
  format: string;
  perPage: number;
}

export interface PageRequest {
  reader: () => Reader;
  page: number;
  perPage: number;
}

/** A sent page that begins or ends a session. */
export interface SeenPage {
  session: SeenSession;
  isLast: boolean;
}

const MOST_GATEWAYS = 10_000;
/** Time for other processes to store their sessions after the notification of a publication. */
const OTHERS_WRITE_MS = 500;
const OTHERS_WRITE_PAUSE_MS = 100;
/** After this time an announced publication is no longer expected. */
const EXPECTED_MS = 60_000;
/** Page 1 would be answered immediately, but this delay keeps a reader from restarting in a loop. */
const START_AGAIN_SECONDS = 5;

/**
 * Selects the snapshot for a page request that names no snapshot, so that the pages of one pagination session come from
 * one snapshot. While nothing was published within the lifetime of a session, every session uses the current snapshot,
 * and each process keeps the sessions that it sees in memory. At a publication every process stores its sessions in the
 * table `walk`. Later sessions are stored when they begin, so a later page without a row belongs to a session from
 * before the publication. A publication is announced a moment in advance, because a process without the notification
 * would not query the table. While the database takes no writes, and for the lifetime of a session after that, a later
 * page without a row is refused unless its list can be proven (`PaginationSessionStore`). Memory is limited: the later
 * pages of a forgotten session still come from the list before the publication.
 */
@Injectable()
export class PaginationSessions {
  private readonly seen = new SeenSessions();
  private readonly expected: LRUCache<number, true>;
  private readonly saving = new Map<number, Promise<void>>();
  private readonly sessionMs: number;
  private expectations = 0;

  constructor(
    private readonly sessions: PaginationSessionStore,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'walkSeconds'>,
    private readonly clock: Clock,
  ) {
    this.sessionMs = config.walkSeconds * 1000;
    const perf = { now: () => clock.monotonicMs() };
    this.expected = new LRUCache({ max: MOST_GATEWAYS, ttl: EXPECTED_MS, ttlResolution: 0, perf });
  }

  /** @throws ApiError INTERNAL_ERROR for a later page if the list of its session is uncertain */
  async snapshotOf(open: AuthorizedGateway, current: PublishedSnapshot, page: PageRequest): Promise<PublishedSnapshot> {
    if (this.isQuiet(open.gateway)) {
      this.see(open.gateway.id, current, page);
      return current;
    }
    try {
      return await this.recorded(open, current, page);
    } catch (error) {
      throw error instanceof UnknownPaginationSession ? startAgain() : error;
    }
  }

  /** Whether every session stays on the current snapshot: no newer one was published recently or announced. */
  isQuiet({ id, recent }: ServedGateway): boolean {
    return recent.length < 2 && !this.expected.has(id);
  }

  /** A counter that grows when a gateway is no longer quiet, even before the gateway is read again. */
  get changes(): number {
    return this.expectations;
  }

  expect(gatewayId: number): void {
    this.expectations += 1;
    this.expected.set(gatewayId, true);
  }

  /** Stores this process's sessions on a gateway's list, because the list may have been replaced. */
  save(gatewayId: number): void {
    const sessions = [...this.seen.of(gatewayId)].flatMap(([name, session]) => this.toSave(name, session));
    if (sessions.length === 0) return;
    const saving = this.sessions
      .save(gatewayId, sessions)
      // Readers can continue: a session without a row still stays on the snapshot from before the publication.
      .catch(() => undefined)
      .finally(() => {
        if (this.saving.get(gatewayId) === saving) this.saving.delete(gatewayId);
      });
    this.saving.set(gatewayId, saving);
  }

  noteRefusal(): void {
    this.sessions.noteRefusal();
  }

  /** Notes a page sent in quiet times. @returns null for a page between the first and the last */
  see(gatewayId: number, current: PublishedSnapshot, { reader, page, perPage }: PageRequest): SeenPage | null {
    const isLast = page * perPage >= current.total;
    if ((page > 1 && !isLast) || (page === 1 && isLast)) return null;
    const nowMs = this.clock.monotonicMs();
    const session = this.sessionOf(gatewayId, current, nameOf(reader()), nowMs);
    note(session, isLast, nowMs);
    return { session, isLast };
  }

  /** Notes that a page was sent again. @returns whether the page still belongs to its session */
  seeAgain({ session, isLast }: SeenPage, nowMs: number): boolean {
    const isThatSession = nowMs - session.firstMs < this.sessionMs;
    if (isThatSession) note(session, isLast, nowMs);
    return isThatSession;
  }

  /** Never fails: after an error the reader gets the former list again, until the session is over. */
  async leave({ gateway }: AuthorizedGateway, current: PublishedSnapshot, reader: Reader): Promise<void> {
    const isQuiet = this.isQuiet(gateway);
    const name = nameOf(reader);
    const isOwn = this.seen.get(gateway.id, name)?.snapshotId === current.id;
    // In quiet times another process may have sent the first page of the session.
    if (isOwn || (isQuiet && gateway.snapshot?.id === current.id)) {
      const nowMs = this.clock.monotonicMs();
      note(this.sessionOf(gateway.id, current, name, nowMs), true, nowMs);
    }
    if (isQuiet) return;
    await this.saving.get(gateway.id);
    await this.sessions.finish({ gatewayId: gateway.id, reader: hashOf(name) }, current.id).catch(() => undefined);
  }

  private sessionOf(
    gatewayId: number,
    { id: snapshotId }: PublishedSnapshot,
    name: string,
    nowMs: number,
  ): SeenSession {
    const known = this.seen.get(gatewayId, name);
    const isOn = known?.snapshotId === snapshotId && nowMs - known.firstMs < this.sessionMs;
    // Another process may have sent the first page of the session.
    const begunMs = nowMs - 1;
    const session = isOn ? known : { snapshotId, firstMs: begunMs, lastFirstMs: begunMs, finishedMs: begunMs };
    this.seen.use(gatewayId, name, session);
    return session;
  }

  private async recorded(
    { gateway, databaseMs }: AuthorizedGateway,
    current: PublishedSnapshot,
    { reader: readerOf, page, perPage }: PageRequest,
  ): Promise<PublishedSnapshot> {
    const name = nameOf(readerOf());
    const owner = { gatewayId: gateway.id, reader: hashOf(name) };
    const { walkSeconds } = this.config;
    const isFirst = page === 1;
    const isFresh = databaseMs - current.publishedAtMs < OTHERS_WRITE_MS;
    // Without a row, a later page belongs to a session from before all recent publications.
    const begin = isFirst ? current : (gateway.recent[0] ?? current);
    const step = { ...owner, isFirst, upTo: page * perPage, begin: begin.id };
    // Repeating a step leads to the same snapshot.
    return retryLostRead(async () => {
      await this.saveOwn(gateway.id, current, name);
      if (isFirst && isFresh && !(await this.sessions.isKnown(owner, walkSeconds))) await sleep(OTHERS_WRITE_PAUSE_MS);
      return this.sessions.step(step, walkSeconds);
    });
  }

  /** Sessions that this process has seen itself count even if it was not notified of the publication. */
  private async saveOwn(gatewayId: number, current: PublishedSnapshot, name: string): Promise<void> {
    await this.saving.get(gatewayId);
    const session = this.seen.get(gatewayId, name);
    if (session === undefined || session.snapshotId === current.id) return;
    await this.sessions.save(gatewayId, this.toSave(name, session));
    this.seen.delete(gatewayId, name);
  }

  private toSave(name: string, session: SeenSession): SessionAges[] {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - session.firstMs >= this.sessionMs) return [];
    return [
      {
        reader: hashOf(name),
        snapshotId: session.snapshotId,
        firstAgeMs: nowMs - session.firstMs,
        lastFirstAgeMs: nowMs - session.lastFirstMs,
        finishedAgeMs: session.finishedMs === null ? null : nowMs - session.finishedMs,
      },
    ];
  }
}

function startAgain(): ApiError {
  return new ApiError(
    'INTERNAL_ERROR',
    'The database accepts no writes, or accepted none recently, so the list of your earlier pages is not known: start again at page 1.',
    { retry_after_seconds: START_AGAIN_SECONDS },
    { 'retry-after': String(START_AGAIN_SECONDS) },
  );
}

function note(session: SeenSession, isLast: boolean, nowMs: number): void {
  if (isLast) {
    session.finishedMs = nowMs;
  } else if (session.finishedMs === null || session.lastFirstMs > session.finishedMs) {
    session.lastFirstMs = nowMs;
  } else {
    // A reader that has reached the end begins again.
    session.firstMs = nowMs;
    session.lastFirstMs = nowMs;
    session.finishedMs = null;
  }
}

/** The name of a reader: a digest, because the key must not be stored, and a long name would fill the memory. */
function nameOf({ crm, client, key, address, userAgent, format, perPage }: Reader): string {
  const text = JSON.stringify([crm, client, key, address, userAgent, format, perPage]);
  return createHash('sha256').update(text).digest('base64');
}

function hashOf(name: string): Buffer {
  return Buffer.from(name, 'base64');
}
