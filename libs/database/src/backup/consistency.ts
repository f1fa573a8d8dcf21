import pg from 'pg';
import { BackupRefused, shown } from './manifest';

/** An inconsistency between rows that the product never writes. */
interface RowFault {
  /** The text that follows the table's name in the message. */
  says: string;
  table: string;
  /** Builds SQL that selects one text per wrong row. @param table the name of the loaded table, escaped */
  query: (table: (name: string) => string) => string;
}

const FAULTS: readonly RowFault[] = [
  ...['listing_normalized', 'listing_raw'].map((name): RowFault => ({
    ...{ table: name, says: 'has the text of another listing under' },
    query: (table) =>
      `SELECT v.aff_id FROM ${table(name)} b JOIN ${table('listing_version')} v
         ON v.gateway_id = b.gateway_id AND v.id = b.version_id
       WHERE b.body::json ->> 'affId' IS DISTINCT FROM v.aff_id`,
  })),
  {
    ...{
      table: 'gateway',
      says: 'names as current a snapshot that was not published, is gone or is not its own: gateway',
    },
    query: (table) =>
      `SELECT g.client FROM ${table('gateway')} g WHERE g.current_snapshot_id IS NOT NULL AND NOT EXISTS (
         SELECT FROM ${table('snapshot')} s WHERE s.id = g.current_snapshot_id AND s.gateway_id = g.id
           AND s.published_at IS NOT NULL AND s.pruned_at IS NULL)`,
  },
  {
    ...{ table: 'snapshot', says: 'has another number of listings than it counts: snapshot' },
    query: (table) =>
      `SELECT s.id::text FROM ${table('gateway')} g JOIN ${table('snapshot')} s ON s.id = g.current_snapshot_id
       WHERE s.total <> (SELECT coalesce(sum(cardinality(c.version_ids)), 0) FROM ${table('snapshot_chunk')} c
         WHERE c.gateway_id = g.id AND c.snapshot_id = s.id)`,
  },
  {
    ...{
      table: 'snapshot_chunk',
      says: 'names a listing of the current list that is not in the file, or lacks its texts: version',
    },
    query: (table) => `SELECT l.id::text FROM ${listed(table)} l
       WHERE NOT EXISTS (SELECT FROM ${table('listing_version')} v WHERE v.gateway_id = l.gateway_id AND v.id = l.id)
          OR NOT EXISTS (SELECT FROM ${table('listing_normalized')} n WHERE n.gateway_id = l.gateway_id AND n.version_id = l.id)
          OR NOT EXISTS (SELECT FROM ${table('listing_raw')} r WHERE r.gateway_id = l.gateway_id AND r.version_id = l.id)`,
  },
  {
    ...{ table: 'snapshot_chunk', says: 'has a listing of the current list twice: listing' },
    query: (table) =>
      `SELECT min(v.aff_id) FROM ${listed(table)} l JOIN ${table('listing_version')} v
         ON v.gateway_id = l.gateway_id AND v.id = l.id
       GROUP BY l.gateway_id, v.aff_id HAVING count(*) > 1`,
  },
  {
    ...{ table: 'current_listing', says: 'has a listing that is not in the current list: listing' },
    query: (table) =>
      `SELECT c.aff_id FROM ${table('current_listing')} c WHERE NOT EXISTS (
         SELECT FROM ${table('listing_version')} v WHERE v.gateway_id = c.gateway_id AND v.id = c.version_id AND v.aff_id = c.aff_id)
       UNION ALL
       (SELECT c.version_id::text FROM ${table('current_listing')} c
        EXCEPT SELECT l.id::text FROM ${listed(table)} l)`,
  },
  {
    ...{ table: 'run', says: 'names a snapshot of another gateway: run' },
    query: (table) =>
      `SELECT r.id::text FROM ${table('run')} r JOIN ${table('snapshot')} s ON s.id = r.snapshot_id
       WHERE s.gateway_id <> r.gateway_id`,
  },
  {
    ...{ table: 'snapshot', says: 'names a run of another gateway: snapshot' },
    query: (table) =>
      `SELECT s.id::text FROM ${table('snapshot')} s JOIN ${table('run')} r ON r.id = s.run_id
       WHERE s.gateway_id <> r.gateway_id`,
  },
];

/** SQL that selects the versions listed in current snapshots. */
function listed(table: (name: string) => string): string {
  return `(SELECT g.id AS gateway_id, unnest(c.version_ids) AS id FROM ${table('gateway')} g
           JOIN ${table('snapshot_chunk')} c ON c.gateway_id = g.id AND c.snapshot_id = g.current_snapshot_id)`;
}

/** Checks `FAULTS`, which digests and constraints miss. @param prefix of the loaded tables @throws BackupRefused */
export async function assertConsistent(
  client: pg.Client,
  prefix: string,
  path: (table: string) => string,
): Promise<void> {
  for (const { table, says, query } of FAULTS) {
    const { rows } = await client.query<{ row: string | null }>({
      text: `SELECT f.row::text AS row FROM (${query((name) => pg.escapeIdentifier(`${prefix}${name}`))}) f (row) LIMIT 1`,
    });
    const [found] = rows;
    if (found !== undefined) throw new BackupRefused(`${path(table)} ${says} ${shown(found.row ?? '')}`);
  }
}
