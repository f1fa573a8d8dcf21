import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { KeyUse } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from './gateway-access';
import type { GatewayName } from './gateway-parameters';

/** The requested gateway and the use of its key, after the parameters or the body have been validated. */
export interface GatewayRequest {
  name: GatewayName;
  /** A key from outside the headers; used only if no header has a key. */
  key?: string | undefined;
  /** The permission that the key needs; default: `read`. */
  use?: KeyUse;
  /** The parameters or the body, for the handler. */
  input: unknown;
}

/** Reads the requests of a route. Throws ApiError BAD_REQUEST. */
export const GatewayRequestReader = Reflector.createDecorator<(request: FastifyRequest) => GatewayRequest>();

export function inQuery(read: (query: unknown) => GatewayName) {
  return ({ query }: FastifyRequest): GatewayRequest => {
    const input = read(query);
    return { name: input, input };
  };
}

export interface AdmittedRequest extends FastifyRequest {
  admitted: { input: unknown; gateway: AuthorizedGateway };
}

export const Gateway = createParamDecorator((_: unknown, context: ExecutionContext) => admitted(context).gateway);

export const Input = createParamDecorator((_: unknown, context: ExecutionContext) => admitted(context).input);

function admitted(context: ExecutionContext): AdmittedRequest['admitted'] {
  return context.switchToHttp().getRequest<AdmittedRequest>().admitted;
}

const BEARER = /^bearer +(\S.*)$/i;

/** The key in `Key`, else `Authorization: Bearer` (another scheme may be a proxy's), else `X-Listings-Key`. */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  return text(headers['key']) ?? bearer(headers.authorization) ?? text(headers['x-listings-key']);
}

function bearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}

function text(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}
