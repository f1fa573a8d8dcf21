import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseConnection } from './connection';
import { type DatabaseOptions, poolSettings } from './connection-settings';
import { ConnectorEntity } from './connector/connector.entity';
import { ApiKeyEntity, GatewayEntity, ScheduleEntity } from './gateway/gateway.entity';
import { InstallationEntity } from './installation.entity';
import { MIGRATIONS } from './migrations/migrations';
import { ReportEntity } from './report/report.entity';
import { RejectionEntity, RunEntity, RunWarningEntity } from './run/run.entity';
import { SnapshotEntity } from './snapshot/snapshot.entity';

export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

export class DatabaseNotMigrated extends Error {
  override readonly name = 'DatabaseNotMigrated';
}

export const ENTITIES = [
  InstallationEntity,
  ConnectorEntity,
  GatewayEntity,
  ApiKeyEntity,
  ScheduleEntity,
  RunEntity,
  RejectionEntity,
  RunWarningEntity,
  SnapshotEntity,
  ReportEntity,
];

/** Our entities and migrations, as TypeORM wants them. */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize ?? 10,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    // Parameters hold keys and credentials: never log them.
    logging: false,
    extra: poolSettings(options),
    poolErrorHandler: () => undefined,
  };
}

/** @throws DatabaseUnreachable, with the driver's error as its cause; DatabaseNotMigrated */
export async function connectMigrated(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  await dataSource.initialize().catch((cause: unknown) => {
    throw new DatabaseUnreachable('the database cannot be reached', { cause });
  });
  if (await dataSource.showMigrations()) {
    await dataSource.destroy();
    throw new DatabaseNotMigrated('the database lacks migrations');
  }
  try {
    await new DatabaseConnection(poolOf(dataSource)).assertSchemaFits();
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

/** The pool of an initialized data source, for hot queries: the ORM cannot prepare statements. */
export function poolOf({ driver }: DataSource): Pool {
  if (!('master' in driver)) throw new Error('the data source has no connection pool');
  return driver.master as Pool;
}
