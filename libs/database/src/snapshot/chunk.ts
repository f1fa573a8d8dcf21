/** Listing versions in one row of `snapshot_chunk`: at 8 bytes each the row stays below the size that is toasted. */
export const CHUNK_SIZE = 200;

/** The 1-based place of the version `c.version_id` in the snapshot of which `s` is the chunk that holds it. */
export const PLACE_IN_SNAPSHOT = `s.chunk * ${CHUNK_SIZE} + array_position(s.version_ids, c.version_id)`;
