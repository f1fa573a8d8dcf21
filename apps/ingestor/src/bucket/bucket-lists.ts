import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Bucket,
  BucketError,
  gatewayObject,
  type KeptGateway,
  removeUnused,
  sealKept,
  takeReports,
  writeList,
} from '@passerelle/bucket';
import {
  type BucketList,
  BucketRows,
  type BucketState,
  ListTexts,
  type NewReport,
  Reports,
} from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import { CountedLine } from '@passerelle/limits';
import type { Logger } from 'pino';
import { LOGGER, PAGES_BUCKET, SECRET_BOX } from '../tokens';
import { UnfinishedLists } from './unfinished-lists';

/** A bucket that has failed is left alone for so long: a publication waits for it at most once in that time. */
const REST_MS = 10_000;
/**
 * How long writing a snapshot's pages may hold up its publication, and the other gateways behind it; what is left is gone on
 * with in the next attempt.
 */
const ATTEMPT_MS = 60_000;
/** Objects that no list names may belong to a snapshot that is being written. */
const YOUNG_MS = 3_600_000;
/** So long after its first piece a list may still be gone on with: none of them is old before its index is there. */
const GO_ON_MS = YOUNG_MS / 2;
const GATEWAYS_AT_A_TIME = 4;
/** Gateways that one look goes through: what it costs does not grow with their number. */
const LOOKED_AT_ONCE = 1_000;

/**
 * Brings lists into the bucket from which the API reads while PostgreSQL does not answer: the pages of a snapshot ahead of its
 * publication, and what the bucket says of a gateway behind each change. Never fails: a run goes on without the bucket,
 * whatever is missing is caught up with.
 */
@Injectable()
export class BucketLists implements OnApplicationShutdown {
  readonly figures = { written: 0, failed: 0, reports: 0, refusedReports: 0 };
  /** A test has less patience. */
  attemptMs = ATTEMPT_MS;
  private readonly unfinished = new UnfinishedLists(GO_ON_MS);
  /** Lists that are being written behind their publications: `gateway/snapshot`. */
  private readonly writing = new Set<string>();
  private readonly waiting = new Set<number>();
  /** Those that could not be written. */
  private readonly left = new Set<number>();
  /** Whether a change may not have been heard. */
  private isUnsure = true;
  /** The last gateway that was looked at. */
  private lookedTo = 0;
  private readonly busy = new Set<Promise<void>>();
  private restUntilMs = -Infinity;
  private readonly stop = new AbortController();
  private reason = '';
  private readonly failures: CountedLine;

  constructor(
    @Inject(PAGES_BUCKET) private readonly bucket: Bucket | null,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
    private readonly rows: BucketRows,
    private readonly texts: ListTexts,
    private readonly reports: Reports,
    @Inject(LOGGER) log: Logger,
  ) {
    this.failures = new CountedLine((failures) => {
      log.error(
        { reason: this.reason, failures },
        'lists could not be written into the bucket: they are caught up with',
      );
    });
  }

  /** Whether there is a bucket at all. */
  get isKept(): boolean {
    return this.bucket !== null;
  }

  /** Gateways whose lists wait to be written. */
  get waits(): number {
    return this.waiting.size + this.left.size;
  }

  /** Writes the pages of a snapshot that is about to be published. */
  async prepare(gatewayId: number, snapshotId: number): Promise<void> {
    const { bucket } = this;
    if (bucket === null || performance.now() < this.restUntilMs) return;
    await this.attempt(async () => {
      await this.rows.addList(gatewayId, await this.writeList(bucket, gatewayId, snapshotId));
      await this.say(bucket, gatewayId);
    });
  }

  /** Writes what the bucket says of a gateway, soon. */
  soon(gatewayId: number): void {
    if (this.bucket === null || this.stop.signal.aborted) return;
    this.waiting.add(gatewayId);
    if (this.busy.size < GATEWAYS_AT_A_TIME) this.work(this.bucket);
  }

  /** A change may not have been heard: the next look goes through all gateways. */
  doubt(): void {
    this.isUnsure = true;
  }

  /** Tries again what could not be written. */
  retry(): void {
    if (performance.now() < this.restUntilMs) return;
    const left = [...this.left];
    this.left.clear();
    for (const gatewayId of left) this.soon(gatewayId);
  }

  /**
   * Takes reports in, tries again what could not be written, and looks whether the bucket is behind with something that was
   * never heard of: with all gateways after a doubt, else with the next thousand. Resolves when what was found has been
   * written, or the bucket has failed.
   */
  async catchUp(): Promise<void> {
    const { bucket, box } = this;
    if (bucket === null || box === null || performance.now() < this.restUntilMs) return;
    await this.attempt(async () => {
      const take = async (kept: { id: string; gatewayId: number; receivedAt: string; report: NewReport }) =>
        this.reports.takeIn(kept.id, kept.gatewayId, kept.report, kept.receivedAt);
      const { taken, refused } = await takeReports<NewReport>(bucket, box, take);
      this.figures.reports += taken;
      this.figures.refusedReports += refused;
    });
    this.retry();
    const isAll = this.isUnsure;
    this.isUnsure = false;
    if (isAll) this.lookedTo = 0;
    try {
      do {
        const { behind, next } = await this.rows.look(this.lookedTo, LOOKED_AT_ONCE, sealOf(box));
        for (const gatewayId of behind) this.soon(gatewayId);
        while (this.busy.size > 0) await Promise.all(this.busy);
        this.lookedTo = next ?? 0;
      } while (isAll && this.lookedTo > 0 && !this.stop.signal.aborted);
    } catch (error) {
      if (isAll) this.doubt();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    this.waiting.clear();
    await Promise.all(this.busy);
    this.bucket?.close();
  }

  private work(bucket: Bucket): void {
    const working = this.workOff(bucket).finally(() => this.busy.delete(working));
    this.busy.add(working);
  }

  private async workOff(bucket: Bucket): Promise<void> {
    for (const gatewayId of this.waiting) {
      this.waiting.delete(gatewayId);
      const isBrought =
        performance.now() >= this.restUntilMs && (await this.attempt(() => this.bring(bucket, gatewayId)));
      if (!isBrought) this.left.add(gatewayId);
    }
  }

  private async bring(bucket: Bucket, gatewayId: number): Promise<void> {
    const { state, row } = await this.rows.load(gatewayId);
    if (state === null) {
      if (row === null) return;
      if (row.isNamed !== true) await bucket.remove(gatewayObject(row.crm, row.client));
      await removeUnused(bucket, gatewayId, [], new Date(Date.now() + YOUNG_MS));
      await this.rows.forget(gatewayId);
      return;
    }
    const { current } = state;
    if (current !== null && row?.lists.some(({ id }) => id === current) !== true) {
      // Who may read waits for no list.
      await this.say(bucket, gatewayId);
      const name = `${gatewayId}/${current}`;
      // Whoever writes it says the rest.
      if (this.writing.has(name)) return;
      this.writing.add(name);
      try {
        await this.rows.addList(gatewayId, await this.writeList(bucket, gatewayId, current));
      } finally {
        this.writing.delete(name);
      }
    }
    await this.say(bucket, gatewayId);
  }

  private async writeList(bucket: Bucket, gatewayId: number, snapshotId: number): Promise<BucketList> {
    const { row } = await this.rows.load(gatewayId);
    const list = {
      gatewayId,
      versions: await this.texts.lines(gatewayId, snapshotId),
      texts: (ids: readonly number[]) => this.texts.texts(gatewayId, ids),
      before: row?.lists.at(-1)?.index ?? null,
    };
    const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(this.attemptMs)]);
    const index = await this.unfinished.goOn(gatewayId, (finished) => writeList(bucket, { ...list, finished }, signal));
    return { id: snapshotId, index };
  }

  /** Puts what the bucket says of a gateway, and removes what it does not need for that any more. */
  private async say(bucket: Bucket, gatewayId: number): Promise<void> {
    const { box } = this;
    if (box === null) return;
    const unused: string[][] = [];
    await this.rows.write(gatewayId, sealOf(box), async (state, { generation, lists }) => {
      const kept = keptOf(lists, state);
      const gateway = gatewayOf(gatewayId, generation, state, kept);
      await bucket.put(gatewayObject(state.crm, state.client), sealKept(gateway, box));
      if (kept.length < lists.length) unused.push(kept.map(({ index }) => index));
      return { lists: kept, isWhole: gateway.current === state.current };
    });
    this.figures.written += 1;
    for (const indexes of unused) await removeUnused(bucket, gatewayId, indexes, new Date(Date.now() - YOUNG_MS));
  }

  /** Whether it went well. What fails for one gateway alone is no reason to let the others wait. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof BucketError) this.restUntilMs = performance.now() + REST_MS;
      this.figures.failed += 1;
      this.reason = error instanceof Error ? error.message : String(error);
      this.failures.note();
      return false;
    }
  }
}

/** What names the key of a box, and says nothing of it. */
function sealOf(box: SecretBox): string {
  return box.digest('pages bucket').toString('hex');
}

/** The lists that can still be read, and those that may be published yet; each once, oldest first. */
function keptOf(lists: readonly BucketList[], { snapshots }: BucketState): BucketList[] {
  const readable = new Set(snapshots.map(({ id }) => id));
  const newest = snapshots.at(-1)?.id ?? 0;
  const byId = new Map(lists.map((list) => [list.id, list]));
  return [...byId.values()].filter(({ id }) => readable.has(id) || id > newest).sort((a, b) => a.id - b.id);
}

/** Where the pages of the current snapshot are not in the bucket, the newest one before it is current there. */
function gatewayOf(
  id: number,
  generation: number,
  { snapshots, ...state }: BucketState,
  kept: readonly BucketList[],
): KeptGateway {
  const indexes = new Map(kept.map((list) => [list.id, list.index]));
  const lists = snapshots.flatMap((snapshot) => {
    const index = indexes.get(snapshot.id);
    return index === undefined ? [] : [{ ...snapshot, index }];
  });
  const shown = lists.findLast((list) => list.id <= (state.current ?? 0)) ?? null;
  const confirmedAtMs = shown?.id === state.current ? state.confirmedAtMs : (shown?.confirmedAtMs ?? null);
  const last = kept.at(-1);
  const next = last === undefined || last.id <= (state.current ?? 0) ? null : last;
  return { ...state, id, generation, lists, current: shown?.id ?? null, confirmedAtMs, next };
}
