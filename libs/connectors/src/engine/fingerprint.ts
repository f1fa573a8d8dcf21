import { createXXHash128, type IHasher } from 'hash-wasm';

/**
 * 128 bits of XXH3, several times as fast as SHA-256, but no protection against attacks: the author of a feed could
 * make two records with one hash, and lose one of their own (docs/decisions/0006-record-scanner-and-hashes.md).
 * @returns a hash that has begun; its `digest` is 32 hexadecimal characters.
 */
export async function newFingerprint(): Promise<IHasher> {
  return (await createXXHash128()).init();
}
