import { type CanActivate, type ExecutionContext, HttpException, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IngestorConfig } from '../config';
import { CONFIG } from '../tokens';
import { refusalOf } from './ops-token';

/** Lets only requests pass that carry the operators' token. */
@Injectable()
export class OpsTokenGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'opsToken'>) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { authorization } = http.getRequest<FastifyRequest>().headers;
    const refusal = refusalOf(authorization, { opsToken: this.config.opsToken, isForBrowsers: false });
    if (refusal === null) return true;
    if (refusal.challenge !== null) http.getResponse<FastifyReply>().header('www-authenticate', refusal.challenge);
    throw new HttpException(refusal.error, refusal.status);
  }
}
