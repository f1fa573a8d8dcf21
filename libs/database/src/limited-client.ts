import pg from 'pg';

type Query = (...parameters: unknown[]) => unknown;

/**
 * A client that gives its connection up once the server has left it without an answer for so long. A server that is gone without a word
 * (its machine lost power, a firewall forgot the connection) would else be waited for until TCP gives up, a quarter of an hour, or for
 * good where only the process stands still.
 *
 * @param limitMs from the last statement on; more than a statement may take
 */
export function limitedClient(limitMs: number, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  return class extends Base {
    private silence: NodeJS.Timeout | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // What a base class has put in the place of the driver's own, or that.
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
        // The answer may have come while the process was busy: it is read first.
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
