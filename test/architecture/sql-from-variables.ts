const SQL_OF_CALLER = 'SQL that callers in this file write; values go by parameters';
const SCHEMA = 'a name of GATEWAY_TABLES, which the code declares';
const PARTITIONS = 'a name, key or setting of PARTITIONED_TABLES, which the code declares';
const ROLE = 'the name of a role, escaped by updateRole';
const GRANT = 'a name or privilege of grants.ts';
const FRAGMENT = 'SQL or an alias that callers write as a constant';
const COLUMNS = 'columns that are compared with the catalogue, each escaped';
const FORMAT = 'one of two constants; the format is checked where the request is read';

/**
 * Every expression whose value becomes part of a statement, per file, with the reason why it cannot contain text from
 * outside. Not listed: migrations, calls with constants only, and the results of `escapeIdentifier`, `escapeLiteral`
 * and `integers`.
 */
export const SQL_FROM_VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'libs/database/src/data-source.ts': { privilege: 'a constant of NEEDED, by the part that connects' },
  'libs/database/src/backup/consistency.ts': {
    'table(name)': 'the name of a table in this file, escaped',
    'listed(table)': 'SQL of this file over escaped names',
    'query((name) => pg.escapeIdentifier(`${prefix}${name}`))': 'SQL of this file over escaped names',
  },
  'libs/database/src/backup/gateway-import.ts': {
    table: SCHEMA,
    columns: COLUMNS,
    "stored.map((column) => pg.escapeIdentifier(column)).join(', ')": COLUMNS,
    "values.join(', ')": COLUMNS,
    order: 'one of two constants',
    "numberOf(named, 'u.old')": SCHEMA,
    old: COLUMNS,
  },
  'libs/database/src/backup/gateway-tables.ts': {
    'gateways.join()': 'identifiers, which the database gave as integers',
    table: SCHEMA,
    'ofGateways.key': SCHEMA,
    key: SCHEMA,
    of: SCHEMA,
    ids: 'identifiers, which the database gave as integers',
  },
  'libs/database/src/backup/restore-backup.ts': {
    'listOf(emptied)': 'names of the catalogue, each escaped',
    'listOf(tables)': 'names of the catalogue, each escaped',
    names: COLUMNS,
    how: 'one of two constants',
  },
  'libs/database/src/backup/take-backup.ts': {
    names: 'columns of the catalogue, each escaped',
    source: 'a table of the schema and identifiers, from gateway-tables.ts',
  },
  'libs/database/src/copy/copy-in.ts': { table: 'a table and its columns, constants of version-copies.ts' },
  'libs/database/src/copy/copy-out.ts': { query: 'SQL of the callers, whose numbers pass integers()' },
  'libs/database/src/gateway/gateway-summaries.ts': {
    snapshot: FRAGMENT,
    ofGateway: FRAGMENT,
    ofSnapshot: FRAGMENT,
  },
  'libs/database/src/gateway/served-gateways.ts': { recent: SQL_OF_CALLER },
  'libs/database/src/listing/served-listings.ts': {
    "joinText(BODY_TABLE[format], 'b', 'f.version_id')": FORMAT,
    'versionsByReference()': 'SQL of constants',
    'BODY_TABLE[format]': FORMAT,
  },
  'libs/database/src/listing/snapshot-changes.ts': {
    'NET_CHANGES[range.format]': FORMAT,
    "joinText(`listing_${range.format}`, 'b', 'p.version_id')": FORMAT,
    'DIFFERS[format]': FORMAT,
  },
  'libs/database/src/operator/audit.ts': { parameter: 'the number of a parameter, such as $1' },
  'libs/database/src/operator/operators.ts': { assignments: SQL_OF_CALLER },
  'libs/database/src/partitions/divide.ts': {
    name: PARTITIONS,
    constraint: PARTITIONS,
    key: PARTITIONS,
    'partitionName(name, partition)': PARTITIONS,
    partitions: 'a number: the setting DATABASE_PARTITIONS',
    partition: 'a number below the number of partitions',
    "settings.join(', ')": PARTITIONS,
  },
  'libs/database/src/partitions/text-storage.ts': {
    table: PARTITIONS,
    compression: 'one of two constants',
    'isPlain ? WHOLE : COMPRESSED': 'one of two constants',
  },
  'libs/database/src/partitions/partitioned-tables.ts': {
    'partitionName(name, partition)': PARTITIONS,
    constraint: PARTITIONS,
    column: PARTITIONS,
    'partitionName(table, partition)': PARTITIONS,
    action: PARTITIONS,
    validity: FRAGMENT,
    "columns === form ? '' : 'UNIQUE '": 'one of two constants',
    how: FRAGMENT,
    index: PARTITIONS,
    table: PARTITIONS,
    columns: PARTITIONS,
    name: PARTITIONS,
    key: PARTITIONS,
  },
  'libs/database/src/roles/roles.ts': {
    quoted: ROLE,
    of: 'a role and a database, both escaped',
    'STATEMENT_TIMEOUT[role]': 'a constant for each role',
    table: GRANT,
    'grants[role]': GRANT,
    sequence: GRANT,
    role: ROLE,
  },
  'libs/database/src/run/run-cleaning.ts': { 'Number.MAX_SAFE_INTEGER': 'a constant' },
  'libs/database/src/run/run-comparison.ts': { gatewayId: SQL_OF_CALLER, versionId: SQL_OF_CALLER },
  'libs/database/src/run/run-outcomes.ts': {
    time: FRAGMENT,
    "LISTING_COUNTS.map((name) => `sum(${name}) FILTER (WHERE state = 'published') AS ${name}`).join(', ')":
      'constants of this file',
    "LISTING_COUNTS.map((name) => `coalesce(sum(e.${name}), 0)::int AS ${name}`).join(', ')": 'constants of this file',
    name: 'a constant of this file',
  },
  'libs/database/src/run/run-requests.ts': { insert: SQL_OF_CALLER },
  'libs/database/src/snapshot/publish.ts': { onConflict: 'one of two constants', newer: FRAGMENT },
  'libs/database/src/snapshot/relisted.ts': { body: FRAGMENT, version: FRAGMENT, pairs: FRAGMENT },
  'libs/database/src/snapshot/version-sql.ts': {
    ids: FRAGMENT,
    snapshot: FRAGMENT,
    reference: FRAGMENT,
    'versionsAt(ids, snapshot)': FRAGMENT,
    table: 'one of two constants, by its type',
    gateway: FRAGMENT,
    version: FRAGMENT,
    alias: FRAGMENT,
  },
  'libs/database/src/operator/sign-ins.ts': {
    links: 'SQL of constants',
  },
  'libs/database/src/run/stored-times.ts': {
    table: 'a constant of STORED_TIMES',
    column: 'a constant of STORED_TIMES',
    past: 'a constant of STORED_TIMES',
    furthestSeconds: 'a constant of STORED_TIMES',
    where: 'a constant of STORED_TIMES',
  },
  'libs/database/src/reseal.ts': {
    table: 'one of three constants',
    first: 'one of three constants',
    values: 'three constants and numbers of parameters',
  },
  'libs/database/src/outbox/outbox.ts': {
    column: 'one of four constants',
    isDue: 'constants of the same function',
    which: FRAGMENT,
    limit: 'the name of a parameter',
  },
  'libs/database/src/notification/notices.ts': {
    table: 'a constant of NOTICE_TABLES in this file',
    column: 'a constant of NOTICE_TABLES in this file',
    type: 'a constant of NOTICE_TABLES in this file',
    named: 'a constant of the same function',
    isNamed: 'a constant of the same function',
    daysLeft: FRAGMENT,
  },
  'libs/database/src/outbox/source-feedback.ts': { settled: 'a constant of the same function', condition: FRAGMENT },
  'libs/database/src/outbox/webhook-admin.ts': { message: 'one of two constants' },
  'libs/database/src/outbox/webhook-targets.ts': {
    MUST_END: 'constants of this file and a number',
    'WEBHOOK_FAILING_MS / 1000': 'a constant',
  },
  'libs/database/src/gateway/presented-keys.ts': { column: 'one of two constants' },
  'libs/database/src/snapshot/snapshot-writer.ts': {
    table: 'a constant of COPIED_COLUMNS',
    columns: 'a constant of COPIED_COLUMNS',
  },
  'libs/database/src/pagination/session-statements.ts': {
    now: FRAGMENT,
    walkSeconds: FRAGMENT,
    snapshot: FRAGMENT,
    'isUnderWay()': 'SQL of constants',
    milliseconds: FRAGMENT,
  },
  'tools/embedded/embedded-postgres.ts': { name: 'a constant of the embedded server' },
};
