import { Pool } from 'pg';

export interface SavedView {
  name: string;
  /** The query string of the search's address; '' for all gateways. */
  query: string;
  savedBy: string;
}

/** Searches that operators save, shared by all of them. */
export class SavedViews {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<SavedView[]> {
    const { rows } = await this.pool.query<SavedView>(
      'SELECT name, query, saved_by AS "savedBy" FROM saved_view ORDER BY name',
    );
    return rows;
  }

  /** Replaces the view of the same name. @returns false when the limit is reached. */
  async save({ name, query, savedBy }: SavedView, most: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO saved_view (name, query, saved_by)
       SELECT $1, $2, $3 WHERE (SELECT count(*) FROM saved_view WHERE name <> $1) < $4
       ON CONFLICT (name) DO UPDATE SET query = excluded.query, saved_by = excluded.saved_by, saved_at = now()`,
      [name, query, savedBy, most],
    );
    return rowCount === 1;
  }

  /** @returns false when there is no such view. */
  async remove(name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('DELETE FROM saved_view WHERE name = $1', [name]);
    return rowCount === 1;
  }
}
