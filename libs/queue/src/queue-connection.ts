import type { ConnectionOptions } from 'bullmq';

/** The queue's store answers but refuses writes. */
export class QueueReadOnly extends Error {
  override readonly name = 'QueueReadOnly';
}

export interface QueueConnection {
  connection: ConnectionOptions;
  /** The prefix of every key. */
  prefix: string;
  /** The store may answer but refuse writes. @throws QueueReadOnly in that case; otherwise errors of the client */
  assertTakesWrites(): Promise<void>;
  /** Call it after closing every queue and worker that uses it. */
  close(): Promise<void>;
}
