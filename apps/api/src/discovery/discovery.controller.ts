import { Controller, Get, Header, Inject, UseInterceptors } from '@nestjs/common';
import { Connectors } from '@passerelle/database';
import type { ApiConfig } from '../config';
import { JSON_TYPE } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG } from '../tokens';
import { DOCS_CONTENT_SECURITY_POLICY, docsPage } from './docs-page/docs-page';
import { endpoints } from './endpoints';
import { openapi } from './openapi';
import { operations } from './operations';

/** Everything that needs no key: the endpoints, the connectors and the documentation. */
@Controller()
export class DiscoveryController {
  private readonly discovery: object;
  private readonly openapiText: string;
  private readonly docsHtml: string;

  constructor(
    @Inject(CONFIG) { baseUrl, demoGateways }: ApiConfig,
    private readonly connectors: Connectors,
  ) {
    const all = operations(demoGateways[0] ?? { crm: 'kyero', client: 'demo' });
    this.discovery = {
      name: 'Real-estate listings gateway',
      version: '1.0.0',
      endpoints: endpoints(all),
      documentation: { openapi: `${baseUrl}/openapi.json`, docs: `${baseUrl}/docs` },
    };
    this.openapiText = JSON.stringify(openapi(baseUrl, all));
    this.docsHtml = docsPage(this.openapiText, demoGateways);
  }

  @Get('v1')
  @UseInterceptors(SuccessEnvelope)
  discover(): Members {
    return { data: this.discovery };
  }

  @Get('v1/connectors')
  @UseInterceptors(SuccessEnvelope)
  async listConnectors(): Promise<Members> {
    const data = await this.connectors.list();
    return { data, count: data.length };
  }

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  openapi(): string {
    return this.openapiText;
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', DOCS_CONTENT_SECURITY_POLICY)
  docs(): string {
    return this.docsHtml;
  }
}
