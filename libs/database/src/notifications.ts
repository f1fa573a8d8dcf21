import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Listener {
  /** Called with a channel's name and payload. */
  onNotification(channel: string, payload: string): void;
  /** Called whenever notifications may have been lost, and again when they flow: `isListening` tells which. */
  onStateChange(isListening: boolean): void;
}

/** Listens on PostgreSQL channels over a connection of its own, and comes back by itself when that breaks. */
export class Notifications {
  private client: pg.Client | null = null;
  private isClosed = false;
  private readonly reconnectDelayMs = 500;

  constructor(
    private readonly url: string,
    private readonly channels: readonly string[],
    private readonly listener: Listener,
  ) {}

  /** Returns when the first connection listens, or failed; failing goes on trying in the background. */
  async start(): Promise<void> {
    if (!(await this.connect())) void this.reconnect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000, keepAlive: true });
    client.on('notification', ({ channel, payload }) => {
      this.listener.onNotification(channel, payload ?? '');
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.isClosed || this.client !== client) return;
      this.client = null;
      this.listener.onStateChange(false);
      void this.reconnect();
    });
    try {
      await client.connect();
      for (const channel of this.channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    } catch {
      await client.end().catch(() => undefined);
      return false;
    }
    if (this.hasBeenClosed()) {
      await client.end();
      return true;
    }
    this.client = client;
    this.listener.onStateChange(true);
    return true;
  }

  private async reconnect(): Promise<void> {
    while (!this.hasBeenClosed()) {
      await sleep(this.reconnectDelayMs, undefined, { ref: false });
      if (this.hasBeenClosed() || (await this.connect())) return;
    }
  }

  // A method, for the compiler believes that a field does not change across an await.
  private hasBeenClosed(): boolean {
    return this.isClosed;
  }
}
