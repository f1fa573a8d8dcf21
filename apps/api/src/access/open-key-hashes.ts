import type { Installation, KeyUses } from '@passerelle/database';
import { ConfigError, KeyHashes } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { ApiConfig } from '../config';

/** The secrets of API keys. @throws ConfigError when keys are stored that need a SECRETS_KEY, and there is none. */
export async function openKeyHashes(
  { secretsKey, secretsKeyOld }: Pick<ApiConfig, 'secretsKey' | 'secretsKeyOld'>,
  installation: Pick<Installation, 'keyPepper'>,
  uses: Pick<KeyUses, 'hashIds'>,
  logger: Logger,
): Promise<KeyHashes> {
  const hashes = new KeyHashes({ secretsKey, secretsKeyOld, pepper: await installation.keyPepper() });
  const unknown = (await uses.hashIds()).filter((id) => !hashes.knows(id));
  if (unknown.length > 0 && secretsKey === null) {
    throw new ConfigError('SECRETS_KEY is missing: API keys are stored that were hashed with it');
  }
  if (unknown.length > 0) {
    logger.warn({ unknown }, 'API keys are refused that were hashed with another SECRETS_KEY: set SECRETS_KEY_OLD');
  }
  return hashes;
}
