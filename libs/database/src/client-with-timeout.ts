import pg from 'pg';

type Query = (...parameters: unknown[]) => unknown;

/**
 * A vanished server would block the client for a quarter of an hour, a hung server forever.
 * @param limitMs since the last statement; longer than any statement may take
 */
export function clientWithTimeout(limitMs: number, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  return class extends Base {
    private timeout: NodeJS.Timeout | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // The `query` method of the base class, which may wrap the driver's.
      const send = this.query.bind(this) as unknown as Query;
      this.query = ((...parameters: unknown[]): unknown => {
        this.expectAnswer();
        return send(...parameters);
      }) as pg.Client['query'];
      for (const event of ['drain', 'end'] as const) {
        this.on(event, () => {
          clearTimeout(this.timeout);
          this.timeout = undefined;
        });
      }
    }

    private expectAnswer(): void {
      clearTimeout(this.timeout);
      const timeout = setTimeout(() => {
        // The response may have arrived while the process was busy: read it first.
        setImmediate(() => {
          if (this.timeout !== timeout) return;
          void this.end().catch(() => undefined);
        });
      }, limitMs);
      timeout.unref();
      this.timeout = timeout;
    }
  };
}
