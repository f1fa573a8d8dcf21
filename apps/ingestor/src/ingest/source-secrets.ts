import { Inject, Injectable } from '@nestjs/common';
import type { SourceConfig } from '@passerelle/connectors';
import type { Gateway } from '@passerelle/database';
import { AccessRefused, openSource, type SecretBox } from '@passerelle/domain';
import { z } from 'zod';
import { SECRET_BOX } from '../tokens';

const CREDENTIALS = z.record(z.string(), z.string());

type SealedGateway = Pick<Gateway, 'sourceUrl' | 'sourceSettings' | 'sealedSource' | 'credentials'>;

@Injectable()
export class SourceSecrets {
  constructor(@Inject(SECRET_BOX) private readonly box: SecretBox | null) {}

  /** @throws AccessRefused when this process cannot open an encrypted value. */
  open({ sourceUrl, sourceSettings, sealedSource, credentials: sealed }: SealedGateway): SourceConfig {
    if (this.box === null && (sealed !== null || sealedSource !== null)) {
      throw new AccessRefused("the gateway's source is sealed, and this ingestor has no SECRETS_KEY to read it with");
    }
    try {
      return {
        ...openSource({ sourceUrl, settings: sourceSettings, sealedSource }, this.box),
        credentials: sealed === null || this.box === null ? {} : CREDENTIALS.parse(JSON.parse(this.box.open(sealed))),
      };
    } catch (cause) {
      throw new AccessRefused("the gateway's source was sealed with another SECRETS_KEY than this ingestor has", {
        cause,
      });
    }
  }
}
