import type { ConnectorFigures } from '@passerelle/database';

export interface LatestFiguresOptions {
  /** What was read is good for so long; so is the knowledge that the database is away. */
  keepMs: number;
  /** Nobody waits longer than this for the database. */
  patienceMs: number;
}

/**
 * The database's figures for whoever scrapes: one statement at a time, and not another one for a while, however many
 * ask. A database that hangs is asked once, not again with every scrape.
 */
export class LatestFigures {
  private figures: ConnectorFigures[] | null = null;
  private readAtMs = -Infinity;
  private reading: { promise: Promise<void>; startedMs: number } | null = null;

  constructor(
    private readonly load: () => Promise<ConnectorFigures[]>,
    private readonly options: LatestFiguresOptions,
  ) {}

  /** Null when the database did not answer, or not in time. */
  async get(): Promise<ConnectorFigures[] | null> {
    if (performance.now() - this.readAtMs < this.options.keepMs) return this.figures;
    this.reading ??= { promise: this.read(), startedMs: performance.now() };
    const { promise, startedMs } = this.reading;
    const isInTime = await endsWithin(promise, startedMs + this.options.patienceMs - performance.now());
    return isInTime ? this.figures : null;
  }

  private async read(): Promise<void> {
    this.figures = await this.load().catch(() => null);
    this.readAtMs = performance.now();
    this.reading = null;
  }
}

async function endsWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(ms, 0), false);
  });
  const isInTime = await Promise.race([promise.then(() => true), tooLate]);
  clearTimeout(timer);
  return isInTime;
}
