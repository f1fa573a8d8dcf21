import pg from 'pg';
import { clientWithTimeout } from './client-with-timeout';

type Query = (...parameters: unknown[]) => unknown;

/** Behind a pooler in transaction mode, a named statement may reach a session that did not prepare it. */
class UnpreparedClient extends pg.Client {
  // The driver's method has a dozen signatures, and all begin with the query.
  override query = ((query: unknown, ...rest: unknown[]): unknown => {
    const send = pg.Client.prototype.query.bind(this) as unknown as Query;
    return send(hasName(query) ? { ...query, name: undefined } : query, ...rest);
  }) as pg.Client['query'];
}

/** Whether a query has a name. A query with its own `submit` method chooses its messages itself. */
function hasName(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
}

export interface DatabaseOptions {
  url: string;
  /** The address of the server itself when `url` leads to a pooler in transaction mode; null without a pooler. */
  directUrl?: string | null;
  applicationName: string;
  poolSize?: number;
  /** Longer statements fail; 0 for no limit. */
  statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** Behind a pooler the role's timeout applies; none of our roles has a longer one (`roles.ts`). */
const POOLED_TIMEOUT_MS = 120_000;
/** The server reports a statement timeout within this time. */
const ANSWER_MS = 5_000;
/** The idle time of a connection before keep-alive probes check that the server still answers. */
const TRIED_AFTER_MS = 10_000;

type ConnectionSettings = pg.ClientConfig & { Client: typeof pg.Client };

export function connectionSettings({
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  directUrl = null,
}: DatabaseOptions): ConnectionSettings {
  const Base = directUrl === null ? pg.Client : UnpreparedClient;
  const longestMs = directUrl === null ? statementTimeoutMs : Math.max(statementTimeoutMs, POOLED_TIMEOUT_MS);
  const common = {
    types: columnTypes(),
    Client: statementTimeoutMs === 0 ? Base : clientWithTimeout(longestMs + ANSWER_MS, Base),
    connectionTimeoutMillis: 5_000,
    // Keep-alive probes detect an idle connection that is broken; the pool replaces it.
    keepAlive: true,
    keepAliveInitialDelayMillis: TRIED_AFTER_MS,
  };
  // Behind a pooler, a session's settings do not reach the next session, so the role has the settings (`roles.ts`).
  if (directUrl !== null) return common;
  return {
    ...common,
    // `search_path`: other roles may create schemas. `jit`: compiling over all parts takes longer than executing.
    options: '-c TimeZone=UTC -c search_path=public -c jit=off',
    statement_timeout: statementTimeoutMs,
  };
}

/** Object id of the type `bigint[]`, which the driver's own list lacks. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the driver takes any object id
const INT8_ARRAY = 1016 as typeof pg.types.builtins.INT8;

/** A time with the microseconds of PostgreSQL; as JSON it is ISO 8601 in UTC. */
export class Timestamp extends Date {
  constructor(private readonly text: string) {
    super(text);
  }

  override toJSON(): string {
    return this.text;
  }
}

/** How columns become values on our connections. The driver's global parsers are not changed: other packages rely on them. */
export function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  const { INT8, DATE, TIMESTAMPTZ } = pg.types.builtins;
  // Identifiers and byte counts stay far below 2^53. A date has no time zone: as a Date it could shift by a day.
  types.setTypeParser(INT8, Number);
  const parseTextArray = pg.types.getTypeParser(INT8_ARRAY) as (text: string) => string[];
  types.setTypeParser(INT8_ARRAY, (text: string) => parseTextArray(text).map(Number));
  types.setTypeParser(DATE, (text: string) => text);
  types.setTypeParser(TIMESTAMPTZ, (text: string) => new Timestamp(`${text.replace(' ', 'T')}:00`));
  return types;
}
