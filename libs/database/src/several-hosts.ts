import { Socket } from 'node:net';
import pg from 'pg';
import { SILENT } from './limited-client';

/** Which of several servers a connection is to lead to, as libpq names it in `target_session_attrs`; without it, `prefer-primary`. */
const WANTED = ['any', 'read-write', 'primary', 'standby', 'prefer-standby', 'prefer-primary'] as const;
type Wanted = (typeof WANTED)[number];

const PROBE_TIMEOUT_MS = 2_000;
/** Connections that are made within so long of an answer ask once. */
const FRESH_MS = 1_000;

/** Where a server is lost, another one is found within this time, also where each is asked in vain for two seconds. */
export const OTHER_SERVER_MS = 5_000;

/** After so long a connection is made anew: one that had to lead to a standby leads to the primary again. */
export const LIFETIME_OF_SEVERAL_SECONDS = 20;

const known = new Map<string, Servers>();

/**
 * The driver's client, or one that finds the server among several hosts (`postgres://host1,host2:5432/name`) that takes writes; while none
 * does, one that answers: it can be read from.
 *
 * @param endsWithOthers it ends when another client gives up the same server because it is silent: a process that stands still
 *   acknowledges what it is sent, so the connection looks sound. What writes waits for longer: the server may only have paused.
 */
export function clientFor(
  url: string | undefined,
  Base: typeof pg.Client = pg.Client,
  endsWithOthers = false,
): typeof pg.Client {
  const hosts = hostsOf(url);
  if (url === undefined || hosts.length < 2) return Base;
  const servers = known.get(url) ?? new Servers(url, hosts);
  known.set(url, servers);
  return class extends Base {
    private readonly socket: Socket;

    constructor(config: pg.ClientConfig = {}) {
      const socket = new Socket();
      // A pool's password is not enumerable.
      super({ ...config, ...(config.password !== undefined && { password: config.password }), stream: () => socket });
      this.socket = socket;
    }

    // The driver's own takes a callback, or gives a promise; so does this.
    override connect = ((callback?: (error?: unknown, client?: pg.Client) => void): Promise<pg.Client> | undefined => {
      const connected = servers.find().then(async (host) => {
        Object.assign(this, { host });
        // Its server may be gone. Those who ask next must not be led there again.
        for (const event of ['error', 'end'] as const) {
          this.once(event, () => {
            servers.forget();
          });
        }
        try {
          const client = await super.connect();
          this.once(SILENT, () => {
            servers.giveUp(host);
          });
          if (endsWithOthers) servers.note(host, this.socket);
          return client;
        } catch (error) {
          servers.forget();
          throw error;
        }
      });
      if (callback === undefined) return connected;
      connected.then(
        () => {
          callback(undefined, this);
        },
        (error: unknown) => {
          callback(error);
        },
      );
      return undefined;
    }) as pg.Client['connect'];
  };
}

/** Those of an address; an IPv6 one stands alone. */
export function hostsOf(url: string | undefined): string[] {
  const hostname = url === undefined ? '' : new URL(url).hostname;
  return hostname.includes(',') ? hostname.split(',').filter((host) => host !== '') : [hostname];
}

/** The servers of one address. */
class Servers {
  private readonly wanted: Wanted;
  private finding: { promise: Promise<string>; untilMs: number } | null = null;
  private readonly sockets = new Map<string, Set<Socket>>();
  /** In the order in which they are asked: the one that was found last comes first, so that nobody waits for one that is gone. */
  private hosts: readonly string[];

  constructor(
    private readonly url: string,
    hosts: readonly string[],
  ) {
    this.hosts = hosts;
    const wanted = new URL(url).searchParams.get('target_session_attrs');
    this.wanted = WANTED.find((word) => word === wanted) ?? 'prefer-primary';
  }

  /** @throws what the last one said that was asked. */
  find(): Promise<string> {
    if (this.finding !== null && performance.now() < this.finding.untilMs) return this.finding.promise;
    const finding = { promise: this.look(), untilMs: Infinity };
    this.finding = finding;
    finding.promise.then(
      (host) => {
        finding.untilMs = performance.now() + FRESH_MS;
        this.hosts = [host, ...this.hosts.filter((other) => other !== host)];
      },
      () => {
        if (this.finding === finding) this.finding = null;
      },
    );
    return finding.promise;
  }

  /** Takes note of a connection that ends with others, for as long as it is open. */
  note(host: string, socket: Socket): void {
    const sockets = this.sockets.get(host) ?? new Set();
    this.sockets.set(host, sockets.add(socket));
    socket.once('close', () => sockets.delete(socket));
  }

  /** Ends what leads to a server that is silent, and asks it last. */
  giveUp(host: string): void {
    this.finding = null;
    this.hosts = [...this.hosts.filter((other) => other !== host), host];
    for (const socket of this.sockets.get(host) ?? []) socket.destroy();
  }

  /** The next one who asks looks anew. */
  forget(): void {
    this.finding = null;
  }

  private async look(): Promise<string> {
    let failure: unknown = new NoneOfThem();
    let second: string | null = null;
    const { wanted } = this;
    for (const host of this.hosts) {
      try {
        const isPrimary = await takesWrites(this.url, host);
        if (wanted === 'any' || isPrimary === !wanted.endsWith('standby')) return host;
        second ??= host;
      } catch (error) {
        failure = error;
      }
    }
    if (second !== null && wanted.startsWith('prefer')) return second;
    throw failure;
  }
}

/** As a server that cannot be reached: one may be what is asked for in a moment. */
class NoneOfThem extends Error {
  readonly code = '08001';

  constructor() {
    super('no server among them is what target_session_attrs asks for');
  }
}

async function takesWrites(url: string, host: string): Promise<boolean> {
  const way = new URL(url);
  way.hostname = host;
  const socket = new Socket();
  const client = new pg.Client({
    ...{ connectionString: way.href, connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS },
    stream: () => socket,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    return rows[0]?.isReadOnly === false;
  } finally {
    // A server that stands still ends nothing: nobody waits for it.
    void client.end().catch(() => undefined);
    setTimeout(() => socket.destroy(), PROBE_TIMEOUT_MS).unref();
  }
}
