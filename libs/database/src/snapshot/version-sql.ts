/** The number of listing versions per row of `snapshot_chunk`: at 8 bytes each, the row is too small to be toasted. */
export const CHUNK_SIZE = 200;

/** The 1-based position of the version `c.version_id` in the snapshot; `s` is the chunk with that version. */
export const PLACE_IN_SNAPSHOT = `s.chunk * ${CHUNK_SIZE} + array_position(s.version_ids, c.version_id)`;

/**
 * SQL for gateway $1: the first change of a listing after a snapshot says which version the snapshot has. Without such
 * a change the snapshot has the current version.
 * @param ids SQL of rows (aff_id) @param snapshot SQL of the snapshot's id @returns SQL of (aff_id, version_id)
 */
export function versionsAt(ids: string, snapshot = '$2'): string {
  return `
    SELECT i.aff_id, CASE WHEN h.snapshot_id IS NOT NULL THEN h.previous_version_id ELSE c.version_id END AS version_id
    FROM (${ids}) i
    LEFT JOIN LATERAL (
      SELECT h.snapshot_id, h.previous_version_id
      FROM listing_change h JOIN snapshot s ON s.gateway_id = $1 AND s.id = h.snapshot_id AND s.published_at IS NOT NULL
      WHERE h.gateway_id = $1 AND h.aff_id = i.aff_id AND h.snapshot_id > ${snapshot}
      ORDER BY h.snapshot_id LIMIT 1
    ) h ON true
    LEFT JOIN current_listing c ON c.gateway_id = $1 AND c.aff_id = i.aff_id`;
}

/** SQL of the listings that have the reference ($3) in the snapshot, whatever their later references are. */
export function versionsByReference(snapshot = '$2', reference = '$3'): string {
  const ids = `SELECT DISTINCT aff_id FROM listing_version WHERE gateway_id = $1 AND aff_num = ${reference}`;
  return `
    SELECT f.aff_id, f.version_id FROM (${versionsAt(ids, snapshot)}) f
    JOIN listing_version v ON v.gateway_id = $1 AND v.id = f.version_id AND v.aff_num = ${reference}`;
}

/** One lookup per version: `OFFSET` prevents PostgreSQL from reading all texts of a gateway without statistics. */
export function joinText(
  table: 'listing_normalized' | 'listing_raw',
  alias: string,
  version: string,
  gateway = '$1',
): string {
  return `JOIN LATERAL (
    SELECT body FROM ${table} WHERE gateway_id = ${gateway} AND version_id = ${version} OFFSET 0) ${alias} ON true`;
}

/** SQL of 16 hex digits of SHA-256 over a text. */
const shortHash = (text: string): string => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`;

/** SQL: the stored `empreinte`, or a hash of the text for versions of older releases; null without a version. */
export function empreinteOf(alias: string, gateway: string): string {
  return `CASE WHEN ${alias}.empreinte IS NOT NULL THEN ${alias}.empreinte WHEN ${alias}.id IS NOT NULL THEN (
    SELECT ${shortHash('b.body')} FROM listing_normalized b WHERE b.gateway_id = ${gateway} AND b.version_id = ${alias}.id) END`;
}

/** SQL of the `empreinte` of the version's photos; null without photos. */
export function photosEmpreinteOf(alias: string, gateway: string): string {
  return `CASE WHEN ${alias}.empreinte IS NOT NULL THEN ${alias}.photos_empreinte ELSE (
    SELECT ${shortHash(`string_agg(photo ->> 'empreinte', '' ORDER BY place)`)}
    FROM listing_normalized b, json_array_elements(b.body::json -> 'photos') WITH ORDINALITY AS photos (photo, place)
    WHERE b.gateway_id = ${gateway} AND b.version_id = ${alias}.id) END`;
}
