import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Database } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config';
import { JSON_TYPE } from '../http/response-headers';
import { CONFIG } from '../tokens';
import { docsPage } from './docs-page/docs-page';
import { openapi } from './openapi';

/** What needs no key: what there is, and how to use it. */
@Controller()
export class DiscoveryController {
  private readonly description: string;
  private readonly docs: { html: string; contentSecurityPolicy: string };

  constructor(
    @Inject(CONFIG) private readonly config: ApiConfig,
    private readonly database: Database,
  ) {
    this.description = JSON.stringify(openapi(config));
    this.docs = docsPage(config.demoGateways);
  }

  @Get('v1')
  discover(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { baseUrl } = this.config;
    const data = {
      name: 'Real-estate listings gateway',
      version: '1.0.0',
      endpoints: [
        { method: 'GET', path: '/v1', auth: false, purpose: 'discovery' },
        { method: 'GET', path: '/v1/connectors', auth: false, purpose: 'list connectors' },
        { method: 'GET', path: '/v1/status', auth: true, purpose: 'gateway status' },
        { method: 'GET', path: '/v1/properties', auth: true, purpose: 'paginated property list' },
        { method: 'GET', path: '/v1/properties/{id}', auth: true, purpose: 'one property' },
        { method: 'POST', path: '/v1/report', auth: true, purpose: 'report an import result' },
        { method: 'GET', path: '/?variable1={crm}&variable2={client}', auth: true, purpose: 'legacy v0 full dump' },
        { method: 'POST', path: '/report', auth: true, purpose: 'legacy v0 report' },
      ],
      documentation: { openapi: `${baseUrl}/openapi.json`, docs: `${baseUrl}/docs` },
    };
    reply.header('content-type', JSON_TYPE);
    reply.send(JSON.stringify({ status: 'success', data, request_id: request.id }));
  }

  @Get('v1/connectors')
  async connectors(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const data = await this.database.connectors.list();
    reply.header('content-type', JSON_TYPE);
    reply.send(JSON.stringify({ status: 'success', data, count: data.length, request_id: request.id }));
  }

  @Get('openapi.json')
  openapi(@Res() reply: FastifyReply): void {
    reply.header('content-type', JSON_TYPE).send(this.description);
  }

  @Get('docs')
  docsPage(@Res() reply: FastifyReply): void {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', this.docs.contentSecurityPolicy).send(this.docs.html);
  }
}
