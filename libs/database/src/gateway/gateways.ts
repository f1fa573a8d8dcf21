import { randomBytes } from 'node:crypto';
import {
  ALL_TERMS,
  type AuditEntry,
  type GatewayPause,
  type GatewaySettings,
  type KeyTerms,
  openSource,
  parseGatewaySettings,
  type SecretBox,
  storeSource,
  type StoredSource,
} from '@passerelle/domain';
import { Pool } from 'pg';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { type ApiKeyEntity, GatewayEntity, ScheduleEntity } from '../entities/gateway.entity';
import { type GatewayDetails, loadDetails } from './gateway-details';
import { auditRows, insertAudit } from '../operator/audit';
import { LAST_TO_END, PAUSE_JSON } from './pause-sql';

export interface NewGateway extends Omit<StoredSource, 'sealedSource'> {
  crm: string;
  client: string;
  /** Absent when the source is stored unsealed. */
  sealedSource?: Buffer | null;
  /** Sealed. */
  credentials: Buffer | null;
  everySeconds: number | null;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
}

export interface NewApiKey extends Partial<KeyTerms> {
  hash: Buffer;
  /** The name of the secret that made the hash; absent for the installation's own secret. */
  keyId?: string | null;
  prefix: string;
}

/** An operator's change of a gateway. An absent member changes nothing. */
export interface GatewayChange {
  sourceUrl?: string;
  /** Merged into the existing settings; a setting with the same name is replaced. */
  settings?: Record<string, string>;
  unsetSettings?: readonly string[];
  /** Sealed credentials, which replace all existing ones; null for none. */
  credentials?: Buffer | null;
  everySeconds?: number | null;
  contractEnd?: string | null;
}

export interface Gateway {
  id: number;
  crm: string;
  client: string;
  sourceUrl: string;
  settings: GatewaySettings;
  sourceSettings: Record<string, string>;
  sealedSource: Buffer | null;
  credentials: Buffer | null;
  enabled: boolean;
  contractEnd: string | null;
  paused: GatewayPause | null;
  currentSnapshotId: number | null;
  currentTotal: number;
  feedMemory: object;
  /** Whether the current snapshot keeps listings whose records are unreadable. */
  hasKept: boolean;
  /** Whether an operator reverted to an earlier snapshot, so that no run may undo the revert. */
  isGuarded: boolean;
}

export class GatewayExists extends Error {
  override readonly name = 'GatewayExists';
}

const UNIQUE_VIOLATION = '23505';

export class Gateways {
  private readonly gateways: Repository<GatewayEntity>;

  constructor(
    private readonly pool: Pool,
    source: DataSource,
  ) {
    this.gateways = source.getRepository(GatewayEntity);
  }

  /** @param audited in the same transaction: a later failure would hide the new key forever @throws GatewayExists */
  async add(gateway: NewGateway, key: NewApiKey, audited: readonly AuditEntry[] = []): Promise<number> {
    const { hash, keyedHash = null, keyId = null, prefix, scope, networks } = toKeyRow(key);
    try {
      const { rows } = await this.pool.query<{ id: number }>(
        `WITH audited AS (${insertAudit('$15')})
         SELECT add_gateway($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS id`,
        [
          ...[gateway.crm, gateway.client, gateway.sourceUrl, JSON.stringify(gateway.settings)],
          ...[gateway.sealedSource ?? null, gateway.credentials, gateway.everySeconds, gateway.contractEnd],
          ...[hash, keyedHash, keyId, prefix, scope, networks, auditRows(audited)],
        ],
      );
      return rows[0]!.id;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new GatewayExists(`the gateway ${gateway.crm}/${gateway.client} exists already: "gateway set" changes it`);
    }
  }

  async list(): Promise<GatewayDetails[]> {
    return loadDetails(this.gateways, null);
  }

  async find(crm: string, client: string): Promise<GatewayDetails | null> {
    const [gateway] = await loadDetails(this.gateways, { crm, client });
    return gateway ?? null;
  }

  /** Makes the gateway due immediately. @param box required when the source is already sealed @throws SourceSealed */
  async change(id: number, change: GatewayChange, box: SecretBox | null = null): Promise<void> {
    const { sourceUrl, settings, unsetSettings, ...columns } = change;
    await this.gateways.manager.transaction(async (transaction) => {
      const gateway = await findLocked(transaction, id);
      if (gateway === null) return;
      if (sourceUrl !== undefined || settings !== undefined || unsetSettings !== undefined) {
        const source = openSource(gateway, box);
        const left = Object.entries(source.settings).filter(([name]) => unsetSettings?.includes(name) !== true);
        const changed = { url: sourceUrl ?? source.url, settings: { ...Object.fromEntries(left), ...settings } };
        Object.assign(gateway, storeSource(changed, box));
      }
      await transaction.save(Object.assign(gateway, columns));
      await makeDue(transaction, id);
    });
  }

  /** Also seals secrets that are not sealed yet. @throws Error when the box cannot open a secret */
  async reseal(id: number, box: SecretBox): Promise<void> {
    await this.gateways.manager.transaction(async (transaction) => {
      const gateway = await findLocked(transaction, id);
      if (gateway === null) return;
      const { credentials } = gateway;
      await transaction.save(
        Object.assign(gateway, {
          ...storeSource(openSource(gateway, box), box),
          credentials: credentials === null ? null : box.seal(box.open(credentials)),
        }),
      );
    });
  }

  /** Lists gateways whose source or credentials `box` cannot open; null for no box. */
  async listUnreadable(box: SecretBox | null): Promise<{ crm: string; client: string }[]> {
    const all = await this.gateways.find({
      select: {
        id: true,
        crm: true,
        client: true,
        sourceUrl: true,
        settings: true,
        sealedSource: true,
        credentials: true,
      },
      order: { crm: 'ASC', client: 'ASC' },
    });
    return all.filter((gateway) => !isReadable(gateway, box)).map(({ crm, client }) => ({ crm, client }));
  }

  async setEnabled(id: number, enabled: boolean): Promise<void> {
    await this.gateways.update({ id }, { enabled });
    if (enabled) await makeDue(this.gateways.manager, id);
  }

  /** Points a gateway to another source of the same listings. */
  async setSource(id: number, source: StoredSource & Pick<NewGateway, 'credentials'>): Promise<void> {
    await this.gateways.update({ id }, source);
  }

  /** Waiting leads prevent the removal unless `withLeads`. @returns the number of waiting leads; 0 means removed */
  async remove(id: number, { withLeads = false }: { withLeads?: boolean } = {}): Promise<number> {
    const { rows } = await this.pool.query<{ waiting: number }>('SELECT remove_gateway($1, $2) AS waiting', [
      id,
      withLeads,
    ]);
    return rows[0]!.waiting;
  }

  /** Keys of this scope end within `overlapSeconds`; keys of both scopes too, when newer keys cover both scopes. */
  async rotateKey(id: number, key: NewApiKey, overlapSeconds: number): Promise<void> {
    const { hash, keyedHash = null, keyId = null, prefix, scope, networks } = toKeyRow(key);
    await this.pool.query('SELECT rotate_api_key($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[id, hash, keyedHash, keyId, prefix, scope, networks, overlapSeconds],
    ]);
  }

  /** Ends a key immediately. @returns false when the gateway has no such key, or it has ended */
  async revokeKey(id: number, keyId: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ isRevoked: boolean }>('SELECT revoke_api_key($1, $2) AS "isRevoked"', [
      id,
      keyId,
    ]);
    return rows[0]?.isRevoked === true;
  }

  async loadForIngest(id: number): Promise<Gateway | null> {
    const { rows } = await this.pool.query<GatewayRow>({
      name: 'gateway-for-ingest',
      text: `
        SELECT g.id, g.crm, g.client, g.source_url AS "sourceUrl", g.sealed_source AS "sealedSource", g.credentials,
               g.enabled, g.contract_end AS "contractEnd", g.current_snapshot_id AS "currentSnapshotId",
               g.feed_memory AS "feedMemory", g.settings AS "sourceSettings", coalesce(s.total, 0) AS "currentTotal",
               EXISTS (SELECT FROM kept_listing k WHERE k.gateway_id = g.id) AS "hasKept",
               EXISTS (SELECT FROM revert_guard w WHERE w.gateway_id = g.id) AS "isGuarded",
               (SELECT ${PAUSE_JSON} FROM gateway_pause p WHERE p.gateway_id = g.id ${LAST_TO_END} LIMIT 1) AS paused
        FROM gateway g LEFT JOIN snapshot s ON s.gateway_id = $1 AND s.id = g.current_snapshot_id
        WHERE g.id = $1`,
      values: [id],
    });
    const gateway = rows[0];
    return gateway === undefined ? null : { ...gateway, settings: parseGatewaySettings(gateway.sourceSettings) };
  }
}

type GatewayRow = Omit<Gateway, 'settings'>;

/** `hash` gets random bytes, so that releases without key ids, which expect 32 bytes there, reject the key. */
function toKeyRow(
  key: NewApiKey,
): Pick<ApiKeyEntity, 'hash' | 'prefix' | 'scope' | 'networks'> & Partial<ApiKeyEntity> {
  const { hash, keyId = null, prefix, scope = ALL_TERMS.scope, networks = null } = key;
  const row = { prefix, scope, networks: networks === null ? null : [...networks] };
  return keyId === null ? { ...row, hash } : { ...row, hash: randomBytes(32), keyedHash: hash, keyId };
}

function findLocked(transaction: EntityManager, id: number): Promise<GatewayEntity | null> {
  return transaction.findOne(GatewayEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

async function makeDue(manager: EntityManager, gatewayId: number): Promise<void> {
  await manager.update(ScheduleEntity, { gatewayId }, { nextRunAt: () => 'now()' });
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === UNIQUE_VIOLATION;
}

function isReadable(gateway: GatewayEntity, box: SecretBox | null): boolean {
  try {
    openSource(gateway, box);
    if (gateway.credentials === null) return true;
    box?.open(gateway.credentials);
    return box !== null;
  } catch {
    return false;
  }
}
