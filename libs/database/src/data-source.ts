import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseConnection } from './connection';
import { type DatabaseOptions, connectionSettings } from './connection-settings';
import { ConnectorEntity } from './entities/connector.entity';
import { ApiKeyEntity, GatewayEntity, ScheduleEntity } from './entities/gateway.entity';
import { InstallationEntity } from './entities/installation.entity';
import { MIGRATIONS } from './migrations/migrations';
import { ReportEntity } from './entities/report.entity';
import { RejectionEntity, RunEntity, RunWarningEntity } from './entities/run.entity';
import { SnapshotEntity } from './entities/snapshot.entity';
import { RefusedWrites } from './refused-writes';

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
    extra: connectionSettings(options),
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
    await new DatabaseConnection(poolOf(dataSource), new RefusedWrites()).assertSchemaFits();
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
