import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { QueueConnection } from './queue-connection';

/** The queue in PostgreSQL, in a schema of its own. Must be called before any queue or worker is made. */
export function postgresQueue(databaseUrl: string): QueueConnection {
  setDefaultBackendFactory(createPostgresBackend);
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: true };
  // The type of the option names Redis only; the backend factory takes it as it is.
  return {
    ...{ connection, prefix: 'passerelle' },
    // PostgreSQL says it of itself.
    assertTakesWrites: () => Promise.resolve(),
    // Each queue and worker closes its own pool.
    close: () => Promise.resolve(),
  };
}
