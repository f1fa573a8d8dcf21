import { Injectable } from '@nestjs/common';
import { CallNotes, EVERYTHING } from '@passerelle/database';
import { MOST_CALLED_IDS } from '@passerelle/domain';

interface Waiting {
  listings: Set<string>;
  requestId: string;
  written: Promise<void>;
}

/**
 * Writes calls down, those of a gateway together: thousands that come at once are a few statements, and each is answered when
 * its own is done.
 */
@Injectable()
export class NotedCalls {
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly notes: Pick<CallNotes, 'note'>) {}

  /** @throws what the database says when it takes no note. */
  async note(gatewayId: number, listings: readonly string[], requestId: string): Promise<void> {
    const others = this.waiting.get(gatewayId);
    if (others !== undefined) {
      for (const listing of listings) others.listings.add(listing);
      return others.written;
    }
    const before = this.underWay.get(gatewayId) ?? Promise.resolve();
    const own: Waiting = { listings: new Set(listings), requestId, written: Promise.resolve() };
    this.waiting.set(gatewayId, own);
    own.written = before.catch(() => undefined).then(() => this.write(gatewayId, own));
    return own.written;
  }

  private async write(gatewayId: number, { listings, requestId }: Waiting): Promise<void> {
    this.waiting.delete(gatewayId);
    const named = listings.size > MOST_CALLED_IDS * 4 ? [EVERYTHING] : [...listings];
    const writing = this.notes.note(gatewayId, named, requestId);
    this.underWay.set(gatewayId, writing);
    try {
      await writing;
    } finally {
      if (this.underWay.get(gatewayId) === writing) this.underWay.delete(gatewayId);
    }
  }
}
