import pg, { Pool } from 'pg';
import { DatabaseConnection } from './connection';
import { MIGRATIONS } from './migrations/migrations';

export interface ProgramSessions {
  /** `api`, `ingestor`, `console`. */
  program: string;
  /** Null for a release that did not report it. */
  release: string | null;
  role: string;
  /** Connections. */
  count: number;
  processes: number;
}

/** The size of a table on disk, including its indexes and, if it is divided, all of its parts. */
export interface TableOnDisk {
  name: string;
  bytes: number;
  /** The server's estimate. */
  rows: number;
}

export interface ServerFacts {
  version: string;
  /** The server's clock, halfway through the query. */
  now: Date;
  isReadOnly: boolean;
  /** Migrations of this release that the database lacks. */
  missing: string[];
  /** The newest migration of the database; null for none. */
  newest: string | null;
  /** Migrations of a newer release in the database. */
  ahead: string[];
  database: string;
  role: { name: string; isSuperuser: boolean; ownsTables: boolean };
  /** Our roles that exist, by their full names. */
  roles: string[];
  sessions: ProgramSessions[];
  connections: { used: number; allowed: number };
  bytes: number;
}

export interface ReplicaFacts {
  isReplica: boolean;
  /** Bytes of the primary's log that the replica has not replayed; null if unknown. */
  lagBytes: number | null;
}

export class ServerQuestions {
  constructor(
    private readonly pool: Pool,
    private readonly connection: DatabaseConnection,
  ) {}

  async facts(): Promise<ServerFacts> {
    const { rows } = await this.pool.query<
      Omit<ServerFacts, 'isReadOnly' | 'missing' | 'newest' | 'ahead' | 'sessions'>
    >(
      `SELECT current_setting('server_version') AS version, to_json(clock_timestamp()) AS now,
              current_database() AS database, pg_database_size(current_database()) AS bytes,
              (SELECT json_build_object('name', current_user, 'isSuperuser', rolsuper, 'ownsTables', EXISTS (
                 SELECT 1 FROM pg_class WHERE oid = to_regclass('public.gateway') AND relowner = r.oid))
               FROM pg_roles r WHERE rolname = current_user) AS role,
              ARRAY(SELECT rolname::text FROM pg_roles
                    WHERE rolname IN (current_database() || '_ingest', current_database() || '_serve',
                                      current_database() || '_operate') ORDER BY 1) AS roles,
              json_build_object('used', (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL),
                'allowed', current_setting('max_connections')::int
                           - current_setting('superuser_reserved_connections')::int) AS connections`,
    );
    const { now, ...server } = rows[0]!;
    const applied = await this.applied();
    const known = MIGRATIONS.map(({ name }) => name);
    return {
      ...server,
      now: new Date(now),
      isReadOnly: await this.connection.isReadOnly(),
      missing: known.filter((name) => !applied.includes(name)),
      newest: applied.at(-1) ?? null,
      ahead: applied.filter((name) => !known.includes(name)),
      sessions: await this.sessions(),
    };
  }

  /** Lists our tables, the largest first. */
  async storage(): Promise<TableOnDisk[]> {
    const { rows } = await this.pool.query<TableOnDisk>(
      `SELECT coalesce(pg_partition_root(oid), oid)::regclass::text AS name,
              sum(pg_total_relation_size(oid))::bigint AS bytes, sum(greatest(reltuples, 0))::bigint AS rows
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       GROUP BY 1 ORDER BY bytes DESC, name`,
    );
    return rows;
  }

  /** @throws the driver's error when the replica cannot be reached. */
  async replica(url: string): Promise<ReplicaFacts> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ isReplica: boolean; replayed: string | null }>(
        `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn()::text AS replayed`,
      );
      const { isReplica, replayed } = rows[0]!;
      if (!isReplica || replayed === null) return { isReplica, lagBytes: null };
      const { rows: lags } = await this.pool.query<{ bytes: number | null }>(
        `SELECT CASE WHEN pg_is_in_recovery() THEN NULL
                ELSE greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), $1), 0)::bigint END AS bytes`,
        [replayed],
      );
      return { isReplica, lagBytes: lags[0]?.bytes ?? null };
    } finally {
      await client.end();
    }
  }

  private async applied(): Promise<string[]> {
    const { rows: tables } = await this.pool.query<{ is: boolean }>(
      `SELECT to_regclass('schema_migration') IS NOT NULL AS is`,
    );
    if (tables[0]?.is !== true) return [];
    const { rows } = await this.pool.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY id');
    return rows.map(({ name }) => name);
  }

  /** The connections of our programs, by their application names, which every role may see. */
  private async sessions(): Promise<ProgramSessions[]> {
    const { rows } = await this.pool.query<ProgramSessions>(
      `SELECT split_part(substr(application_name, 12), ' ', 1) AS program,
              nullif(split_part(application_name, ' ', 2), '') AS release, usename::text AS role, count(*)::int AS count,
              count(DISTINCT application_name)::int AS processes
       FROM pg_stat_activity
       WHERE datname = current_database() AND application_name ~ '^passerelle-(api|ingestor|console)( |$)'
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );
    return rows;
  }
}
