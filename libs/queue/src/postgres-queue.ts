import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { QueueConnection } from './queue-connection';

/** The queue in PostgreSQL, in its own schema. Call this before any queue or worker is created. */
export function postgresQueue(databaseUrl: string): QueueConnection {
  setDefaultBackendFactory(createPostgresBackend);
  // Does not wait for the disk: lost jobs are added again, and PostgreSQL commits notifying transactions one by one.
  const options = '-c synchronous_commit=off';
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: true, options };
  // The option's type only allows Redis; the backend factory accepts any value.
  return {
    ...{ connection, prefix: 'passerelle' },
    // PostgreSQL itself reports refused writes.
    assertTakesWrites: () => Promise.resolve(),
    // Each queue and worker closes its own pool.
    close: () => Promise.resolve(),
  };
}
