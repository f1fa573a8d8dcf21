import pg from 'pg';

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

/** Object id of the type `bigint[]`, which the driver's own list lacks. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the driver takes any object id
const INT8_ARRAY = 1016 as typeof pg.types.builtins.INT8;

/** A time as PostgreSQL keeps it, to the microsecond; as JSON it is ISO 8601 in UTC. */
export class Timestamp extends Date {
  constructor(private readonly text: string) {
    super(text);
  }

  override toJSON(): string {
    return this.text;
  }
}

/** How columns become values on our connections. The driver's global parsers stay as other packages expect them. */
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
