import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ExportTokens, type FoundToken } from '@passerelle/database';
import type { KeyHashes } from '@passerelle/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { GatewayAccess, type OpenGateway, REFUSAL_MIN_MS } from '../access/gateway-access';
import { RateLimit } from '../access/rate-limit';
import { RefusedKeys } from '../access/refused-keys';
import { Outage } from '../metrics/outage';
import { KEY_HASHES, LOGGER } from '../tokens';

/** Opens a gateway for whoever has one of its export tokens (docs/decisions/0019-a-secret-in-an-address.md). */
@Injectable()
export class ExportAccess {
  constructor(
    private readonly tokens: ExportTokens,
    @Inject(KEY_HASHES) private readonly hashes: Pick<KeyHashes, 'candidates' | 'isCurrent' | 'make'>,
    private readonly access: GatewayAccess,
    private readonly refused: RefusedKeys,
    private readonly rateLimit: RateLimit,
    private readonly outage: Outage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws ApiError AUTH_FAILED, RATE_LIMITED, FORBIDDEN */
  async open(token: string, { ip, id }: FastifyRequest, reply: FastifyReply): Promise<OpenGateway> {
    const least = sleep(REFUSAL_MIN_MS);
    const found = await this.tokens.find(this.hashes.candidates(token));
    if (found === null) {
      await least;
      throw this.refused.refusal(ip);
    }
    const counted = this.rateLimit.count(found.crm, found.client, ip);
    if (counted !== null) {
      reply.headers(counted.headers);
      if (counted.refusal !== null) throw counted.refusal;
    }
    this.noteUse(found, token);
    return this.access.openKnown(found.crm, found.client, id);
  }

  /** A reader does not wait for it; what could not be written is written with the next use. */
  private noteUse(found: FoundToken, token: string): void {
    const newer = this.hashes.isCurrent(found) ? null : this.hashes.make(token);
    this.tokens.noteUse(found, newer).catch((error: unknown) => {
      if (!this.outage.covers(error))
        this.logger.warn({ err: error, tokenId: found.id }, "a token's use was not noted");
    });
  }
}
