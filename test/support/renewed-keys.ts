import type { Database } from '@passerelle/database';
import { KeyHashes, SecretBox } from '@passerelle/domain';
import pino from 'pino';
import { KeyRenewal } from '../../apps/ingestor/src/schedule/key-renewal';
import { until } from './waiting';

/** The ingestor's renewal of key hashes, with the database connection of a test. */
export async function keyRenewal(
  database: Database,
  secretsKey: string,
  secretsKeyOld: string | null = null,
): Promise<KeyRenewal> {
  const hashes = new KeyHashes({ secretsKey, secretsKeyOld, pepper: await database.installation.keyPepper() });
  const box = new SecretBox(secretsKey, secretsKeyOld);
  return new KeyRenewal(database.presentedKeys, hashes, box, pino({ level: 'silent' }));
}

/** Replaces the ingestor: waits until the API has stored a key for renewal, and renews the hash of each stored key. */
export async function renewKeys(database: Database, secretsKey: string): Promise<void> {
  const renewal = await keyRenewal(database, secretsKey);
  await until(async () => (await database.presentedKeys.list(1)).length > 0);
  await renewal.goOn();
}
