import { MOST_WAITING_LEADS } from '@passerelle/domain';
import { Pool } from 'pg';

export interface NewLead {
  gatewayId: number;
  /** A UUID. A second request with the same token adds no second lead. */
  token: string;
  affId: string | null;
  sealed: Buffer;
}

/** Enquiries of visitors. */
export class ReceivedLeads {
  constructor(private readonly pool: Pool) {}

  /** A known token changes nothing. @returns when the lead first arrived, ISO 8601; null when too many leads wait */
  async add({ gatewayId, token, affId, sealed }: NewLead): Promise<string | null> {
    const { rows } = await this.pool.query<{ receivedAt: string | null }>({
      name: 'add-lead',
      text: `SELECT to_json(add_lead($1, $2, $3, $4, ${MOST_WAITING_LEADS})) #>> '{}' AS "receivedAt"`,
      values: [gatewayId, token, affId, sealed],
    });
    return rows[0]?.receivedAt ?? null;
  }
}
