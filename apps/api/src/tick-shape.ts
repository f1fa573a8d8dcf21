import { executionAsyncResource } from 'node:async_hooks';

/** V8 finds a shape again by objects that have it: this often a new one is kept, in case the shape has changed. */
const EVERY_MS = 1_000;

/**
 * Keeps one of Node's records of `process.nextTick` alive, so that V8 does not forget their shape.
 *
 * Node writes such a record with computed names, several times for each answer. When a full garbage collection finds none
 * alive, as it does once nobody has asked for eight seconds, V8 forgets the shape, takes the next one for another, and from
 * then on writes every record in its slowest way (docs/decisions/0025-the-shape-of-a-tick.md).
 */
export class TickShape {
  private kept: object | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.keep();
    this.timer = setInterval(() => {
      this.keep();
    }, EVERY_MS).unref();
  }

  /** The record that is kept last. */
  get record(): object | null {
    return this.kept;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private keep(): void {
    process.nextTick(() => {
      this.kept = executionAsyncResource();
    });
  }
}
