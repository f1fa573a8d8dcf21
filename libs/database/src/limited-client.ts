import pg from 'pg';

type Query = (...parameters: unknown[]) => unknown;

/**
 * A client that closes its connection when the server has not answered for this time. When a server disappears without closing it
 * (its machine lost power, a firewall forgot the connection), the client would otherwise wait until TCP gives up, a quarter of an
 * hour, or forever if only the server process hangs.
 *
 * @param limitMs since the last statement; more than a statement may take
 */
export function limitedClient(limitMs: number, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  return class extends Base {
    private silence: NodeJS.Timeout | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // The method that a base class defined over the driver's, or the driver's.
      const ask = this.query.bind(this) as unknown as Query;
      this.query = ((...parameters: unknown[]): unknown => {
        this.expectAnswer();
        return ask(...parameters);
      }) as pg.Client['query'];
      for (const event of ['drain', 'end'] as const) {
        this.on(event, () => {
          clearTimeout(this.silence);
          this.silence = undefined;
        });
      }
    }

    private expectAnswer(): void {
      clearTimeout(this.silence);
      const silence = setTimeout(() => {
        // The response may have arrived while the process was busy: read it first.
        setImmediate(() => {
          if (this.silence !== silence) return;
          void this.end().catch(() => undefined);
        });
      }, limitMs);
      silence.unref();
      this.silence = silence;
    }
  };
}
