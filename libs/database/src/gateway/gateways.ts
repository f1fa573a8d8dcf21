import type { DataSource } from 'typeorm';
import { ApiKeyEntity, GatewayEntity } from './gateway.entity';

export interface NewGateway {
  crm: string;
  client: string;
  sourceUrl: string;
  settings: Record<string, string>;
  /** Sealed. */
  credentials: Buffer | null;
  everySeconds: number | null;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
}

export interface NewApiKey {
  hash: Buffer;
  prefix: string;
}

/** What an operator changes of a gateway; what is absent stays. */
export interface GatewayChange {
  sourceUrl?: string;
  /** Set beside the others. */
  settings?: Record<string, string>;
  unsetSettings?: readonly string[];
  /** Sealed; null for none. They take the place of all that were there. */
  credentials?: Buffer | null;
  everySeconds?: number | null;
  contractEnd?: string | null;
}

/** A gateway as operators see it. Times are ISO 8601 in UTC. */
export interface GatewayDetails {
  id: number;
  crm: string;
  client: string;
  /** Unmasked: mask it before it is shown. */
  sourceUrl: string;
  settings: Record<string, string>;
  hasCredentials: boolean;
  enabled: boolean;
  contractEnd: string | null;
  everySeconds: number | null;
  listings: number | null;
  snapshotId: number | null;
  publishedAt: string | null;
  confirmedAt: string | null;
  nextRunAt: string;
  missedRuns: number;
  failures: number;
  failingSince: string | null;
  /** Of the last failed run; null when the gateway does not fail. */
  failingReason: string | null;
  keys: { prefix: string; createdAt: string; expiresAt: string | null }[];
}

/** What a run needs to know of its gateway. */
export interface IngestGateway {
  id: number;
  crm: string;
  client: string;
  sourceUrl: string;
  settings: Record<string, string>;
  credentials: Buffer | null;
  enabled: boolean;
  contractEnd: string | null;
  currentSnapshotId: number | null;
  /** How many listings the current snapshot has. */
  currentTotal: number;
  feedMemory: Record<string, string>;
}

export class GatewayExists extends Error {
  override readonly name = 'GatewayExists';
}

const UNIQUE_VIOLATION = '23505';

/** Gateways and their API keys, for the operators' tools and the ingestor. */
export class Gateways {
  constructor(private readonly dataSource: DataSource) {}

  /** The secret under which this installation hashes API keys. */
  async keyPepper(): Promise<Buffer> {
    const [row] = await this.dataSource.query<{ key_pepper: Buffer }[]>('SELECT key_pepper FROM installation');
    if (row === undefined) throw new Error('the database has no installation row: run the migrations');
    return row.key_pepper;
  }

  /** @throws GatewayExists */
  async add(gateway: NewGateway, key: NewApiKey): Promise<number> {
    try {
      return await this.dataSource.transaction(async (transaction) => {
        const { id } = await transaction.save(
          GatewayEntity,
          transaction.create(GatewayEntity, { ...gateway, enabled: true }),
        );
        await transaction.save(ApiKeyEntity, { gateway: { id }, ...key, expiresAt: null });
        // Not at once: whoever adds a gateway asks for its first run, or its first reader does.
        await transaction.query(
          `INSERT INTO gateway_schedule (gateway_id, next_run_at)
           VALUES ($1, now() + make_interval(secs => 30 + 30 * random()))`,
          [id],
        );
        return id;
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw new GatewayExists(
          `the gateway ${gateway.crm}/${gateway.client} exists already: "gateway set" changes it`,
        );
      throw error;
    }
  }

  async list(): Promise<GatewayDetails[]> {
    return this.details('', []);
  }

  async find(crm: string, client: string): Promise<GatewayDetails | null> {
    const [gateway] = await this.details('WHERE g.crm = $1 AND g.client = $2', [crm, client]);
    return gateway ?? null;
  }

  /** Changes a gateway and makes it due, so that the change shows, and a gateway that waits after failures tries again. */
  async change(id: number, change: GatewayChange): Promise<void> {
    const { settings, unsetSettings, ...columns } = change;
    await this.dataSource.transaction(async (transaction) => {
      if (Object.keys(columns).length > 0) await transaction.update(GatewayEntity, { id }, columns);
      await transaction.query('UPDATE gateway SET settings = (settings - $2::text[]) || $3::jsonb WHERE id = $1', [
        id,
        unsetSettings ?? [],
        JSON.stringify(settings ?? {}),
      ]);
      await transaction.query('UPDATE gateway_schedule SET next_run_at = now() WHERE gateway_id = $1', [id]);
    });
  }

  async setEnabled(id: number, enabled: boolean): Promise<void> {
    await this.dataSource.getRepository(GatewayEntity).update({ id }, { enabled });
    if (enabled) {
      await this.dataSource.query('UPDATE gateway_schedule SET next_run_at = now() WHERE gateway_id = $1', [id]);
    }
  }

  /** Points a gateway to another source of the same listings. */
  async setSource(id: number, source: Pick<NewGateway, 'sourceUrl' | 'credentials'>): Promise<void> {
    await this.dataSource.getRepository(GatewayEntity).update({ id }, source);
  }

  /** Removes the gateway with its listings, runs and reports. */
  async remove(id: number): Promise<void> {
    await this.dataSource.getRepository(GatewayEntity).delete({ id });
  }

  /** Adds a key; the older ones end after `overlapSeconds`, or when they would have ended anyway. */
  async rotateKey(id: number, key: NewApiKey, overlapSeconds: number): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(
        `UPDATE api_key SET expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(secs => $2))
         WHERE gateway_id = $1`,
        [id, overlapSeconds],
      );
      await transaction.save(ApiKeyEntity, { gateway: { id }, ...key, expiresAt: null });
    });
  }

  async loadForIngest(id: number): Promise<IngestGateway | null> {
    const [gateway] = await this.dataSource.query<IngestGateway[]>(
      `SELECT id, crm, client, source_url AS "sourceUrl", settings, credentials, enabled, contract_end AS "contractEnd",
              current_snapshot_id AS "currentSnapshotId", feed_memory AS "feedMemory",
              coalesce((SELECT total FROM snapshot s WHERE s.id = current_snapshot_id), 0) AS "currentTotal"
       FROM gateway WHERE id = $1`,
      [id],
    );
    return gateway ?? null;
  }

  private async details(where: string, parameters: unknown[]): Promise<GatewayDetails[]> {
    return this.dataSource.query<GatewayDetails[]>(
      `SELECT g.id, g.crm, g.client, g.source_url AS "sourceUrl", g.settings,
              g.credentials IS NOT NULL AS "hasCredentials", g.enabled, g.contract_end AS "contractEnd",
              g.every_seconds AS "everySeconds", s.total AS listings, g.current_snapshot_id AS "snapshotId",
              to_json(s.published_at) AS "publishedAt", to_json(g.confirmed_at) AS "confirmedAt", to_json(t.next_run_at) AS "nextRunAt",
              t.missed_runs AS "missedRuns", t.failures, to_json(t.failing_since) AS "failingSince",
              CASE WHEN t.failures > 0 THEN (
                SELECT r.reason FROM run r WHERE r.gateway_id = g.id AND r.state = 'failed' AND NOT r.dry_run
                ORDER BY r.id DESC LIMIT 1) END AS "failingReason",
              (SELECT coalesce(json_agg(json_build_object(
                        'prefix', k.prefix, 'createdAt', k.created_at, 'expiresAt', k.expires_at) ORDER BY k.id), '[]')
               FROM api_key k WHERE k.gateway_id = g.id AND (k.expires_at IS NULL OR k.expires_at > now())) AS keys
       FROM gateway g
       JOIN gateway_schedule t ON t.gateway_id = g.id
       LEFT JOIN snapshot s ON s.id = g.current_snapshot_id
       ${where}
       ORDER BY g.crm, g.client`,
      parameters,
    );
  }
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === UNIQUE_VIOLATION;
}
