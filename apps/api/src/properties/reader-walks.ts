import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type PublishedSnapshot,
  type RememberedWalk,
  retryLostRead,
  type ServedGateway,
  UnknownWalk,
  Walks,
} from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { OpenGateway } from '../access/gateway-access';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';
import { type SeenWalk, SeenWalks } from './seen-walks';

/** The sender of a request. */
export interface Requester {
  key: string;
  address: string | undefined;
  userAgent: string | undefined;
}

/** What tells readers apart. */
export interface Reader extends Requester {
  crm: string;
  client: string;
  format: string;
  perPage: number;
}

/** A page that somebody asks for. */
export interface PageRequest {
  reader: () => Reader;
  page: number;
  perPage: number;
}

/** The first or the last page of a walk, as it was sent. */
export interface SeenPage {
  walk: SeenWalk;
  isLast: boolean;
}

const MOST_GATEWAYS = 10_000;
/** Other processes write down what they have seen as soon as they hear of a publication. */
const OTHERS_WRITE_MS = 500;
const OTHERS_WRITE_PAUSE_MS = 100;
/** A publication that was announced and has not come by then does not come. */
const EXPECTED_MS = 60_000;
/** A page 1 has an answer immediately; a reader should not turn in a circle. */
const START_AGAIN_SECONDS = 5;

/**
 * Decides from which snapshot a page comes that names none, so that the pages of one walk come from one snapshot.
 *
 * As long as nothing was published within the time of a walk, every walk is on the current snapshot: what this process
 * sees of walks stays in its memory. At a publication every process writes down the walks that it has seen, and until the
 * time of a walk has passed the table of walks says who is where. A reader that asks for a later page without being in it began
 * before the publication, for a walk that begins later is written down when it begins.
 *
 * A process that has not heard of the first publication after quiet times would ask nobody. So a publication is announced
 * a moment before it comes: from there on the table is asked.
 *
 * While the database takes no writes, and for the time of a walk after that, a later page without a row is refused unless its
 * list can be proven (`Walks`).
 *
 * Memory is bounded, so a walk that was seen may be forgotten before it is written down. Its later pages, the last one
 * again as well, still come from the list before the publication. Only page 1 is of the newest list when it is asked for
 * again in the middle of the walk, and what follows that goes on from there.
 */
@Injectable()
export class ReaderWalks {
  private readonly seen = new SeenWalks();
  private readonly expected: LRUCache<number, true>;
  private readonly saving = new Map<number, Promise<void>>();
  private readonly walkMs: number;
  private expectations = 0;

  constructor(
    private readonly walks: Walks,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'walkSeconds'>,
    private readonly clock: Clock,
  ) {
    this.walkMs = config.walkSeconds * 1000;
    const perf = { now: () => clock.monotonicMs() };
    this.expected = new LRUCache({ max: MOST_GATEWAYS, ttl: EXPECTED_MS, ttlResolution: 0, perf });
  }

  /**
   * The snapshot of a page. Needs no query while nothing was published within the time of a walk.
   *
   * @throws ApiError INTERNAL_ERROR for a later page that may be of another list than the pages before it
   */
  async snapshotOf(open: OpenGateway, current: PublishedSnapshot, page: PageRequest): Promise<PublishedSnapshot> {
    if (this.isQuiet(open.gateway)) {
      this.see(open.gateway.id, current, page);
      return current;
    }
    try {
      return await this.recorded(open, current, page);
    } catch (error) {
      throw error instanceof UnknownWalk ? startAgain() : error;
    }
  }

  /**
   * Whether every walk is on the current snapshot, and stays there: nothing was published within the time of a walk, or
   * only the first, and no publication was announced.
   */
  isQuiet({ id, recent }: ServedGateway): boolean {
    return recent.length < 2 && !this.expected.has(id);
  }

  /** Grows whenever a gateway's walks are no longer quiet though it has not been read again. */
  get changes(): number {
    return this.expectations;
  }

  /** Takes note that a snapshot of a gateway is about to be published. */
  expect(gatewayId: number): void {
    this.expectations += 1;
    this.expected.set(gatewayId, true);
  }

  /** Writes down the walks through a gateway's list that this process has seen: it may have been replaced. */
  save(gatewayId: number): void {
    const walks = [...this.seen.of(gatewayId)].flatMap(([name, walk]) => this.toSave(name, walk));
    if (walks.length === 0) return;
    const saving = this.walks
      .save(gatewayId, walks)
      // Readers go on: without a row a walk still stays on the snapshot from before the publication.
      .catch(() => undefined)
      .finally(() => {
        if (this.saving.get(gatewayId) === saving) this.saving.delete(gatewayId);
      });
    this.saving.set(gatewayId, saving);
  }

  /** Notes that the database refused a write of another process, or may have done so. */
  hearRefusal(): void {
    this.walks.hearRefusal();
  }

  /**
   * Keeps in mind a page that was sent from the current snapshot in quiet times.
   *
   * @returns what `seeAgain` needs when the same is sent again; null for a page between the first and the last.
   */
  see(gatewayId: number, current: PublishedSnapshot, { reader, page, perPage }: PageRequest): SeenPage | null {
    const isLast = page * perPage >= current.total;
    if ((page > 1 && !isLast) || (page === 1 && isLast)) return null;
    const nowMs = this.clock.monotonicMs();
    const walk = this.walkOf(gatewayId, current, nameOf(reader()), nowMs);
    note(walk, isLast, nowMs);
    return { walk, isLast };
  }

  /**
   * The same page once more, to the same reader, soon after: a walk that was dropped meanwhile would be noted for nothing.
   *
   * @returns whether it still belongs to that walk.
   */
  seeAgain({ walk, isLast }: SeenPage, nowMs: number): boolean {
    const isThatWalk = nowMs - walk.firstMs < this.walkMs;
    if (isThatWalk) note(walk, isLast, nowMs);
    return isThatWalk;
  }

  /**
   * Ends the walk of a reader that reads on in its snapshot by the token: its next page 1 is of the newest list. Never
   * fails: without it the reader gets the former list again, until the time of its walk is over.
   */
  async leave({ gateway }: OpenGateway, current: PublishedSnapshot, reader: Reader): Promise<void> {
    const isQuiet = this.isQuiet(gateway);
    const name = nameOf(reader);
    const isOwn = this.seen.get(gateway.id, name)?.snapshotId === current.id;
    // In quiet times its first page may have been sent by another process.
    if (isOwn || (isQuiet && gateway.snapshot?.id === current.id)) {
      const nowMs = this.clock.monotonicMs();
      note(this.walkOf(gateway.id, current, name, nowMs), true, nowMs);
    }
    if (isQuiet) return;
    await this.saving.get(gateway.id);
    await this.walks.finish({ gatewayId: gateway.id, reader: hashOf(name) }, current.id).catch(() => undefined);
  }

  private walkOf(gatewayId: number, { id: snapshotId }: PublishedSnapshot, name: string, nowMs: number): SeenWalk {
    const known = this.seen.get(gatewayId, name);
    const isOn = known?.snapshotId === snapshotId && nowMs - known.firstMs < this.walkMs;
    // Its first page may have been sent by another process.
    const begunMs = nowMs - 1;
    const walk = isOn ? known : { snapshotId, firstMs: begunMs, lastFirstMs: begunMs, finishedMs: begunMs };
    this.seen.use(gatewayId, name, walk);
    return walk;
  }

  private async recorded(
    { gateway, databaseMs }: OpenGateway,
    current: PublishedSnapshot,
    { reader: readerOf, page, perPage }: PageRequest,
  ): Promise<PublishedSnapshot> {
    const name = nameOf(readerOf());
    const walkOf = { gatewayId: gateway.id, reader: hashOf(name) };
    const { walkSeconds } = this.config;
    const isFirst = page === 1;
    const isFresh = databaseMs - current.publishedAtMs < OTHERS_WRITE_MS;
    // Without a row a later page belongs to a walk from before everything that was published within its time.
    const begin = isFirst ? current : (gateway.recent[0] ?? current);
    const step = { ...walkOf, isFirst, upTo: page * perPage, begin: begin.id };
    // A step that is taken twice leads to the same snapshot.
    return retryLostRead(async () => {
      await this.saveOwn(gateway.id, current, name);
      if (isFirst && isFresh && !(await this.walks.isKnown(walkOf, walkSeconds))) await sleep(OTHERS_WRITE_PAUSE_MS);
      return this.walks.step(step, walkSeconds);
    });
  }

  /** What this process has seen of the reader itself counts even if the publication was not heard. */
  private async saveOwn(gatewayId: number, current: PublishedSnapshot, name: string): Promise<void> {
    await this.saving.get(gatewayId);
    const walk = this.seen.get(gatewayId, name);
    if (walk === undefined || walk.snapshotId === current.id) return;
    await this.walks.save(gatewayId, this.toSave(name, walk));
    this.seen.delete(gatewayId, name);
  }

  private toSave(name: string, walk: SeenWalk): RememberedWalk[] {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - walk.firstMs >= this.walkMs) return [];
    return [
      {
        reader: hashOf(name),
        snapshotId: walk.snapshotId,
        firstAgeMs: nowMs - walk.firstMs,
        lastFirstAgeMs: nowMs - walk.lastFirstMs,
        finishedAgeMs: walk.finishedMs === null ? null : nowMs - walk.finishedMs,
      },
    ];
  }
}

function startAgain(): ApiError {
  return new ApiError(
    'INTERNAL_ERROR',
    'The database takes no writes, or took none lately, so the list of this walk is not known: start again at page 1.',
    { retry_after_seconds: START_AGAIN_SECONDS },
    { 'retry-after': String(START_AGAIN_SECONDS) },
  );
}

/** Takes note of the first page of a walk, or of its last. */
function note(walk: SeenWalk, isLast: boolean, nowMs: number): void {
  if (isLast) {
    walk.finishedMs = nowMs;
  } else if (walk.finishedMs === null || walk.lastFirstMs > walk.finishedMs) {
    walk.lastFirstMs = nowMs;
  } else {
    // A reader that has reached the end begins anew.
    walk.firstMs = nowMs;
    walk.lastFirstMs = nowMs;
    walk.finishedMs = null;
  }
}

/**
 * What a reader is called: a digest. The key in it must not be stored, and what a reader sends must not be kept by its size.
 */
function nameOf({ crm, client, key, address, userAgent, format, perPage }: Reader): string {
  const text = JSON.stringify([crm, client, key, address, userAgent, format, perPage]);
  return createHash('sha256').update(text).digest('base64');
}

/** The same, as it is written down. */
function hashOf(name: string): Buffer {
  return Buffer.from(name, 'base64');
}
