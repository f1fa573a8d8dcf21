import { Inject, Injectable } from '@nestjs/common';
import { AccessRefused, SecretBox } from '@passerelle/domain';
import { z } from 'zod';
import type { IngestorConfig } from '../config';
import { CONFIG } from '../tokens';

const CREDENTIALS = z.record(z.string(), z.string());

/** Opens the sealed credentials of sources. */
@Injectable()
export class SourceCredentials {
  private readonly box: SecretBox | null;

  constructor(@Inject(CONFIG) { secretsKey, secretsKeyOld }: Pick<IngestorConfig, 'secretsKey' | 'secretsKeyOld'>) {
    this.box = secretsKey === null ? null : new SecretBox(secretsKey, secretsKeyOld);
  }

  /** @throws AccessRefused when there are credentials and this process has no SECRETS_KEY. */
  open(sealed: Buffer | null): Record<string, string> {
    if (sealed === null) return {};
    if (this.box === null) {
      throw new AccessRefused('the gateway has credentials and this ingestor has no SECRETS_KEY to read them with');
    }
    return CREDENTIALS.parse(JSON.parse(this.box.open(sealed)));
  }
}
