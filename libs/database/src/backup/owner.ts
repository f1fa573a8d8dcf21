import type pg from 'pg';
import { BackupRefused } from './manifest';

/**
 * Only who owns the tables may read and empty all of them.
 *
 * @throws BackupRefused
 */
export async function assertOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isOwner: boolean; role: string; owner: string }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS "isOwner", current_user AS role, pg_get_userbyid(relowner) AS owner
     FROM pg_class WHERE oid = to_regclass('public.gateway')`,
  );
  const [row] = rows;
  if (row === undefined || row.isOwner) return;
  throw new BackupRefused(
    `the role ${row.role} may not read all tables: backup and restore need DATABASE_URL of ${row.owner}, who owns them`,
  );
}
