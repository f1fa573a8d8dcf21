import { Injectable } from '@nestjs/common';
import { BucketLists } from '../bucket/bucket-lists';

/** How often to look for what the bucket is behind with, beside what is heard. */
const EVERY_MS = 15_000;

/** Keeps the bucket of lists up with the database. The ingestor that brings runs to the queue also looks for what nobody heard of. */
@Injectable()
export class BucketCare {
  private begunAtMs = -Infinity;
  private catching: Promise<void> = Promise.resolve();
  private isCatching = false;

  constructor(private readonly lists: BucketLists) {}

  /** A gateway has changed: its keys, its state, or its list. */
  hear(gatewayId: number): void {
    this.lists.soon(gatewayId);
  }

  /** What changed until now may not have been heard. */
  doubt(): void {
    this.lists.doubt();
  }

  /**
   * Begins when it is time, and does not wait for the end.
   *
   * @param isLooking whether to look for what was never heard of; else what this process could not write is tried again
   */
  goOn(isLooking: boolean): void {
    if (!this.lists.isKept || this.isCatching || performance.now() - this.begunAtMs < EVERY_MS) return;
    this.begunAtMs = performance.now();
    if (!isLooking) {
      this.lists.retry();
      return;
    }
    this.isCatching = true;
    this.catching = this.lists
      .catchUp()
      // The database has failed: the next one finds the same.
      .catch(() => undefined)
      .finally(() => {
        this.isCatching = false;
      });
  }

  stop(): Promise<void> {
    return this.catching;
  }
}
