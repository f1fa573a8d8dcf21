import { TYPES_TRANSACTION } from '@passerelle/domain';
import type { PoolClient } from 'pg';

/** After this time the same house under another id is no longer taken for the same advert. */
const RELISTED_WITHIN_DAYS = 30;
const MOST_PRICE_CHANGE = 0.03;

/** SQL: what two adverts of one house have in common, and their price; null when a fact is missing. @param body JSON */
const HOUSE = (body: string): string => `
  concat_ws('|', ${body} ->> 'typeTransaction', ${body} ->> 'typeCode', ${body} ->> 'codePostal',
    lower(${body} ->> 'ville'), coalesce(${body} ->> 'surfaceHabitable', ${body} ->> 'surfaceTerrain'))`;
const PRICE = (body: string): string => `coalesce(${body} ->> 'prix', ${body} ->> 'loyer')::numeric`;
const IS_KNOWN = (body: string): string => `
  ${body} ->> 'typeTransaction' IS NOT NULL AND ${body} ->> 'typeCode' IS NOT NULL
  AND ${body} ->> 'codePostal' IS NOT NULL AND ${body} ->> 'ville' IS NOT NULL
  AND coalesce(${body} ->> 'surfaceHabitable', ${body} ->> 'surfaceTerrain') IS NOT NULL
  AND coalesce(${body} ->> 'prix', ${body} ->> 'loyer') IS NOT NULL`;

/** SQL: an id without the differences of exporters: capital letters, and zeros before numbers. */
const folded = (id: string): string => `regexp_replace(lower(btrim(${id})), '(^|[^0-9])0+(?=[0-9])', '\\1', 'g')`;

/** SQL: the id of a record whose further offer has this id. */
const ofRecord = (id: string): string => `regexp_replace(${id}, '-(${TYPES_TRANSACTION.join('|')})$', '')`;

/**
 * SQL: the text of a version as JSON, parsed once. PostgreSQL cannot read an escaped zero byte or half of a surrogate pair:
 * such a listing is not compared, and the list is published.
 */
const textOf = (version: string): string =>
  `(SELECT CASE WHEN body !~* '\\\\u(0000|d[89a-f])' THEN body::jsonb END
    FROM listing_normalized WHERE gateway_id = $1 AND version_id = ${version} OFFSET 0)`;

/** SQL: the changes of the snapshot $2 of one kind. */
const changes = (kind: 'added' | 'changed' | 'removed', alias: string): string =>
  `listing_change ${alias} WHERE ${alias}.gateway_id = $1 AND ${alias}.snapshot_id = $2 AND ${alias}.kind = '${kind}'`;

/**
 * Notes on the changes of a snapshot which former listing a new one replaces, if exactly one fits. Call it in the
 * publishing transaction, before the snapshot becomes current.
 */
export async function linkRelisted(client: PoolClient, gatewayId: number, snapshotId: number): Promise<void> {
  const ids = [gatewayId, snapshotId];
  const { rows } = await client.query<{ added: boolean; removed: boolean }>(
    `SELECT EXISTS (SELECT FROM ${changes('added', 'h')}) AS added, EXISTS (SELECT FROM ${changes('removed', 'h')}) AS removed`,
    ids,
  );
  const { added = false, removed = false } = rows[0] ?? {};
  if (added) {
    await client.query(
      `DELETE FROM former_listing f USING listing_change h
       WHERE f.gateway_id = $1 AND h.gateway_id = $1 AND h.snapshot_id = $2 AND h.kind = 'added' AND f.aff_id = h.aff_id`,
      ids,
    );
  }
  if (removed) await client.query(KEEP_FORMER, ids);
  if (!added && !removed) return;
  const rules = [...(added && removed ? [SAME_ID] : []), JOINING_OR_LEAVING, ...(added ? [SAME_HOUSE] : [])];
  for (const pairs of rules) await client.query(linking(pairs), ids);
}

const KEEP_FORMER = `
  INSERT INTO former_listing (gateway_id, aff_id, house, price)
  SELECT $1, h.aff_id, CASE WHEN ${IS_KNOWN('b.body')} THEN ${HOUSE('b.body')} END,
         CASE WHEN ${IS_KNOWN('b.body')} THEN ${PRICE('b.body')} END
  FROM (SELECT h.aff_id, h.previous_version_id FROM ${changes('removed', 'h')}) h
  CROSS JOIN LATERAL (SELECT ${textOf('h.previous_version_id')} AS body OFFSET 0) b
  ON CONFLICT (gateway_id, aff_id) DO UPDATE
    SET removed_at = excluded.removed_at, house = excluded.house, price = excluded.price, replaced_by = NULL`;

/** The exporter writes the same id in another way. */
const SAME_ID = `
  SELECT a.aff_id AS new, r.aff_id AS old
  FROM (SELECT aff_id FROM ${changes('added', 'h')}) a
  JOIN (SELECT aff_id FROM ${changes('removed', 'h')}) r ON ${folded('r.aff_id')} = ${folded('a.aff_id')}`;

/** A second offer joins or leaves its record: the id of the record then means the other offer. */
const JOINING_OR_LEAVING = `
  SELECT a.aff_id AS new, c.aff_id AS old
  FROM (SELECT * FROM ${changes('added', 'h')}) a
  JOIN (SELECT * FROM ${changes('changed', 'h')}) c ON c.aff_id = ${ofRecord('a.aff_id')} AND c.aff_id <> a.aff_id
  WHERE ${textOf('c.previous_version_id')} ->> 'typeTransaction' = ${textOf('a.version_id')} ->> 'typeTransaction'
    AND ${textOf('c.version_id')} ->> 'typeTransaction' <> ${textOf('a.version_id')} ->> 'typeTransaction'
  UNION ALL
  SELECT c.aff_id, r.aff_id
  FROM (SELECT * FROM ${changes('removed', 'h')}) r
  JOIN (SELECT * FROM ${changes('changed', 'h')}) c ON c.aff_id = ${ofRecord('r.aff_id')} AND c.aff_id <> r.aff_id
  WHERE ${textOf('c.version_id')} ->> 'typeTransaction' = ${textOf('r.previous_version_id')} ->> 'typeTransaction'
    AND ${textOf('c.previous_version_id')} ->> 'typeTransaction' <> ${textOf('c.version_id')} ->> 'typeTransaction'`;

const SAME_HOUSE = `
  SELECT a.aff_id AS new, f.aff_id AS old
  FROM (
    SELECT h.aff_id, ${HOUSE('b.body')} AS house, ${PRICE('b.body')} AS price
    FROM (SELECT h.aff_id, h.version_id FROM ${changes('added', 'h')} AND h.replaces IS NULL
            AND EXISTS (SELECT FROM former_listing f WHERE f.gateway_id = $1 AND f.house IS NOT NULL)) h
    CROSS JOIN LATERAL (SELECT ${textOf('h.version_id')} AS body OFFSET 0) b
    WHERE ${IS_KNOWN('b.body')}
  ) a
  JOIN former_listing f ON f.gateway_id = $1 AND f.house = a.house AND f.replaced_by IS NULL
    AND f.removed_at > now() - interval '${RELISTED_WITHIN_DAYS} days'
    AND abs(a.price - f.price) <= ${MOST_PRICE_CHANGE} * f.price`;

/** SQL: stores a pair if each of its two ids is in no other pair, because nothing distinguishes equal flats. */
function linking(pairs: string): string {
  return `
    WITH pair AS MATERIALIZED (
      SELECT new, old FROM (
        SELECT new, old, count(*) OVER (PARTITION BY new) + count(*) OVER (PARTITION BY old) AS uses FROM (${pairs}) p
      ) counted WHERE uses = 2
    ), former AS (
      UPDATE former_listing f SET replaced_by = p.new FROM pair p WHERE f.gateway_id = $1 AND f.aff_id = p.old
    )
    UPDATE listing_change h SET replaces = p.old FROM pair p
    WHERE h.gateway_id = $1 AND h.snapshot_id = $2 AND h.aff_id = p.new AND h.replaces IS NULL`;
}
