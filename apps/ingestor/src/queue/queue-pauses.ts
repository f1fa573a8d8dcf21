import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { INGEST_QUEUE } from '@passerelle/domain';
import type { Queue } from 'bullmq';

type PausableQueue = Pick<Queue, 'isPaused' | 'resume' | 'name'>;

/** Finds and resumes a queue that another tool or an earlier release paused. A paused queue stops all work. */
@Injectable()
export class QueuePauses {
  constructor(@InjectQueue(INGEST_QUEUE) private readonly queue: PausableQueue) {}

  /** The name of the queue, when it is paused. @throws the error of the queue's client when its store does not answer. */
  async list(): Promise<string[]> {
    return (await this.queue.isPaused()) ? [this.queue.name] : [];
  }

  /** Resumes the queue if it is paused. @returns the queue's name if it was paused. */
  async end(): Promise<string[]> {
    const names = await this.list();
    if (names.length > 0) await this.queue.resume();
    return names;
  }
}
