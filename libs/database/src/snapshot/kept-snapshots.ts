import { Pool } from 'pg';
import { snapshotJson, type PublishedSnapshot } from '../gateway/served-gateways';
import { Injectable } from '@nestjs/common';

/** A published snapshot of which the token is still known. */
export interface KeptSnapshot extends PublishedSnapshot {
  /** Whether its listings can still be read; if not, only its changes can. */
  isReadable: boolean;
}

/** What a token may look like: anything else was never given out, and may not even be text to the database. */
const TOKEN = /^[A-Za-z0-9_-]{1,32}$/;

/** The published snapshots of gateways by their tokens. */
@Injectable()
export class KeptSnapshots {
  constructor(private readonly pool: Pool) {}

  /** @returns null for a token that was never given out for this gateway, or is forgotten. */
  async find(gatewayId: number, token: string): Promise<KeptSnapshot | null> {
    if (!TOKEN.test(token)) return null;
    const { rows } = await this.pool.query<{ snapshot: PublishedSnapshot; isReadable: boolean }>({
      name: 'kept-snapshot',
      text: `SELECT ${snapshotJson('s')} AS snapshot, s.pruned_at IS NULL AS "isReadable"
             FROM snapshot s WHERE s.gateway_id = $1 AND s.token = $2 AND s.published_at IS NOT NULL`,
      values: [gatewayId, token],
    });
    const row = rows[0];
    return row === undefined ? null : { ...row.snapshot, isReadable: row.isReadable };
  }
}
