/** SQL of 16 hex digits of SHA-256 over a text. */
const shortHash = (text: string): string => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`;

/**
 * SQL of the `empreinte` of the version that `alias` names: as it was stored, or, of versions that were stored before there
 * were any, reckoned from the text. Null where there is no version.
 */
export function empreinteOf(alias: string): string {
  return `CASE WHEN ${alias}.empreinte IS NOT NULL THEN ${alias}.empreinte WHEN ${alias}.id IS NOT NULL THEN (
    SELECT ${shortHash('b.body')} FROM listing_normalized b WHERE b.version_id = ${alias}.id) END`;
}

/** The same of its photos; null where it has none. */
export function photosEmpreinteOf(alias: string): string {
  return `CASE WHEN ${alias}.empreinte IS NOT NULL THEN ${alias}.photos_empreinte ELSE (
    SELECT ${shortHash(`string_agg(photo ->> 'empreinte', '' ORDER BY place)`)}
    FROM listing_normalized b, json_array_elements(b.body::json -> 'photos') WITH ORDINALITY AS photos (photo, place)
    WHERE b.version_id = ${alias}.id) END`;
}
