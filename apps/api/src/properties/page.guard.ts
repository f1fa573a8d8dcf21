import { applyDecorators, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayAccess } from '../access/gateway-access';
import { type GatewayRequest, GatewayRequestReader } from '../access/gateway-request';
import { GatewayGuard } from '../access/gateway.guard';
import { RateLimit } from '../access/rate-limit';
import { Proxies } from '../http/proxies';
import type { AnsweredRequest } from '../metrics/answers';
import type { SnapshotAnswer } from './page-sender';
import { readPageQuery } from './parameters';
import { RememberedPages } from './remembered-pages';

export interface RememberedRequest extends AnsweredRequest {
  remembered?: SnapshotAnswer;
}

/** Finds a page in memory together with its gateway; otherwise it works like any other route's guard. */
@Injectable()
class PageGuard extends GatewayGuard {
  constructor(
    reflector: Reflector,
    access: GatewayAccess,
    rateLimit: RateLimit,
    proxies: Proxies,
    private readonly memory: RememberedPages,
  ) {
    super(reflector, access, rateLimit, proxies);
  }

  // `async` and `switchToHttp()` would cost as much time as finding the page.
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<RememberedRequest>(0);
    const found = this.memory.find(request.raw, request.id);
    if (found === null) return super.canActivate(context);
    const { gatewayId, address, page, snapshot, known, count } = found;
    const reply = context.getArgByIndex<FastifyReply>(1);
    const accept = (answerHeaders: readonly string[]): true => {
      this.memory.noteHit();
      request.known = known;
      request.remembered = { page, snapshot, answerHeaders };
      return true;
    };
    if (!this.rateLimit.isShared) return accept(this.rateLimit.takeHere(count, reply.raw));
    return this.rateLimit.take(gatewayId, address, reply).then(() => accept([]));
  }
}

export function ForPage(): MethodDecorator {
  return applyDecorators(GatewayRequestReader(inPageQuery), UseGuards(PageGuard));
}

function inPageQuery(request: FastifyRequest): GatewayRequest {
  const input = readPageQuery(request);
  return { name: input, input };
}
