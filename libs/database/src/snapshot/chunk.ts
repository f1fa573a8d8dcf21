/** Listing versions in one row of `snapshot_chunk`: at 8 bytes each the row stays below the size that is toasted. */
export const CHUNK_SIZE = 200;
