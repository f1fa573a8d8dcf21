import type { ConnectionOptions } from 'bullmq';

/** The queue's store answers and refuses writes. */
export class QueueReadOnly extends Error {
  override readonly name = 'QueueReadOnly';
}

/** What BullMQ's queues and workers are made with. */
export interface QueueConnection {
  connection: ConnectionOptions;
  /** Of every key. */
  prefix: string;
  /** Writes, where the queue's store may answer and take no writes. @throws QueueReadOnly when it does not; what its client says */
  assertTakesWrites(): Promise<void>;
  /** After every queue and worker that was made with it. */
  close(): Promise<void>;
}
