import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { clientWithTimeout } from './client-with-timeout';

export interface Listener {
  onNotification(channel: string, payload: string): void;
  /** Called with false when notifications may be lost from now on, and with true when they arrive again. */
  onStateChange(isListening: boolean): void;
}

export interface Notifications {
  /** Returns after the first connection attempt; after a failure, it continues to try in the background. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Subscription {
  channels: readonly string[];
  listener: Listener;
}

const RECONNECT_MS = 500;
/** How often the connection is checked, and how long a response may take. Notifications during an outage are lost. */
const CHECK_EVERY_MS = 2_000;
const ANSWER_MS = 2_500;

/** All components of a program share one connection, which reconnects automatically. */
export class NotificationConnection {
  private client: pg.Client | null = null;
  private readonly subscriptions = new Set<Subscription>();
  /** Runs changes one after the other, because components may start and stop while a connection is being opened. */
  private work: Promise<void> = Promise.resolve();
  private isReconnecting = false;

  /** @param url of the server itself: poolers do not forward notifications */
  constructor(
    private readonly url: string | undefined,
    private readonly applicationName: string | undefined,
  ) {}

  subscribe(channels: readonly string[], listener: Listener): Notifications {
    const subscription = { channels, listener };
    return {
      start: () => this.afterOthers(() => this.add(subscription)),
      close: () => {
        // Unsubscribe immediately: then a connection that is being opened without subscribers is closed, not awaited.
        this.subscriptions.delete(subscription);
        return this.afterOthers(() => this.endIfUnused());
      },
    };
  }

  private afterOthers(step: () => Promise<void>): Promise<void> {
    this.work = this.work.then(step);
    return this.work;
  }

  private async add(subscription: Subscription): Promise<void> {
    this.subscriptions.add(subscription);
    if (this.client === null) return this.connect();
    try {
      await listen(this.client, subscription.channels);
    } catch {
      // The connection is broken; the next connection also listens to these channels.
      return;
    }
    subscription.listener.onStateChange(true);
  }

  private async endIfUnused(): Promise<void> {
    if (this.subscriptions.size > 0) return;
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new (clientWithTimeout(ANSWER_MS))({
      connectionString: this.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...(this.applicationName !== undefined && { application_name: this.applicationName }),
    });
    client.on('notification', ({ channel, payload }) => {
      for (const { channels, listener } of this.subscriptions) {
        if (channels.includes(channel)) listener.onNotification(channel, payload ?? '');
      }
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.client !== client) return;
      this.client = null;
      this.notifyListeners(false);
      this.reconnectSoon();
    });
    try {
      await client.connect();
      await listen(client, this.channels());
    } catch {
      await client.end().catch(() => undefined);
      this.reconnectSoon();
      return;
    }
    this.client = client;
    this.notifyListeners(true);
    void this.keepChecking(client);
  }

  /** Detects a server that disappears without closing the connection. */
  private async keepChecking(client: pg.Client): Promise<void> {
    while (this.client === client) {
      await sleep(CHECK_EVERY_MS, undefined, { ref: false });
      // LISTEN is only a check here. Without a response the client ends, and a new client is opened.
      if (this.client === client) await listen(client, this.channels()).catch(() => undefined);
    }
  }

  private channels(): Set<string> {
    return new Set([...this.subscriptions].flatMap(({ channels }) => channels));
  }

  private reconnectSoon(): void {
    if (this.isReconnecting) return;
    this.isReconnecting = true;
    void sleep(RECONNECT_MS, undefined, { ref: false }).then(() =>
      this.afterOthers(async () => {
        this.isReconnecting = false;
        if (this.client === null && this.subscriptions.size > 0) await this.connect();
      }),
    );
  }

  private notifyListeners(isListening: boolean): void {
    for (const { listener } of this.subscriptions) listener.onStateChange(isListening);
  }
}

async function listen(client: pg.Client, channels: Iterable<string>): Promise<void> {
  for (const channel of channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
}
