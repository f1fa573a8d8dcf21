import { Pool } from 'pg';

/** The note of an operator about a gateway in trouble, with who takes care of it. */
export interface FollowUp {
  gatewayId: number;
  note: string;
  /** The operator who takes care of it. */
  assignee: string | null;
  /** ISO 8601: until then it is not among the decisions, and no reminder is sent. */
  snoozedUntil: string | null;
  by: string;
  at: string;
}

export class FollowUps {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<FollowUp[]> {
    const { rows } = await this.pool.query<FollowUp>(`${SELECT} ORDER BY gateway_id`);
    return rows;
  }

  async find(gatewayId: number): Promise<FollowUp | null> {
    const { rows } = await this.pool.query<FollowUp>(`${SELECT} WHERE gateway_id = $1`, [gatewayId]);
    return rows[0] ?? null;
  }

  /** Replaces the previous one. */
  async save({ gatewayId, note, assignee, snoozedUntil, by }: Omit<FollowUp, 'at'>): Promise<void> {
    await this.pool.query(
      `INSERT INTO follow_up (gateway_id, note, assignee, snoozed_until, written_by) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (gateway_id) DO UPDATE SET note = excluded.note, assignee = excluded.assignee,
         snoozed_until = excluded.snoozed_until, written_by = excluded.written_by, written_at = now()`,
      [gatewayId, note, assignee, snoozedUntil, by],
    );
  }

  /** @returns false when there is none */
  async remove(gatewayId: number): Promise<boolean> {
    const { rowCount } = await this.pool.query('DELETE FROM follow_up WHERE gateway_id = $1', [gatewayId]);
    return rowCount === 1;
  }
}

const SELECT = `SELECT gateway_id AS "gatewayId", note, assignee, to_json(snoozed_until) #>> '{}' AS "snoozedUntil",
  written_by AS by, to_json(written_at) #>> '{}' AS at FROM follow_up`;
