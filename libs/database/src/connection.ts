import { setTimeout as sleep } from 'node:timers/promises';
import pg, { Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import { assertFit, MIGRATIONS } from './migrations/migrations';
import { RefusedWrites } from './database-failures';

export interface Listener {
  /** Called with a channel's name and payload. */
  onNotification(channel: string, payload: string): void;
  /** Called with false when notifications may get lost from now on, with true when they arrive again. */
  onStateChange(isListening: boolean): void;
}

/** Listens on PostgreSQL channels over a connection of its own, and reconnects by itself. */
export class Notifications {
  private client: pg.Client | null = null;
  private isClosed = false;
  private readonly reconnectDelayMs = 500;

  constructor(
    private readonly url: string | undefined,
    private readonly channels: readonly string[],
    private readonly listener: Listener,
  ) {}

  /** Returns after the first attempt to connect; after a failure further attempts follow in the background. */
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

  // A method, because the compiler assumes that a field does not change across an await.
  private hasBeenClosed(): boolean {
    return this.isClosed;
  }
}

/** Whether the database answers with a schema that fits, whether it takes writes, and its notifications. */
@Injectable()
export class DatabaseConnection {
  constructor(
    private readonly pool: Pool,
    private readonly refused: RefusedWrites,
  ) {}

  /** Whether it only reads: a standby, a database set to read only, or one whose disk was full a moment ago. */
  async isReadOnly(): Promise<boolean> {
    const { rows } = await this.pool.query<{ isReadOnly: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    return this.refused.isDiskFull || rows[0]?.isReadOnly === true;
  }

  /** @throws SchemaUnfit when a process of another release has changed the schema; when the database does not answer. */
  async assertSchemaFits(): Promise<void> {
    const { rows } = await this.pool.query<{ name: string }>('SELECT name FROM schema_migration');
    const applied = rows.map(({ name }) => name);
    const known = MIGRATIONS.map(({ name }) => name);
    assertFit(applied, known);
  }

  /** Connections of the pool, those of them that are idle, and callers that wait for one. */
  poolFigures(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Not started yet: call `start()`. */
  notifications(channels: readonly string[], listener: Listener): Notifications {
    return new Notifications(this.pool.options.connectionString, channels, listener);
  }
}
