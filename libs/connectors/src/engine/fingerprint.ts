import { createXXHash128, type IHasher } from 'hash-wasm';

/**
 * A hash of 128 bits (XXH3). It is several times as fast as SHA-256, but gives no protection against attacks: the
 * author of a feed could construct two records with the same hash, and would lose one of their own records
 * (docs/decisions/0006-record-scanner-and-hashes.md).
 * @returns a hash that has begun; its `digest` is 32 hexadecimal characters.
 */
export async function newFingerprint(): Promise<IHasher> {
  return (await createXXHash128()).init();
}
