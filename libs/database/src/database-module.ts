import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { SessionAddress } from './connection';
import { connectMigrated, dataSourceOptions, poolOf, type ProcessOptions } from './data-source';
import { replicaPool, ReplicaReads } from './listing/replica-reads';
import { type Basis, basisOf, type ContainerProcess, REPOSITORIES } from './repositories';
import type { RoleName } from './roles/roles';
import { SecretsKeyCheck } from './secrets-key-check';

const ROLES: Readonly<Record<ContainerProcess, RoleName>> = { api: 'serve', ingestor: 'ingest', console: 'operate' };
const BASIS = Symbol('basis');

export interface DatabaseModuleOptions extends ProcessOptions {
  /** The address of a replica that serves the texts of listings; null for no replica. */
  readUrl?: string | null;
}

@Module({})
export class DatabaseModule {
  /** The boot fails with DatabaseUnreachable, DatabaseNotMigrated, WrongRole or SecretsKeyUnfit. */
  static async forRoot(process: ContainerProcess, options: DatabaseModuleOptions): Promise<DynamicModule> {
    const { readUrl = null, directUrl, url, secretsKeys } = options;
    // Load on demand: programs without a container also import this library and must not wait for Nest.
    const { TypeOrmModule } = await import('@nestjs/typeorm');
    const replica = readUrl === null ? null : replicaPool({ ...options, url: readUrl });
    const provided: FactoryProvider[] = [
      { provide: SecretsKeyCheck, inject: [Pool], useFactory: (pool: Pool) => new SecretsKeyCheck(pool, secretsKeys) },
      { provide: ReplicaReads, inject: [Pool], useFactory: (pool: Pool) => new ReplicaReads(pool, replica) },
      ...Object.values(REPOSITORIES)
        .filter(({ users }) => users.includes(process))
        .map(({ type, make }): FactoryProvider => ({ provide: type, inject: [BASIS], useFactory: make })),
    ];
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // Fail immediately instead of retrying: the orchestrator restarts the process.
          useFactory: () => ({ ...dataSourceOptions(options), toRetry: () => false }),
          dataSourceFactory: (all) => connectMigrated(all ?? dataSourceOptions(options), ROLES[process], options),
        }),
      ],
      providers: [
        { provide: Pool, inject: [DataSource], useFactory: poolOf },
        {
          provide: BASIS,
          inject: [Pool, DataSource, ReplicaReads],
          useFactory: (pool: Pool, source: DataSource, reads: ReplicaReads): Basis =>
            basisOf(pool, source, reads, new SessionAddress(directUrl ?? url)),
        },
        ...provided,
      ],
      exports: provided.map(({ provide }) => provide),
    };
  }
}
