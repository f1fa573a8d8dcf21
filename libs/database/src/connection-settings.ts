import type pg from 'pg';
import { columnTypes } from './entities/column-types';

export interface DatabaseOptions {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** How many connections this process opens at most. */
  poolSize?: number;
  /** Longer statements fail; 0 for no limit. */
  statementTimeoutMs?: number;
}

/** How all our connections behave. */
export function connectionSettings({ statementTimeoutMs }: DatabaseOptions): pg.ClientConfig {
  return {
    types: columnTypes(),
    // Times are printed in UTC whatever the server's own zone is. Names mean our tables, also where others may make schemas.
    options: '-c TimeZone=UTC -c search_path=public',
    statement_timeout: statementTimeoutMs ?? 30_000,
    connectionTimeoutMillis: 5_000,
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    keepAlive: true,
  };
}
