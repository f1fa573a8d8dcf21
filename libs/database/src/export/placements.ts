import type { ExportCounts, ExportHold, ExportResult, IdScheme, PlacementRule, SecretBox } from '@passerelle/domain';
import { Pool } from 'pg';
import { type Resealed, resealRows } from '../reseal';
import { inTransaction } from '../transaction';
import { EXPORT_NOW } from '../outbox/export-queue';

export interface PlacementContact {
  name?: string;
  email?: string;
  phone?: string;
}

/** The terms of a placement that operators choose. */
export interface PlacementTerms {
  contact: PlacementContact;
  rule: PlacementRule;
  embargoHours: number;
  idScheme: IdScheme;
  /** Ids of adverts by `affId`. */
  advertIds: Readonly<Record<string, string>>;
  /** ISO 639-1. */
  language: string;
  settings: Readonly<Record<string, string>>;
  isDryRun: boolean;
  keepsAfterContract: boolean;
}

export interface NewPlacement extends PlacementTerms {
  gatewayId: number;
  target: string;
  /** Sealed JSON of names and values; null for none. */
  credentials: Buffer | null;
  isOn: boolean;
}

/** A placement as operators see it, without credentials. Times are ISO 8601 in UTC. */
export interface Placement extends PlacementTerms {
  id: number;
  gatewayId: number;
  crm: string;
  client: string;
  target: string;
  isOn: boolean;
  isEnding: boolean;
  /** Whether work of its gateway is paused. */
  isPaused: boolean;
  held: ExportHold | null;
  heldAt: string | null;
  failures: number;
  failure: string | null;
  failingSince: string | null;
  exportedAt: string | null;
  result: ExportResult | null;
  counts: ExportCounts | null;
  /** Publications by state. */
  states: Readonly<Record<string, number>>;
}

export interface PlacementFilter {
  crm?: string;
  client?: string;
  target?: string;
  only?: PlacementTrouble;
}

/** The kinds of placements that need an operator. */
export const PLACEMENT_TROUBLES = ['held', 'failing', 'off'] as const;
export type PlacementTrouble = (typeof PLACEMENT_TROUBLES)[number];

const PLACEMENT = `p.id, p.gateway_id AS "gatewayId", g.crm, g.client, p.target, p.contact, p.rule, p.embargo_hours AS "embargoHours", p.id_scheme AS "idScheme", p.advert_ids AS "advertIds", p.language,
  p.settings, p.is_on AS "isOn", p.is_dry_run AS "isDryRun", p.keeps_after_contract AS "keepsAfterContract",
  p.is_ending AS "isEnding", EXISTS (SELECT FROM gateway_pause w WHERE w.gateway_id = p.gateway_id) AS "isPaused", p.held, to_json(p.held_at) #>> '{}' AS "heldAt", p.failures, p.failure,
  to_json(p.failing_since) #>> '{}' AS "failingSince", to_json(p.exported_at) #>> '{}' AS "exportedAt", p.result, p.counts,
  (SELECT coalesce(json_object_agg(s.state, s.count), '{}') FROM (
     SELECT state, count(*) AS count FROM publication u WHERE u.gateway_id = p.gateway_id AND u.placement_id = p.id GROUP BY state
   ) s) AS states`;

const FILTERED = `FROM placement p JOIN gateway g ON g.id = p.gateway_id
  WHERE ($1::text IS NULL OR g.crm = $1) AND ($2::text IS NULL OR g.client = $2) AND ($3::text IS NULL OR p.target = $3)
    AND CASE $4::text WHEN 'held' THEN p.held_at IS NOT NULL WHEN 'failing' THEN p.failing_since IS NOT NULL
      WHEN 'off' THEN NOT p.is_on ELSE true END`;

/** Placements, for operators. Each change queues an export. */
export class Placements {
  constructor(private readonly pool: Pool) {}

  async add(placement: NewPlacement): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO placement (gateway_id, target, credentials, is_on, contact, rule, embargo_hours, id_scheme, advert_ids, language,
           settings, is_dry_run, keeps_after_contract)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
        [placement.gatewayId, placement.target, placement.credentials, placement.isOn, ...termValues(placement)],
      );
      const id = rows[0]!.id;
      await client.query(`WITH ${EXPORT_NOW} SELECT FROM added`, [id, null]);
      return id;
    });
  }

  async list(filter: PlacementFilter = {}, offset = 0, limit: number | null = null): Promise<Placement[]> {
    const { rows } = await this.pool.query<Placement>(
      `SELECT ${PLACEMENT} ${FILTERED} ORDER BY g.crm, g.client, p.id OFFSET $5 LIMIT $6`,
      [...filterValues(filter), offset, limit],
    );
    return rows;
  }

  async count(filter: PlacementFilter): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count ${FILTERED}`,
      filterValues(filter),
    );
    return rows[0]?.count ?? 0;
  }

  /** The ids of placements with credentials; the console's role may not read this. */
  async withCredentials(): Promise<ReadonlySet<number>> {
    const { rows } = await this.pool.query<{ id: number }>('SELECT id FROM placement WHERE credentials IS NOT NULL');
    return new Set(rows.map(({ id }) => id));
  }

  async find(id: number): Promise<Placement | null> {
    const { rows } = await this.pool.query<Placement>(
      `SELECT ${PLACEMENT} FROM placement p JOIN gateway g ON g.id = p.gateway_id WHERE p.id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Sealed; null for none. */
  async credentials(id: number): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ credentials: Buffer | null }>(
      'SELECT credentials FROM placement WHERE id = $1',
      [id],
    );
    return rows[0]?.credentials ?? null;
  }

  /** @param credentials sealed; undefined leaves them. @returns false when there is no such placement */
  async set(id: number, terms: PlacementTerms, credentials?: Buffer): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE placement SET contact = $2, rule = $3, embargo_hours = $4, id_scheme = $5, advert_ids = $6, language = $7, settings = $8,
           is_dry_run = $9, keeps_after_contract = $10, credentials = coalesce($11, credentials), failures = 0, failing_since = NULL,
           failure = NULL
         WHERE id = $1`,
        [id, ...termValues(terms), credentials ?? null],
      );
      await client.query(`WITH ${EXPORT_NOW} SELECT FROM added`, [id, null]);
      return rowCount === 1;
    });
  }

  /** Switches a placement on or off. @returns false when there is no such placement */
  async setOn(id: number, isOn: boolean): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query('UPDATE placement SET is_on = $2 WHERE id = $1', [id, isOn]);
      if (isOn) await client.query(`WITH ${EXPORT_NOW} SELECT FROM added`, [id, null]);
      return rowCount === 1;
    });
  }

  /** Approves the removals that the hold of the last export names. @returns their number; null without a hold */
  async approve(id: number): Promise<number | null> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE placement SET held = NULL, held_at = NULL WHERE id = $1 AND held IS NOT NULL',
        [id],
      );
      if (rowCount !== 1) return null;
      const approved = await client.query(
        `UPDATE publication u SET removal = 'approved' FROM placement p
         WHERE p.id = $1 AND u.gateway_id = p.gateway_id AND u.placement_id = p.id AND u.removal = 'held'`,
        [id],
      );
      await client.query(`WITH ${EXPORT_NOW} SELECT FROM added`, [id, null]);
      return approved.rowCount ?? 0;
    });
  }

  /** Takes every advert offline, and then deletes the placement. @returns false when there is no such placement */
  async end(id: number): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE placement SET is_ending = true, is_on = true, is_dry_run = false, held = NULL WHERE id = $1',
        [id],
      );
      await client.query(`WITH ${EXPORT_NOW} SELECT FROM added`, [id, null]);
      return rowCount === 1;
    });
  }

  /** Deletes a placement and leaves its adverts at the portal. */
  async remove(id: number): Promise<boolean> {
    return (await this.pool.query('DELETE FROM placement WHERE id = $1', [id])).rowCount === 1;
  }

  /** @returns adverts of a gateway that portals may show, by target */
  async live(gatewayId: number): Promise<{ target: string; count: number }[]> {
    const { rows } = await this.pool.query<{ target: string; count: number }>(
      `SELECT p.target, count(*)::integer AS count FROM publication u JOIN placement p ON p.id = u.placement_id
       WHERE u.gateway_id = $1 AND (u.state IN ('sent', 'accepted', 'online', 'delivered', 'removing') OR u.portal_id IS NOT NULL)
       GROUP BY p.target ORDER BY p.target`,
      [gatewayId],
    );
    return rows;
  }

  reseal(box: SecretBox): Promise<Resealed> {
    return resealRows(this.pool, box, 'placement', ['credentials']);
  }
}

function filterValues({ crm, client, target, only }: PlacementFilter): unknown[] {
  return [crm, client, target, only].map((value) => value ?? null);
}

function termValues(terms: PlacementTerms): unknown[] {
  const json = (value: object): string => JSON.stringify(value);
  return [
    ...[
      json(terms.contact),
      json(terms.rule),
      terms.embargoHours,
      terms.idScheme,
      json(terms.advertIds),
      terms.language,
    ],
    ...[json(terms.settings), terms.isDryRun, terms.keepsAfterContract],
  ];
}
