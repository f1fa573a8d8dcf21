import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type RememberedWalk, type ServedGateway, type PublishedSnapshot, Walks } from '@passerelle/database';
import { LRUCache } from 'lru-cache';
import type { OpenGateway } from '../access/gateway-access';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';

/** A page that somebody asks for. */
export interface WalkedPage {
  /** What tells readers of a gateway apart: key, address, user agent, format, page size. */
  reader: () => string;
  page: number;
  perPage: number;
}

/** A walk as this process has seen it; times by the monotonic clock. */
interface SeenWalk {
  snapshotId: number;
  /** Of its first page, or of what was seen of it first. */
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

const MOST_GATEWAYS = 10_000;
const MOST_READERS = 200;
/** Other processes write down what they have seen as soon as they hear of a publication. */
const HEARSAY_MS = 500;
const HEARSAY_PAUSE_MS = 100;
/** After this every process that listens has heard of a publication. */
const HEARD_MS = 100;

/**
 * Decides from which snapshot a page comes that names none, so that the pages of one walk come from one snapshot.
 *
 * As long as nothing was published within the time of a walk, every walk is on the current snapshot: what this process
 * sees of walks stays in its memory. At a publication every process writes down the walks that it has seen, and until the
 * time of a walk has passed the table of walks says who is where. Whoever asks for a later page without being in it began
 * before the publication, for a walk that begins later is written down when it begins.
 *
 * A process that has not heard of the first publication after quiet times asks nobody. So, until all have heard of it,
 * walks still begin on the list from before.
 */
@Injectable()
export class ReaderWalks {
  private readonly seen = new LRUCache<number, LRUCache<string, SeenWalk>>({ max: MOST_GATEWAYS });
  private readonly saving = new Map<number, Promise<void>>();
  private readonly walkMs: number;

  constructor(
    private readonly walks: Walks,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'walkSeconds'>,
    private readonly clock: Clock,
  ) {
    this.walkMs = config.walkSeconds * 1000;
  }

  /**
   * The snapshot of a page. Needs no query while nothing was published within the time of a walk.
   */
  async snapshotOf(open: OpenGateway, current: PublishedSnapshot, page: WalkedPage): Promise<PublishedSnapshot> {
    const [before, first] = open.gateway.recent;
    if (before !== undefined && first !== undefined) {
      const isHeard = open.databaseMs - first.publishedAtMs >= HEARD_MS;
      return this.recorded(open, { before, newest: isHeard ? current : before }, page);
    }
    this.see(open.gateway.id, current, page);
    return current;
  }

  /** Whether every walk is on the current snapshot: nothing was published within the time of a walk, or only the first. */
  isQuiet(gateway: ServedGateway): boolean {
    return gateway.recent.length < 2;
  }

  /** Writes down the walks through a gateway's list that this process has seen: it may have been replaced. */
  save(gatewayId: number): void {
    const seen = this.seen.get(gatewayId);
    const walks = [...(seen?.entries() ?? [])].flatMap(([reader, walk]) => this.toSave(reader, walk));
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

  /** The same for every gateway: what was published meanwhile was not heard. */
  saveAll(): void {
    for (const gatewayId of [...this.seen.keys()]) this.save(gatewayId);
  }

  /** Keeps in mind a page that was sent from the current snapshot in quiet times. */
  see(gatewayId: number, current: PublishedSnapshot, { reader: readerOf, page, perPage }: WalkedPage): void {
    const isLast = page * perPage >= current.total;
    if ((page > 1 && !isLast) || (page === 1 && isLast)) return;
    const walks = this.walksOf(gatewayId);
    const reader = readerOf();
    const nowMs = this.clock.monotonicMs();
    const known = walks.get(reader);
    const walk = known?.snapshotId === current.id && nowMs - known.firstMs < this.walkMs ? known : null;
    if (isLast) {
      // Its first page may have been sent by another process.
      const begun = walk ?? { snapshotId: current.id, firstMs: nowMs - 1, lastFirstMs: nowMs - 1 };
      walks.set(reader, { ...begun, finishedMs: nowMs });
    } else if (walk !== null && (walk.finishedMs === null || walk.lastFirstMs > walk.finishedMs)) {
      walk.lastFirstMs = nowMs;
    } else {
      walks.set(reader, { snapshotId: current.id, firstMs: nowMs, lastFirstMs: nowMs, finishedMs: null });
    }
  }

  private walksOf(gatewayId: number): LRUCache<string, SeenWalk> {
    let walks = this.seen.get(gatewayId);
    if (walks === undefined) {
      walks = new LRUCache({ max: MOST_READERS });
      this.seen.set(gatewayId, walks);
    }
    return walks;
  }

  private async recorded(
    { gateway, databaseMs }: OpenGateway,
    { before, newest }: { before: PublishedSnapshot; newest: PublishedSnapshot },
    { reader: readerOf, page, perPage }: WalkedPage,
  ): Promise<PublishedSnapshot> {
    const reader = readerOf();
    const walkOf = { gatewayId: gateway.id, reader: hashOf(reader) };
    const { walkSeconds } = this.config;
    await this.saveOwn(gateway.id, newest, reader);
    const isFirst = page === 1;
    const isFresh = newest !== before && databaseMs - newest.publishedAtMs < HEARSAY_MS;
    if (isFirst && isFresh && !(await this.walks.isKnown(walkOf, walkSeconds))) await sleep(HEARSAY_PAUSE_MS);
    // Without a row a later page belongs to a walk from before everything that was published within its time.
    const begin = isFirst ? newest : before;
    return this.walks.step({ ...walkOf, isFirst, upTo: page * perPage, begin: begin.id }, walkSeconds);
  }

  /** What this process has seen of the reader itself counts even if the publication was not heard. */
  private async saveOwn(gatewayId: number, current: PublishedSnapshot, reader: string): Promise<void> {
    await this.saving.get(gatewayId);
    const walk = this.seen.get(gatewayId)?.get(reader);
    if (walk === undefined || walk.snapshotId === current.id) return;
    await this.walks.save(gatewayId, this.toSave(reader, walk));
    this.seen.get(gatewayId)?.delete(reader);
  }

  private toSave(reader: string, walk: SeenWalk): RememberedWalk[] {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - walk.firstMs >= this.walkMs) return [];
    return [
      {
        reader: hashOf(reader),
        snapshotId: walk.snapshotId,
        firstAgeMs: nowMs - walk.firstMs,
        lastFirstAgeMs: nowMs - walk.lastFirstMs,
        finishedAgeMs: walk.finishedMs === null ? null : nowMs - walk.finishedMs,
      },
    ];
  }
}

/** The key in it must not be stored. */
function hashOf(reader: string): Buffer {
  return createHash('sha256').update(reader).digest();
}
