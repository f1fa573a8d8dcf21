/** A pagination session as this process has seen it; times in ms by the monotonic clock. */
export interface SeenSession {
  readonly snapshotId: number;
  /** The time of the first page, or of the first page that this process saw. */
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

export interface SeenSessionsBounds {
  mostOfAGateway: number;
  /** The limit over all gateways. Each session takes some 250 bytes, independent of the reader's headers. */
  most: number;
}

const BOUNDS: SeenSessionsBounds = { mostOfAGateway: 200, most: 100_000 };

/** Sessions by gateway and reader. Evicts a gateway's least recent session, or all of the least recent gateway. */
export class SeenSessions {
  /** Both levels in the order of their last use. */
  private readonly gateways = new Map<number, Map<string, SeenSession>>();
  private total = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** The number of sessions. */
  get size(): number {
    return this.total;
  }

  of(gatewayId: number): ReadonlyMap<string, SeenSession> {
    return this.gateways.get(gatewayId) ?? new Map<string, SeenSession>();
  }

  get(gatewayId: number, reader: string): SeenSession | undefined {
    return this.gateways.get(gatewayId)?.get(reader);
  }

  /** Stores a session as the most recently used one, replacing the reader's previous session. */
  use(gatewayId: number, reader: string, session: SeenSession): void {
    const sessions = this.gateways.get(gatewayId) ?? new Map<string, SeenSession>();
    this.gateways.delete(gatewayId);
    this.gateways.set(gatewayId, sessions);
    if (sessions.delete(reader)) this.total -= 1;
    sessions.set(reader, session);
    this.total += 1;
    if (sessions.size > this.bounds.mostOfAGateway) this.dropOldest(gatewayId, sessions);
    for (const [id, others] of this.gateways) {
      if (this.total <= this.bounds.most) break;
      this.dropOldest(id, others);
    }
  }

  delete(gatewayId: number, reader: string): void {
    const sessions = this.gateways.get(gatewayId);
    if (sessions?.delete(reader) !== true) return;
    this.total -= 1;
    if (sessions.size === 0) this.gateways.delete(gatewayId);
  }

  private dropOldest(gatewayId: number, sessions: ReadonlyMap<string, SeenSession>): void {
    const [oldest] = sessions.keys();
    if (oldest !== undefined) this.delete(gatewayId, oldest);
  }
}
