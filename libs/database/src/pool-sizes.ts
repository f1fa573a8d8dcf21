/** Largest number of connections in the pool of a process, if DATABASE_POOL is not set. */
export const POOL_SIZES = {
  api: 10,
  /** Two per run, for a batch and the lease; others for deliveries, dispatcher and ops port. */
  ingestor: (ingestConcurrency: number) => ingestConcurrency * 2 + 8,
  /** Enough for about fifty viewers, and a short wait for a page. */
  console: 8,
  ops: 2,
  migrate: 10,
} as const;

/** Connections of a process outside its pool, for notifications. */
export const NOTIFICATION_CONNECTIONS = { api: 1, ingestor: 1, console: 0, ops: 0, migrate: 0 } as const;
