import 'reflect-metadata';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ConnectorEntity } from './connector/connector.entity';
import { ApiKeyEntity, GatewayEntity } from './gateway/gateway.entity';
import { MIGRATIONS } from './migrations';

/** Object id of the type `bigint[]`, which the driver's own list lacks. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the driver takes any object id
const INT8_ARRAY = 1016 as typeof pg.types.builtins.INT8;

// Identifiers and byte counts stay far below 2^53, and a date has no time zone to be shifted by.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const parseTextArray = pg.types.getTypeParser(INT8_ARRAY) as (text: string) => string[];
pg.types.setTypeParser(INT8_ARRAY, (text) => parseTextArray(text).map(Number));
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface DatabaseOptions {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Connections of this process at most. */
  poolSize?: number;
  /** A statement that takes longer fails; 0 for none. */
  statementTimeoutMs?: number;
}

/** A data source over our entities and migrations; connected by `initialize()`. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize ?? 10,
    entities: [GatewayEntity, ApiKeyEntity, ConnectorEntity],
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    // Parameters hold keys and credentials: they are never logged.
    logging: false,
    extra: {
      // Times are printed in UTC whatever the server's own zone is.
      options: '-c TimeZone=UTC',
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      connectionTimeoutMillis: 5_000,
      // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
      keepAlive: true,
    },
    poolErrorHandler: () => undefined,
  });
}
