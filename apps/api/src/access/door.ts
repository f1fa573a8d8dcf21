import type { FastifyRequest } from 'fastify';
import type { Access, OpenGateway } from './access';
import type { GatewayName } from './gateway-parameters';
import { presentedKey } from './presented-key';
import type { RateLimit } from './rate-limit';

/** Where authenticated requests come in, once their parameters are known to be good. */
export class Door {
  constructor(
    private readonly access: Access,
    private readonly rateLimit: RateLimit,
  ) {}

  /**
   * Opens the gateway that a request names.
   *
   * @param otherKey a key that the request carries elsewhere; it counts when no header has one.
   * @throws ApiError RATE_LIMITED, AUTH_FAILED, FORBIDDEN
   */
  async open(request: FastifyRequest, { crm, client }: GatewayName, otherKey?: string): Promise<OpenGateway> {
    this.rateLimit.count(crm, client, request.ip);
    return this.access.open(crm, client, presentedKey(request.headers) ?? otherKey ?? null);
  }

  /** Opens the gateway when that needs nothing but memory, and no counting; null does not mean that it is refused. */
  openRemembered(request: FastifyRequest, { crm, client }: GatewayName): OpenGateway | null {
    const key = presentedKey(request.headers);
    return key === null || this.rateLimit.isOn ? null : this.access.openRemembered(crm, client, key);
  }
}
