import { setTimeout as sleep } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ExportTokens, type FoundToken, retryLostRead } from '@passerelle/database';
import { type KeyHashes, SecretBox } from '@passerelle/domain';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { GatewayAccess, REFUSAL_MIN_MS } from '../access/gateway-access';
import type { AdmittedRequest } from '../access/gateway-request';
import { RateLimit } from '../access/rate-limit';
import { RefusedKeys } from '../access/refused-keys';
import type { ApiConfig } from '../config';
import { Proxies } from '../http/proxies';
import { Outage } from '../metrics/outage';
import { CONFIG, KEY_HASHES, LOGGER } from '../tokens';
import { readExportQuery } from './parameters';

/** Opens a gateway with one of its export tokens (docs/decisions/0017-database-roles-and-keys.md). */
@Injectable()
export class ExportTokenGuard implements CanActivate {
  private readonly box: SecretBox | null;

  constructor(
    private readonly tokens: ExportTokens,
    @Inject(KEY_HASHES) private readonly hashes: Pick<KeyHashes, 'candidates' | 'isCurrent'>,
    @Inject(CONFIG) { secretsKey }: Pick<ApiConfig, 'secretsKey'>,
    private readonly access: GatewayAccess,
    private readonly refused: RefusedKeys,
    private readonly rateLimit: RateLimit,
    private readonly proxies: Proxies,
    private readonly outage: Outage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.box = secretsKey === null ? null : new SecretBox(secretsKey);
  }

  /** @throws ApiError BAD_REQUEST, AUTH_FAILED, RATE_LIMITED, FORBIDDEN */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest>();
    const input = readExportQuery(request.query);
    const address = this.proxies.addressOf(request.raw);
    const least = sleep(REFUSAL_MIN_MS);
    const found = await retryLostRead(() => this.tokens.find(this.hashes.candidates(input.token)));
    if (found === null) {
      await least;
      throw await this.refused.refusal(address);
    }
    this.noteUse(found, input.token);
    const gateway = await this.access.openKnown(found.crm, found.client, request.id);
    await this.rateLimit.take(gateway.gateway.id, address, http.getResponse<FastifyReply>());
    request.admitted = { input, gateway };
    return true;
  }

  /** Notes the use of a token. The reader does not wait for the write; after a failure the next use tries again. */
  private noteUse(found: FoundToken, token: string): void {
    const sealed = this.box === null || this.hashes.isCurrent(found) ? null : this.box.seal(token);
    this.tokens.noteUse(found, sealed).catch((error: unknown) => {
      if (!this.outage.covers(error))
        this.logger.warn({ err: error, tokenId: found.id }, 'cannot record the use of a token');
    });
  }
}
