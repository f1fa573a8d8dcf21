import { Injectable } from '@nestjs/common';
import { WebhookInbox, EVERYTHING, retryWhileUnavailable } from '@passerelle/database';

/** CRMs wait for an answer for ten seconds or longer. */
export const WEBHOOK_PATIENCE_MS = 8_000;
const MAX_WAITING = 2_000;

interface Waiting {
  listings: Set<string>;
  requestId: string;
  sinceMs: number;
  written: Promise<void>;
}

/** Batches webhooks per gateway, so that thousands need few statements. Answers each when its batch is written. */
@Injectable()
export class WebhookWriter {
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly inbox: Pick<WebhookInbox, 'store'>) {}

  /** @throws the database's error when the write fails. */
  async write(gatewayId: number, listings: readonly string[], requestId: string): Promise<void> {
    const others = this.waiting.get(gatewayId);
    if (others !== undefined) {
      addTo(others, listings);
      return others.written;
    }
    const before = this.underWay.get(gatewayId) ?? Promise.resolve();
    const sinceMs = performance.now();
    const own: Waiting = { listings: new Set(listings), requestId, sinceMs, written: Promise.resolve() };
    this.waiting.set(gatewayId, own);
    own.written = before.catch(() => undefined).then(() => this.writeBatch(gatewayId, own));
    return own.written;
  }

  private async writeBatch(gatewayId: number, { listings, requestId, sinceMs }: Waiting): Promise<void> {
    this.waiting.delete(gatewayId);
    const writing = retryWhileUnavailable(() => this.inbox.store(gatewayId, [...listings], requestId), {
      sinceMs,
      patienceMs: WEBHOOK_PATIENCE_MS,
    });
    this.underWay.set(gatewayId, writing);
    try {
      await writing;
    } finally {
      if (this.underWay.get(gatewayId) === writing) this.underWay.delete(gatewayId);
    }
  }
}

/** If too many listings wait, perhaps because the database is slow, requests all listings instead. */
function addTo({ listings }: Pick<Waiting, 'listings'>, more: readonly string[]): void {
  for (const listing of more) listings.add(listing);
  if (listings.size <= MAX_WAITING) return;
  listings.clear();
  listings.add(EVERYTHING);
}
