import { randomUUID } from 'node:crypto';
import { Controller, Header, HttpCode, Inject, Post, UseInterceptors } from '@nestjs/common';
import { ReceivedLeads } from '@passerelle/database';
import { ApiError, MOST_WAITING_LEADS, SecretBox } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, type GatewayRequest, Input } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import type { ApiConfig } from '../config';
import { CACHE_NEVER } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG } from '../tokens';
import { type LeadRequest, parseLeadRequest, toLead } from './lead-request';

/** An enquiry is stored before it is confirmed, and an ingestor delivers it to the agency. */
@Controller('v1/leads')
@UseInterceptors(SuccessEnvelope)
export class LeadsController {
  private readonly box: SecretBox | null;

  constructor(
    private readonly leads: ReceivedLeads,
    @Inject(CONFIG) config: Pick<ApiConfig, 'secretsKey'>,
  ) {
    this.box = config.secretsKey === null ? null : new SecretBox(config.secretsKey);
  }

  @Post()
  @HttpCode(202)
  @Header('cache-control', CACHE_NEVER)
  @ForGateway(inBody)
  async add(@Input() lead: LeadRequest, @Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    if (this.box === null)
      throw new ApiError('INTERNAL_ERROR', 'This service cannot store secrets: it has no SECRETS_KEY.');
    const token = lead.id?.toLowerCase() ?? randomUUID();
    const sealed = this.box.seal(JSON.stringify(toLead(lead)));
    const receivedAt = await this.leads.add({ gatewayId: gateway.id, token, affId: lead.affId ?? null, sealed });
    if (receivedAt === null) {
      throw new ApiError(
        'BAD_REQUEST',
        `${MOST_WAITING_LEADS} leads of this gateway wait, which is the maximum. Keep this one and send it again later.`,
      );
    }
    return { data: { id: token, received_at: receivedAt } };
  }
}

/** A key that may report may also send leads. */
function inBody({ body }: FastifyRequest): GatewayRequest {
  const input = parseLeadRequest(body);
  return { name: input, use: 'report', input };
}
