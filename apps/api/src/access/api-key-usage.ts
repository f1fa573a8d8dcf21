import { Inject, Injectable } from '@nestjs/common';
import { KeyUses } from '@passerelle/database';
import { type KeyHashes, SecretBox, type StoredApiKey } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { Outage } from '../metrics/outage';
import { CONFIG, KEY_HASHES, LOGGER } from '../tokens';

const MOST_ENTRIES = 50_000;

/** Notes a key's use once a day. Stores a key with an outdated hash, encrypted, for the ingestor to hash again. */
@Injectable()
export class ApiKeyUsage {
  /** The last noted day of use, by key id. */
  private readonly days = new LRUCache<number, string>({ max: MOST_ENTRIES });
  private readonly box: SecretBox | null;

  constructor(
    @Inject(KeyUses) private readonly uses: Pick<KeyUses, 'note' | 'leave'>,
    @Inject(KEY_HASHES) private readonly hashes: Pick<KeyHashes, 'isCurrent'>,
    @Inject(CONFIG) { secretsKey }: Pick<ApiConfig, 'secretsKey'>,
    private readonly clock: Clock,
    private readonly outage: Outage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.box = secretsKey === null ? null : new SecretBox(secretsKey);
  }

  /** Never throws. After a failed write, the next use of the key tries again. */
  note(key: StoredApiKey, presented: string): void {
    if (this.box !== null && !this.hashes.isCurrent(key)) {
      this.uses.leave(key.id, this.box.seal(presented)).catch((error: unknown) => {
        this.complain(error, key, 'cannot store a key for the ingestor, which renews its hash');
      });
    }
    const today = new Date(this.clock.nowMs()).toISOString().slice(0, 10);
    if (this.days.get(key.id) === today) return;
    this.days.set(key.id, today);
    this.uses.note(key.id).catch((error: unknown) => {
      this.days.delete(key.id);
      this.complain(error, key, 'cannot record the use of a key');
    });
  }

  private complain(error: unknown, { id }: StoredApiKey, message: string): void {
    if (!this.outage.covers(error)) this.logger.error({ err: error, keyId: id }, message);
  }
}
