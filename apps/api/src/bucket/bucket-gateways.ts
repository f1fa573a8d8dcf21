import { Inject, Injectable } from '@nestjs/common';
import { type Bucket, BucketLies, type KeptGateway, type ListPlace, readGateway } from '@passerelle/bucket';
import {
  DatabaseClock,
  type PublishedSnapshot,
  type ServedGateway,
  ServedGateways,
  type ServedKey,
  type SnapshotOfGateway,
} from '@passerelle/database';
import { ownText, type SecretBox } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock';
import { PAGES_BOX } from '../tokens';
import { DatabaseOrBucket } from './database-or-bucket';
import { accessByBoth, accessOf, type LastAccess, NOBODY } from './last-access';

/** The last that this process has served of a gateway: nothing older may come from the bucket. */
interface Served {
  gatewayId: number;
  snapshot: PublishedSnapshot | null;
  confirmedAtMs: number | null;
  generation: number;
  /** Null where the database has never said it. */
  access: LastAccess | null;
}

const MOST_GATEWAYS = 10_000;
/** Of all of them. */
const MOST_KEYS = 100_000;
const MOST_SAID = 1_000;
/** How long what the bucket says of a gateway is not read again: it does not change while the database is away. */
const SAID_MS = 2_000;

/** Gateways with their keys and lists, from the database, or from the bucket while it does not answer. */
@Injectable()
export class BucketGateways {
  private readonly served = new LRUCache<string, Served>({
    max: MOST_GATEWAYS,
    maxSize: MOST_KEYS,
    sizeCalculation: ({ access }) => 1 + (access?.keys.length ?? 0),
  });
  private readonly names = new LRUCache<number, { crm: string; client: string }>({ max: MOST_GATEWAYS });
  private readonly said = new LRUCache<string, Promise<KeptGateway | null>>({ max: MOST_SAID, ttl: SAID_MS });

  constructor(
    @Inject(ServedGateways) private readonly gateways: Pick<ServedGateways, 'find'>,
    private readonly database: DatabaseOrBucket,
    @Inject(PAGES_BOX) private readonly box: SecretBox | null,
    private readonly databaseClock: DatabaseClock,
    private readonly clock: Clock,
  ) {}

  /** As `ServedGateways` has it. */
  find(crm: string, client: string, walkSeconds: number): Promise<ServedGateway | null> {
    return this.database.ask(
      async () => {
        const gateway = await this.gateways.find(crm, client, walkSeconds);
        if (!this.database.hasBucket) return gateway;
        if (gateway === null) this.noteGone(`${crm}/${client}`);
        else this.note(gateway, { generation: 0, access: accessOf(gateway) });
        return gateway;
      },
      async (bucket) => {
        const kept = await this.kept(bucket, crm, client);
        return kept === null ? null : this.gatewayOf(kept, walkSeconds);
      },
    );
  }

  /** Where the list of a snapshot lies that this process has served. @throws BucketLies when it is not in the bucket */
  async placeOf(bucket: Bucket, { gatewayId, id, token }: SnapshotOfGateway): Promise<ListPlace> {
    const kept = await this.byId(bucket, gatewayId);
    const list = kept?.lists.find((one) => one.id === id);
    if (list !== undefined && list.token !== token) throw ofAnother(id);
    const index = list?.index ?? (kept?.next?.id === id ? kept.next.index : undefined);
    if (index === undefined) throw new BucketLies(`the bucket has no pages of the snapshot ${id}`);
    return { gatewayId, index };
  }

  /** A snapshot that can be read, by its token. @throws BucketLies where only the database could say what it is */
  async snapshotOf(bucket: Bucket, gatewayId: number, token: string): Promise<PublishedSnapshot> {
    const kept = await this.byId(bucket, gatewayId);
    const list = kept?.lists.find((one) => one.token === token);
    if (list === undefined) throw new BucketLies('the bucket does not know the token of a snapshot that is asked for');
    return published(list);
  }

  private async byId(bucket: Bucket, gatewayId: number): Promise<KeptGateway | null> {
    const name = this.names.get(gatewayId);
    return name === undefined ? null : this.kept(bucket, name.crm, name.client);
  }

  /** What the bucket says of a gateway. @throws BucketLies when it is older than what this process has served */
  private async kept(bucket: Bucket, crm: string, client: string): Promise<KeptGateway | null> {
    const { box } = this;
    if (box === null) return null;
    const name = `${crm}/${client}`;
    // What was said in the outage before may have changed since.
    const key = `${this.database.outages}/${name}`;
    let saying = this.said.get(key);
    if (saying === undefined) {
      saying = readGateway(bucket, box, { crm, client });
      this.said.set(ownText(key), saying);
      saying.catch(() => this.said.delete(key));
    }
    const kept = await saying;
    const served = this.served.get(name);
    if (served === undefined) return kept;
    if (kept === null) throw new BucketLies(`what the bucket says of the gateway ${name} is gone`);
    const isOlder = kept.generation < served.generation || (newestOf(kept) ?? 0) < (served.snapshot?.id ?? 0);
    if (isOlder || kept.id !== served.gatewayId) {
      this.said.delete(key);
      throw older({ crm, client });
    }
    return kept;
  }

  private gatewayOf(kept: KeptGateway, walkSeconds: number): ServedGateway {
    const nowMs = this.databaseClock.nowMs() ?? this.clock.nowMs();
    const served = this.served.get(`${kept.crm}/${kept.client}`);
    const lists = kept.lists.map(published);
    // Its publication was seen by this process before the bucket was told of it.
    if (served?.snapshot?.id === kept.next?.id && served?.snapshot) lists.push(served.snapshot);
    const snapshot = lists.find(({ id }) => id === Math.max(kept.current ?? 0, served?.snapshot?.id ?? 0)) ?? null;
    // It has one that comes before, and one that comes after: neither stands for what was served.
    if (snapshot === null && served?.snapshot) throw older(kept);
    const isSame = snapshot !== null && snapshot.id === served?.snapshot?.id;
    if (isSame && snapshot.token !== served.snapshot?.token) throw ofAnother(snapshot.id);
    const confirmedAtMs = newer(kept.confirmedAtMs, isSame ? served.confirmedAtMs : null);
    const { enabled, contractEnd, keys } = accessByBoth(kept, served?.access ?? null);
    const gateway: ServedGateway = {
      ...{ id: kept.id, crm: kept.crm, client: kept.client, enabled, contractEnd },
      keys: keys.map((key) => ({ ...key, hash: Buffer.from(key.hash, 'hex') }) as ServedKey),
      ...{ snapshot, recent: recentOf(lists, snapshot, nowMs - walkSeconds * 1000), databaseMs: nowMs, confirmedAtMs },
      confirmedAgeMs: confirmedAtMs === null ? null : nowMs - confirmedAtMs,
      connector: kept.connector,
    };
    this.note(gateway, { generation: kept.generation, access: served?.access ?? null });
    return gateway;
  }

  private note(
    { id: gatewayId, crm, client, snapshot, confirmedAtMs }: ServedGateway,
    { generation, access }: Pick<Served, 'generation' | 'access'>,
  ): void {
    const name = `${crm}/${client}`;
    const known = this.served.get(name);
    // The database is always right: one that was restored has older ones.
    const seen = known?.gatewayId === gatewayId ? known.generation : 0;
    this.served.set(name, { gatewayId, snapshot, confirmedAtMs, generation: Math.max(generation, seen), access });
    this.names.set(gatewayId, { crm, client });
  }

  /** The bucket may still have a gateway that was removed. */
  private noteGone(name: string): void {
    const known = this.served.get(name);
    if (known !== undefined) this.served.set(name, { ...known, access: NOBODY });
  }
}

function older({ crm, client }: Pick<KeptGateway, 'crm' | 'client'>): BucketLies {
  return new BucketLies(`what the bucket says of the gateway ${crm}/${client} is older than what was served`);
}

/** A server that took over has given the number of a list that was lost to another one. */
function ofAnother(id: number): BucketLies {
  return new BucketLies(`the bucket has another list of the number ${id}`);
}

function newestOf({ current, next }: KeptGateway): number | null {
  return next?.id ?? current;
}

function newer(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function published({ id, token, total, publishedAtMs, confirmedAtMs }: PublishedSnapshot): PublishedSnapshot {
  return { id, token, total, publishedAtMs, confirmedAtMs };
}

/** Those since the beginning of the longest walk, behind the one that was current before them. */
function recentOf(
  lists: readonly PublishedSnapshot[],
  current: PublishedSnapshot | null,
  sinceMs: number,
): PublishedSnapshot[] {
  if (current === null || current.publishedAtMs <= sinceMs) return [];
  const before = lists.findLast(({ publishedAtMs }) => publishedAtMs <= sinceMs);
  return lists.filter(({ id }) => id >= (before?.id ?? 0));
}
