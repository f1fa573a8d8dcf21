import type { ConnectionOptions } from 'bullmq';

/** What BullMQ's queues and workers are made with. */
export interface QueueConnection {
  connection: ConnectionOptions;
  /** Of every key. */
  prefix: string;
  /** Where the connection is ours to close. */
  close?(): Promise<void>;
}
