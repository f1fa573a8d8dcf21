import type { ConnectionOptions } from 'bullmq';

/** The queue's store answers and refuses writes. */
export class QueueReadOnly extends Error {
  override readonly name = 'QueueReadOnly';
}

/** The options for BullMQ's queues and workers. */
export interface QueueConnection {
  connection: ConnectionOptions;
  /** The prefix of every key. */
  prefix: string;
  /** Writes, because the queue's store may answer but refuse writes. @throws QueueReadOnly when it does; errors of its client */
  assertTakesWrites(): Promise<void>;
  /** Call it after closing every queue and worker that uses it. */
  close(): Promise<void>;
}
