import { Module } from '@nestjs/common';
import { Installation, StoredKeys } from '@passerelle/database';
import { KeyHashes } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { ApiConfig } from '../config';
import { Metrics } from '../metrics/metrics';
import { CONFIG, KEY_HASHES, LOGGER } from '../tokens';
import { GatewayAccess } from './gateway-access';
import { GatewayCache } from './gateway-cache';
import { GatewayChanges } from './gateway-changes';
import { LimitStore } from './limit-store';
import { RateLimit } from './rate-limit';
import { RefusedKeys } from './refused-keys';
import { ApiKeyUsage } from './api-key-usage';

/** Access to gateways: which keys may read or report, and how often. */
@Module({
  providers: [
    { provide: KEY_HASHES, inject: [CONFIG, Installation, StoredKeys, LOGGER], useFactory: openKeyHashes },
    GatewayAccess,
    GatewayCache,
    GatewayChanges,
    LimitStore,
    RateLimit,
    RefusedKeys,
    ApiKeyUsage,
  ],
  exports: [GatewayAccess, GatewayCache, GatewayChanges, KEY_HASHES, LimitStore, RateLimit, RefusedKeys],
})
export class AccessModule {
  constructor(metrics: Metrics, refused: RefusedKeys) {
    metrics.count({
      name: 'passerelle_api_refused_keys_total',
      help: 'Requests refused because of a wrong key or an unknown gateway; `limited` when over REFUSED_KEYS_PER_MINUTE',
      label: 'answer',
      figures: () => ({ limited: refused.limited, refused: refused.count - refused.limited }),
    });
  }
}

/** The secrets of API keys. */
async function openKeyHashes(
  { secretsKey, secretsKeyOld }: Pick<ApiConfig, 'secretsKey' | 'secretsKeyOld'>,
  installation: Pick<Installation, 'keyPepper'>,
  keys: Pick<StoredKeys, 'countBySecret'>,
  logger: Logger,
): Promise<KeyHashes> {
  const hashes = new KeyHashes({ secretsKey, secretsKeyOld, pepper: await installation.keyPepper() });
  const unknown = (await keys.countBySecret()).filter(({ keyId }) => !hashes.knows(keyId));
  if (unknown.length > 0) {
    logger.warn({ unknown }, 'API keys that were hashed with another SECRETS_KEY are refused: set SECRETS_KEY_OLD');
  }
  return hashes;
}
