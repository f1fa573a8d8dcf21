import type { Installation, StoredKeys } from '@passerelle/database';
import { KeyHashes } from '@passerelle/domain';
import { ConfigError } from '@passerelle/settings';
import type { Logger } from 'pino';
import type { ApiConfig } from '../config';

/** The secrets of API keys. @throws ConfigError when keys are stored that need a SECRETS_KEY, and there is none. */
export async function openKeyHashes(
  { secretsKey, secretsKeyOld }: Pick<ApiConfig, 'secretsKey' | 'secretsKeyOld'>,
  installation: Pick<Installation, 'keyPepper'>,
  keys: Pick<StoredKeys, 'countBySecret'>,
  logger: Logger,
): Promise<KeyHashes> {
  const hashes = new KeyHashes({ secretsKey, secretsKeyOld, pepper: await installation.keyPepper() });
  const unknown = (await keys.countBySecret()).filter(({ keyId }) => !hashes.knows(keyId));
  if (unknown.length > 0 && secretsKey === null) {
    throw new ConfigError('SECRETS_KEY is missing: API keys are stored that were hashed with it');
  }
  if (unknown.length > 0) {
    logger.warn({ unknown }, 'API keys are refused that were hashed with another SECRETS_KEY: set SECRETS_KEY_OLD');
  }
  return hashes;
}
