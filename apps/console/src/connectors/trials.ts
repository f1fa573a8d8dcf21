import { Injectable } from '@nestjs/common';
import type { Connector, FeedTrial } from '@passerelle/connectors';
import { admissionOf, loadTrials } from '@passerelle/connectors/operators';
import { HostBudgets } from '@passerelle/database';
import { parseGatewaySettings, RetryLater } from '@passerelle/domain';
import { Refused } from '@passerelle/operations';

/** Small limits, because an operator waits for the trial, and a page shows no more. */
const LIMITS = { maxBytes: 64 * 1024 ** 2, timeoutMs: 20_000, most: 200 };
const SHOWN = 12;
/** A trial reads and maps in this process, which also serves the pages. */
const MOST_AT_ONCE = 2;

export interface FeedToTry {
  source: string;
  settings: Record<string, string>;
  credentials: Record<string, string>;
  inboxDir: string;
  allowPrivate: readonly string[];
}

@Injectable()
export class Trials {
  private underWay = 0;

  constructor(private readonly hostBudgets: HostBudgets) {}

  /** Stores nothing. @throws Refused while too many other trials are running */
  async of(
    connector: Connector,
    { source: url, settings, credentials, inboxDir, allowPrivate }: FeedToTry,
  ): Promise<FeedTrial> {
    if (this.underWay >= MOST_AT_ONCE) throw new Refused('two feeds are being tried: wait a moment');
    this.underWay += 1;
    try {
      // Loads the engine with its clients and parsers at the first trial.
      const { tryFeed } = await loadTrials();
      // The source limits all senders together, so these requests count like the requests of runs.
      const admission = admissionOf(this.hostBudgets, {
        settings: parseGatewaySettings(settings),
        quota: connector.quota,
        source: { url, settings, credentials },
      });
      const end = AbortSignal.timeout(LIMITS.timeoutMs);
      const admit: typeof admission = (host, signal) =>
        admission(host, AbortSignal.any([signal, end])).catch((error: unknown) => {
          throw end.aborted
            ? new RetryLater(`${host} has too many waiting requests: this one did not get its turn`)
            : error;
        });
      const feed = { url, settings, credentials, inboxDir, isFile: false, allowPrivate: new Set(allowPrivate), admit };
      return await tryFeed(connector, feed, (_listing, ahead) => ahead < SHOWN, LIMITS);
    } finally {
      this.underWay -= 1;
    }
  }
}
