import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { INGEST_QUEUE, WEBHOOK_QUEUE } from '@passerelle/domain';
import type { Queue } from 'bullmq';

/** The part of BullMQ's queue that this class uses. */
type PausableQueue = Pick<Queue, 'isPaused' | 'resume' | 'name'>;

/**
 * Pauses of BullMQ's queues. Passerelle pauses gateways in PostgreSQL and never a queue: a paused queue, by a tool beside it or by an
 * earlier release's board, stops all work.
 */
@Injectable()
export class QueuePauses {
  private readonly queues: readonly PausableQueue[];

  constructor(@InjectQueue(INGEST_QUEUE) runs: PausableQueue, @InjectQueue(WEBHOOK_QUEUE) webhooks: PausableQueue) {
    this.queues = [runs, webhooks];
  }

  /** The names of those that are paused. @throws what the queue's client says when its store does not answer. */
  async list(): Promise<string[]> {
    const paused = await Promise.all(this.queues.map((queue) => queue.isPaused()));
    return this.queues.filter((_queue, index) => paused[index]).map(({ name }) => name);
  }

  /** Resumes those that are paused. @returns their names. */
  async end(): Promise<string[]> {
    const names = await this.list();
    await Promise.all(this.queues.filter(({ name }) => names.includes(name)).map((queue) => queue.resume()));
    return names;
  }
}
