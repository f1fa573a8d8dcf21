import type { ConnectionOptions } from 'bullmq';

/** The queue's store answers but refuses writes. */
export class QueueReadOnly extends Error {
  override readonly name = 'QueueReadOnly';
}

export interface QueueConnection {
  connection: ConnectionOptions;
  /** The prefix of every key. */
  prefix: string;
  /** @throws QueueReadOnly when the store answers but refuses writes; otherwise errors of the client */
  assertTakesWrites(): Promise<void>;
  /** Call this after closing every queue and worker of this connection. */
  close(): Promise<void>;
}
