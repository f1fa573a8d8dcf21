import { Pool } from 'pg';
import { assertFit, MIGRATIONS } from './migrations/migrations';
import { RefusedWrites } from './database-failures';
import { type Listener, NotificationConnection, type Notifications } from './notifications';

/** The address of the server itself, even behind a pooler. */
export class SessionAddress {
  constructor(readonly url: string | undefined) {}
}

export class DatabaseConnection {
  private readonly listening: NotificationConnection;

  constructor(
    private readonly pool: Pool,
    private readonly refused: RefusedWrites,
    { url }: SessionAddress,
  ) {
    this.listening = new NotificationConnection(url, pool.options.application_name);
  }

  /** Also true for a standby, and for a database whose disk was full a moment ago. */
  async isReadOnly(): Promise<boolean> {
    const { rows } = await this.pool.query<{ isReadOnly: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    return this.refused.isDiskFull || rows[0]?.isReadOnly === true;
  }

  /** @throws SchemaUnfit when a process of another release has changed the schema; an error when the database does not answer. */
  async assertSchemaFits(): Promise<void> {
    const { rows } = await this.pool.query<{ name: string }>('SELECT name FROM schema_migration');
    const applied = rows.map(({ name }) => name);
    const known = MIGRATIONS.map(({ name }) => name);
    assertFit(applied, known);
  }

  poolFigures(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** All subscribers share one connection. Delivery begins when the caller calls `start()`. */
  notifications(channels: readonly string[], listener: Listener): Notifications {
    return this.listening.subscribe(channels, listener);
  }
}
