import type { SecretsKeys } from '@passerelle/domain';
import { DataSource } from 'typeorm';
import { SessionAddress } from './connection';
import type { DatabaseOptions } from './connection-settings';
import { dataSourceOptions, poolOf } from './data-source';
import { ReplicaReads } from './listing/replica-reads';
import { allRepositories, basisOf, type Repositories } from './repositories';
import { SecretsKeyCheck } from './secrets-key-check';

/** The services of the whole database, for programs without a container. */
export interface Database extends Repositories {
  secretsKeyCheck: (keys: SecretsKeys) => SecretsKeyCheck;
  close(): Promise<void>;
}

/** Composes the services of the Nest modules without Nest. @throws when the database cannot be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  const pool = poolOf(dataSource);
  const basis = basisOf(pool, dataSource, new ReplicaReads(pool, null), new SessionAddress(options.url));
  return {
    ...allRepositories(basis),
    secretsKeyCheck: (keys) => new SecretsKeyCheck(pool, keys),
    close: () => dataSource.destroy(),
  };
}
