/** A walk as this process has seen it; times in ms by the monotonic clock. */
export interface SeenWalk {
  readonly snapshotId: number;
  /** The time of its first page, or of the first page that was seen. */
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

export interface SeenWalksBounds {
  /** The limit per gateway: its readers, as far as requests distinguish them. */
  mostOfAGateway: number;
  /** The limit over all gateways. Each walk takes some 250 bytes, independent of the reader's headers. */
  most: number;
}

const BOUNDS: SeenWalksBounds = { mostOfAGateway: 200, most: 100_000 };

/**
 * The walks that this process has seen, by gateway and by the digest of their reader. The least recently used are evicted first:
 * if a gateway has too many, its own; beyond the total limit, all walks of the gateway that was not read for the longest time.
 */
export class SeenWalks {
  /** Both levels in the order of their last use. */
  private readonly gateways = new Map<number, Map<string, SeenWalk>>();
  private total = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** The number of walks. */
  get size(): number {
    return this.total;
  }

  /** The walks of a gateway by their readers. */
  of(gatewayId: number): ReadonlyMap<string, SeenWalk> {
    return this.gateways.get(gatewayId) ?? new Map<string, SeenWalk>();
  }

  get(gatewayId: number, reader: string): SeenWalk | undefined {
    return this.gateways.get(gatewayId)?.get(reader);
  }

  /** Stores a walk as the most recently used one, replacing the reader's previous walk. */
  use(gatewayId: number, reader: string, walk: SeenWalk): void {
    const walks = this.gateways.get(gatewayId) ?? new Map<string, SeenWalk>();
    this.gateways.delete(gatewayId);
    this.gateways.set(gatewayId, walks);
    if (walks.delete(reader)) this.total -= 1;
    walks.set(reader, walk);
    this.total += 1;
    if (walks.size > this.bounds.mostOfAGateway) this.dropOldest(gatewayId, walks);
    for (const [id, others] of this.gateways) {
      if (this.total <= this.bounds.most) break;
      this.dropOldest(id, others);
    }
  }

  delete(gatewayId: number, reader: string): void {
    const walks = this.gateways.get(gatewayId);
    if (walks?.delete(reader) !== true) return;
    this.total -= 1;
    if (walks.size === 0) this.gateways.delete(gatewayId);
  }

  private dropOldest(gatewayId: number, walks: ReadonlyMap<string, SeenWalk>): void {
    const [oldest] = walks.keys();
    if (oldest !== undefined) this.delete(gatewayId, oldest);
  }
}
