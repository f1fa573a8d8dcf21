import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { QueueConnection } from './queue-connection';

/** The queue in PostgreSQL, in its own schema. Call it before any queue or worker is made. */
export function postgresQueue(databaseUrl: string): QueueConnection {
  setDefaultBackendFactory(createPostgresBackend);
  // Jobs that the queue loses are added again, so only our own tables wait for the disk. Its statements notify, and PostgreSQL
  // commits those of one server one after the other.
  const options = '-c synchronous_commit=off';
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: true, options };
  // The option's type only allows Redis; the backend factory accepts any value.
  return {
    ...{ connection, prefix: 'passerelle' },
    // PostgreSQL reports it itself.
    assertTakesWrites: () => Promise.resolve(),
    // Each queue and worker closes its own pool.
    close: () => Promise.resolve(),
  };
}
