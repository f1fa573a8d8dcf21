/** A walk as this process has seen it; times in ms by the monotonic clock. */
export interface SeenWalk {
  readonly snapshotId: number;
  /** Of its first page, or of what was seen of it first. */
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

export interface SeenWalksBounds {
  /** Of one gateway: its readers, as far as they tell themselves apart by what they send. */
  mostOfAGateway: number;
  /** Of all gateways. Each takes some 250 bytes, whatever its reader has sent. */
  most: number;
}

const BOUNDS: SeenWalksBounds = { mostOfAGateway: 200, most: 100_000 };

/**
 * The walks that this process has seen, by gateway and by the digest of their reader. Those used least recently leave
 * first: of a gateway with too many its own, and beyond the bound on all those of the gateway that nobody has read for
 * longest.
 */
export class SeenWalks {
  /** Both levels in the order of their last use. */
  private readonly gateways = new Map<number, Map<string, SeenWalk>>();
  private total = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** How many there are. */
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

  /** Keeps a walk, in the place of the reader's last one, as the one used last. */
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
