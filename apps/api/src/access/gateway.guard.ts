import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayAccess } from './gateway-access';
import { type AdmittedRequest, type GatewayRequest, GatewayRequestReader, presentedKey } from './gateway-request';
import { Proxies } from '../http/proxies';
import { RateLimit } from './rate-limit';

/** Reads the parameters itself: a 400 must come before 401 and 403, but Nest runs pipes after guards. */
@Injectable()
export class GatewayGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: GatewayAccess,
    protected readonly rateLimit: RateLimit,
    protected readonly proxies: Proxies,
  ) {}

  /** @throws ApiError BAD_REQUEST, AUTH_FAILED, FORBIDDEN, RATE_LIMITED */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.admit(context);
  }

  private async admit(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdmittedRequest>();
    const read = this.reflector.get(GatewayRequestReader, context.getHandler());
    const { name, key, use = 'read', input } = read(request);
    const address = this.proxies.addressOf(request.raw);
    const presented = presentedKey(request.headers) ?? key ?? null;
    const caller = { address, use, requestId: request.id };
    const gateway = await this.access.open(name.crm, name.client, presented, caller);
    await this.rateLimit.take(gateway.gateway.id, address, context.switchToHttp().getResponse<FastifyReply>());
    request.admitted = { input, gateway };
    return true;
  }
}

export function ForGateway(read: (request: FastifyRequest) => GatewayRequest): MethodDecorator {
  return applyDecorators(GatewayRequestReader(read), UseGuards(GatewayGuard));
}
