import type { FinishedPieces } from '@passerelle/bucket';
import { LRUCache } from 'lru-cache';

/** Of all lists together: some 20 MB. One that is longer alone has to be written within one attempt. */
const MOST_LISTINGS = 1_000_000;

interface Unfinished {
  /** When the first of its pieces may have been put, by the monotonic clock. */
  sinceMs: number;
  pieces: FinishedPieces;
}

/** The pieces of lists that could not be written in one attempt, so that the next one goes on from them. */
export class UnfinishedLists {
  private readonly lists = new LRUCache<number, Unfinished>({
    maxSize: MOST_LISTINGS,
    sizeCalculation: ({ pieces }) => [...pieces.values()].reduce((sum, { lengths }) => sum + lengths.length, 1),
  });

  /** @param keepMs for so long nobody removes a piece that no index names */
  constructor(private readonly keepMs: number) {}

  /** Writes a list of a gateway with what is finished of it; what is finished then is kept if it fails. */
  async goOn<T>(
    gatewayId: number,
    write: (pieces: FinishedPieces) => Promise<T>,
    nowMs = performance.now(),
  ): Promise<T> {
    const unfinished = this.take(gatewayId, nowMs);
    try {
      return await write(unfinished.pieces);
    } catch (error) {
      this.lists.set(gatewayId, unfinished);
      throw error;
    }
  }

  private take(gatewayId: number, nowMs: number): Unfinished {
    const found = this.lists.get(gatewayId);
    this.lists.delete(gatewayId);
    return found !== undefined && nowMs - found.sinceMs < this.keepMs ? found : { sinceMs: nowMs, pieces: new Map() };
  }
}
