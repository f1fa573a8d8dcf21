import { Inject, Injectable } from '@nestjs/common';
import { type PresentedKey, PresentedKeys } from '@passerelle/database';
import type { KeyHash, KeyHashes, SecretBox } from '@passerelle/domain';
import type { Logger } from 'pino';
import { RENEWED_HASHES, LOGGER, SECRET_BOX } from '../tokens';

const BATCH = 1_000;

/** Compares each presented key with its hash, because a compromised API could store any key. */
@Injectable()
export class KeyRenewal {
  constructor(
    @Inject(PresentedKeys) private readonly presented: Pick<PresentedKeys, 'list' | 'settle'>,
    @Inject(RENEWED_HASHES) private readonly hashes: Pick<KeyHashes, 'isCurrent' | 'renewed'>,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Processes a batch of waiting keys. Logs errors; the next call tries again. */
  async goOn(): Promise<void> {
    // Without a SECRETS_KEY no hash can be renewed.
    if (this.box === null) return;
    try {
      await this.renew(this.box);
    } catch (error) {
      this.log.error({ err: error }, 'hashes of keys could not be renewed; trying again');
    }
  }

  private async renew(box: SecretBox): Promise<void> {
    const waiting = await this.presented.list(BATCH);
    if (waiting.length === 0) return;
    const checked = waiting.map((key) => ({ ...key, newer: this.newerHash(key, box) }));
    await this.presented.settle(checked);
    const renewed = checked.filter(({ newer }) => newer !== null).length;
    if (renewed > 0) this.log.info({ renewed }, 'hashes of keys were renewed with SECRETS_KEY');
    // A key that was renewed a moment ago is not suspicious.
    const refused = checked.filter(({ newer, stored }) => newer === null && !this.hashes.isCurrent(stored)).length;
    if (refused > 0) this.log.warn({ refused }, 'deleted presented keys that do not match their stored hashes');
  }

  private newerHash({ sealed, stored }: PresentedKey, box: SecretBox): KeyHash | null {
    try {
      return this.hashes.renewed(box.open(sealed), stored);
    } catch {
      return null;
    }
  }
}
