import { Controller, Delete, Get, Header, HttpCode, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { retryLostRead, type WebhookEndpoint, WebhookEndpoints } from '@passerelle/database';
import {
  ApiError,
  generateWebhookSecret,
  LIST_EVENTS,
  MOST_WEBHOOKS,
  SecretBox,
  toWebhookUrl,
} from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { readGatewayName } from '../access/gateway-parameters';
import { Gateway, type GatewayRequest, inQuery, Input } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import type { ApiConfig } from '../config';
import { CACHE_NEVER } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG } from '../tokens';
import { parseWebhookRequest, refusedMember, type WebhookRequest } from './webhook-request';

/** Ids that the database can store. */
const ID = /^[1-9]\d{0,15}$/;

/** Lets sites subscribe to notifications. A key that may read the list may add a webhook. */
@Controller('v1/webhooks')
@UseInterceptors(SuccessEnvelope)
export class WebhooksController {
  private readonly box: SecretBox | null;

  constructor(
    private readonly endpoints: WebhookEndpoints,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'secretsKey' | 'allowPrivateSources'>,
  ) {
    this.box = config.secretsKey === null ? null : new SecretBox(config.secretsKey);
  }

  @Post()
  @HttpCode(201)
  @Header('cache-control', CACHE_NEVER)
  @ForGateway(inBody)
  async add(@Input() input: WebhookRequest, @Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    const url = toWebhookUrl(input.url, this.config.allowPrivateSources);
    if (url === null) throw refusedMember('url');
    const events = [...new Set(input.events ?? LIST_EVENTS)];
    if (this.box === null)
      throw new ApiError('INTERNAL_ERROR', 'This service cannot store secrets: it has no SECRETS_KEY.');
    const secret = generateWebhookSecret();
    const added = await this.endpoints.add({ gatewayId: gateway.id, url, events, secret: this.box.seal(secret) });
    if (added === null) {
      throw new ApiError('BAD_REQUEST', `This gateway has ${MOST_WEBHOOKS} webhooks, which is the maximum.`);
    }
    return { data: { id: added.id, url, events, secret } };
  }

  @Get()
  @Header('cache-control', 'private, no-cache')
  @ForGateway(inQuery(readGatewayName))
  async list(@Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    const endpoints = await retryLostRead(() => this.endpoints.list(gateway.id));
    return { data: endpoints.map(toView) };
  }

  @Delete(':id')
  @Header('cache-control', CACHE_NEVER)
  @ForGateway(inQuery(readGatewayName))
  async remove(@Param('id') id: string, @Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    if (!ID.test(id) || !(await this.endpoints.remove(gateway.id, Number(id)))) {
      throw new ApiError('NOT_FOUND', 'This gateway has no such webhook.');
    }
    return { data: { id: Number(id), removed: true } };
  }
}

function inBody({ body }: FastifyRequest): GatewayRequest {
  const input = parseWebhookRequest(body);
  return { name: input, input };
}

function toView({ id, url, events, createdAt, disabledAt, disabledReason, failingSince }: WebhookEndpoint): object {
  return {
    ...{ id, url, events, created_at: createdAt, disabled_at: disabledAt, disabled_reason: disabledReason },
    failing_since: failingSince,
  };
}
