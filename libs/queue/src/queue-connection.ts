import type { ConnectionOptions } from 'bullmq';

/** What BullMQ's queues and workers are made with. */
export interface QueueConnection {
  connection: ConnectionOptions;
  /** Of every key. */
  prefix: string;
  /** After every queue and worker that was made with it. */
  close(): Promise<void>;
}
