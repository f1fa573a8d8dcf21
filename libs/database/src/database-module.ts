import type { DynamicModule, FactoryProvider, Type } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { SessionAddress } from './connection';
import type { RoleName } from './roles/roles';
import { ListingTraces } from './run/listing-traces';
import { connectMigrated, dataSourceOptions, poolOf, type ProcessOptions } from './data-source';
import { SecretsKeyCheck } from './secrets-key-check';

/** The class has no decorator: an operators' command uses it without loading Nest (decision 12). */
export const LISTING_TRACES: FactoryProvider = {
  provide: ListingTraces,
  inject: [Pool],
  useFactory: (pool: Pool) => new ListingTraces(pool),
};

/**
 * A module with its own connection that provides and exports `parts`; `others` are their dependencies. Its boot fails with
 * DatabaseUnreachable, DatabaseNotMigrated, WrongRole or SecretsKeyUnfit.
 */
export async function connectedModule(
  module: Type,
  parts: Type[],
  options: ProcessOptions,
  part: RoleName,
  others: FactoryProvider[] = [],
): Promise<DynamicModule> {
  // Load on demand: programs without a container import this library too, and should not wait for it.
  const { TypeOrmModule } = await import('@nestjs/typeorm');
  return {
    module,
    imports: [
      TypeOrmModule.forRootAsync({
        // Fail immediately instead of retrying: the orchestrator restarts the process.
        useFactory: () => ({ ...dataSourceOptions(options), toRetry: () => false }),
        dataSourceFactory: (all) => connectMigrated(all ?? dataSourceOptions(options), part, options),
      }),
    ],
    providers: [
      { provide: Pool, inject: [DataSource], useFactory: poolOf },
      {
        provide: SecretsKeyCheck,
        inject: [Pool],
        useFactory: (pool: Pool) => new SecretsKeyCheck(pool, options.secretsKeys),
      },
      { provide: SessionAddress, useValue: new SessionAddress(options.directUrl ?? options.url) },
      ...parts,
      ...others,
    ],
    exports: [SecretsKeyCheck, ...parts, ...others.map(({ provide }) => provide)],
  };
}
