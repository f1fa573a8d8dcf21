import { type SecretBox, sealedAnew } from '@passerelle/domain';
import type { Pool } from 'pg';

export interface Resealed {
  sealed: number;
  /** The number of rows that no key opens; they are not changed. */
  unreadable: number;
}

/** Reseals rows one by one with the present key. @param columns a row is skipped when the first column is null */
export async function resealRows(
  pool: Pool,
  box: SecretBox,
  table: 'call_address' | 'notification_channel' | 'outbox' | 'placement' | 'webhook_endpoint',
  columns: readonly ('address' | 'credentials' | 'sealed' | 'secret' | 'old_secret')[],
): Promise<Resealed> {
  const [first = 'sealed'] = columns;
  const { rows } = await pool.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${first} IS NOT NULL ORDER BY id`);
  let unreadable = 0;
  for (const { id } of rows) {
    const found = await pool.query<Record<string, Buffer | null>>(`SELECT * FROM ${table} WHERE id = $1`, [id]);
    const present = columns.map((column) => found.rows[0]?.[column] ?? null);
    const resealed = present.map((sealed) => (sealed === null ? null : sealedAnew(box, sealed)));
    if (resealed.includes(undefined)) {
      unreadable += 1;
      continue;
    }
    const values = columns.map((column, index) => `${column} = $${index + 3}`).join(', ');
    await pool.query(`UPDATE ${table} SET ${values} WHERE id = $1 AND ${first} = $2`, [id, present[0], ...resealed]);
  }
  return { sealed: rows.length - unreadable, unreadable };
}
