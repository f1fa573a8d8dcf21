import pg from 'pg';

/** Which of several servers a connection is to lead to, as libpq names it in `target_session_attrs`; without it, `prefer-primary`. */
const WANTED = ['any', 'read-write', 'primary', 'standby', 'prefer-standby', 'prefer-primary'] as const;
type Wanted = (typeof WANTED)[number];

const PROBE_TIMEOUT_MS = 2_000;
/** Connections that are made at once ask once. */
const FRESH_MS = 1_000;

/** After so long a connection is made anew: one that had to lead to a standby leads to the primary again. */
export const LIFETIME_OF_SEVERAL_SECONDS = 20;

const known = new Map<string, Servers>();

/**
 * The driver's client, or one that finds the server among several hosts (`postgres://host1,host2:5432/name`) that takes writes; while none
 * does, one that answers: it can be read from.
 */
export function clientFor(url: string | undefined, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  const hosts = hostsOf(url);
  if (url === undefined || hosts.length < 2) return Base;
  const servers = known.get(url) ?? new Servers(url, hosts);
  known.set(url, servers);
  return class extends Base {
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
          return await super.connect();
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
  private finding: { promise: Promise<string>; atMs: number } | null = null;

  constructor(
    private readonly url: string,
    private readonly hosts: readonly string[],
  ) {
    const wanted = new URL(url).searchParams.get('target_session_attrs');
    this.wanted = WANTED.find((word) => word === wanted) ?? 'prefer-primary';
  }

  /** @throws what the last one said that was asked. */
  find(): Promise<string> {
    if (this.finding !== null && performance.now() - this.finding.atMs < FRESH_MS) return this.finding.promise;
    const finding = { promise: this.look(), atMs: performance.now() };
    this.finding = finding;
    finding.promise.catch(() => {
      if (this.finding === finding) this.finding = null;
    });
    return finding.promise;
  }

  /** The next one who asks looks anew. */
  forget(): void {
    this.finding = null;
  }

  private async look(): Promise<string> {
    let failure: unknown = new Error('no server among them is what target_session_attrs asks for');
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

async function takesWrites(url: string, host: string): Promise<boolean> {
  const way = new URL(url);
  way.hostname = host;
  const client = new pg.Client({
    ...{ connectionString: way.href, connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    return rows[0]?.isReadOnly === false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
