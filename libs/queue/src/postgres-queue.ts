import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { QueueConnection } from './queue-connection';

/** The queue in PostgreSQL, in a schema of its own. Must be called before any queue or worker is made. */
export function postgresQueue(databaseUrl: string): QueueConnection {
  setDefaultBackendFactory(createPostgresBackend);
  // What the queue forgets is brought to it again: only our own tables wait for the disk. Its statements notify, and those of
  // one server end one after the other.
  const options = '-c synchronous_commit=off';
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: true, options };
  // The type of the option names Redis only; the backend factory takes it as it is.
  return {
    ...{ connection, prefix: 'passerelle' },
    // PostgreSQL says it of itself.
    assertTakesWrites: () => Promise.resolve(),
    // Each queue and worker closes its own pool.
    close: () => Promise.resolve(),
  };
}
