import type { SecretsKeys } from '@passerelle/domain';
import pg, { type Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseConnection, SessionAddress } from './connection';
import { connectionSettings, type DatabaseOptions } from './connection-settings';
import { ConnectorEntity } from './entities/connector.entity';
import { ApiKeyEntity, GatewayEntity, ScheduleEntity } from './entities/gateway.entity';
import { InstallationEntity } from './entities/installation.entity';
import { MIGRATIONS } from './migrations/migrations';
import { ReportEntity } from './entities/report.entity';
import { RejectionEntity, RunEntity, RunWarningEntity } from './entities/run.entity';
import { SnapshotEntity } from './entities/snapshot.entity';
import { RefusedWrites } from './database-failures';
import { SteadyPool } from './steady-pool';
import { POOL_SIZES } from './pool-sizes';
import { nameOfRole, type RoleName } from './roles/roles';
import { SecretsKeyCheck } from './secrets-key-check';

export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

export class DatabaseNotMigrated extends Error {
  override readonly name = 'DatabaseNotMigrated';
}

const ENTITIES = [
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

export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize ?? POOL_SIZES.api,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    // Parameters hold keys and credentials: never log them.
    logging: false,
    driver: { ...pg, Pool: SteadyPool },
    extra: connectionSettings(options),
    poolErrorHandler: () => undefined,
  };
}

/** The role in DATABASE_URL belongs to another program. */
export class WrongRole extends Error {
  override readonly name = 'WrongRole';
}

export interface ProcessOptions extends DatabaseOptions {
  secretsKeys: SecretsKeys;
}

/** @throws DatabaseUnreachable, with the driver's error as its cause; DatabaseNotMigrated; WrongRole; SecretsKeyUnfit */
export async function connectMigrated(
  options: DataSourceOptions,
  part: RoleName,
  { url, directUrl = null, secretsKeys }: ProcessOptions,
): Promise<DataSource> {
  const dataSource = new DataSource(options);
  await dataSource.initialize().catch((cause: unknown) => {
    throw new DatabaseUnreachable('the database cannot be reached', { cause: withAdvice(cause) });
  });
  if (await dataSource.showMigrations()) {
    await dataSource.destroy();
    throw new DatabaseNotMigrated('the database lacks migrations');
  }
  try {
    await assertRole(poolOf(dataSource), part);
    if (directUrl !== null) await assertRoleHasSettings(poolOf(dataSource));
    const connection = new DatabaseConnection(poolOf(dataSource), new RefusedWrites(), new SessionAddress(url));
    await connection.assertSchemaFits();
    const check = new SecretsKeyCheck(poolOf(dataSource), secretsKeys);
    await (part === 'ingest' ? check.assertFitsOrClaim() : check.assertFits());
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

/** Adds advice when PgBouncer refuses startup settings, because clients share its sessions. */
function withAdvice(cause: unknown): unknown {
  if (!(cause instanceof Error) || !cause.message.includes('unsupported startup parameter')) return cause;
  return new Error(`${cause.message}: a pooler answers there, so set DATABASE_DIRECT_URL as well`, { cause });
}

/** For each program, a privilege that the roles of the other programs lack. */
const NEEDED: Readonly<Record<RoleName, { privilege: string; sentence: string }>> = {
  ingest: {
    privilege: `has_table_privilege('public.listing_version', 'INSERT')`,
    sentence: 'may not write listings: an ingestor',
  },
  serve: {
    privilege: `has_table_privilege('public.presented_key', 'INSERT')`,
    sentence: 'is not the role for serving: the API',
  },
  operate: {
    privilege: `has_function_privilege('public.shown_sources()', 'EXECUTE')`,
    sentence: 'is not the role for operating: the console',
  },
};

async function assertRole(pool: Pool, part: RoleName): Promise<void> {
  const { privilege, sentence } = NEEDED[part];
  const { rows } = await pool.query<{ role: string; wanted: string; isRight: boolean }>(
    `SELECT current_user AS role, current_database() AS wanted, ${privilege} AS "isRight"`,
  );
  const [row] = rows;
  if (row === undefined || row.isRight) return;
  throw new WrongRole(
    `the role ${row.role} of DATABASE_URL ${sentence} needs ${nameOfRole(row.wanted, part)}, or the owner of the tables`,
  );
}

/** Checks the role's settings, because a connection through a pooler cannot choose settings. */
async function assertRoleHasSettings(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string; zone: string; timeout: string }>(
    `SELECT current_user AS role, current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout`,
  );
  const { role = '', zone = '', timeout = '' } = rows[0] ?? {};
  if (/^(Etc\/)?UTC$/.test(zone) && timeout !== '0') return;
  throw new WrongRole(
    `the role ${role} of DATABASE_URL has the time zone ${zone} and the statement_timeout ${timeout}: behind a pooler both are ` +
      'settings of the role. The migrations give them to the roles that they make',
  );
}

/** The pool of an initialized data source, for hot queries: the ORM cannot prepare statements. */
export function poolOf({ driver }: DataSource): Pool {
  if (!('master' in driver)) throw new Error('the data source has no connection pool');
  return driver.master as Pool;
}
