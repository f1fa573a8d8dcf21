import { Controller, Get, Header, Inject, Param, UseInterceptors } from '@nestjs/common';
import { Connectors, retryLostRead } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { ApiConfig } from '../config';
import { JSON_TYPE } from '../http/response-headers';
import { type Body, SendsBody } from '../http/sends-body';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG, DOCUMENTS } from '../tokens';
import { ASSET_TYPES, type Documents, filledIn, PAGE_POLICY, tagOf } from './documents';

/** Everything that needs no key: the endpoints, the connectors and the documentation. */
@Controller()
export class DiscoveryController {
  private readonly discovery: object;
  private readonly documents: Documents;
  private readonly pageHeaders: Readonly<Record<string, string>>;
  private readonly assets: Readonly<Record<string, Body>>;

  constructor(
    @Inject(CONFIG) config: ApiConfig,
    @Inject(DOCUMENTS) documents: Documents,
    private readonly connectors: Connectors,
  ) {
    const { baseUrl } = config;
    this.documents = filledIn(documents, config);
    this.pageHeaders = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    };
    this.assets = Object.fromEntries(
      Object.entries(documents.assets).map(([file, text]) => [file, assetOf(file, text)]),
    );
    this.discovery = {
      name: 'Real-estate listings gateway',
      version: '1.0.0',
      endpoints: documents.endpoints,
      documentation: { openapi: `${baseUrl}/openapi.json`, docs: `${baseUrl}/docs` },
    };
  }

  @Get('v1')
  @UseInterceptors(SuccessEnvelope)
  discover(): Members {
    return { data: this.discovery };
  }

  @Get('v1/connectors')
  @UseInterceptors(SuccessEnvelope)
  async listConnectors(): Promise<Members> {
    const data = await retryLostRead(() => this.connectors.list());
    return { data, count: data.length };
  }

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  openapi(): string {
    return this.documents.openapi;
  }

  @Get('docs')
  @UseInterceptors(SendsBody)
  docs(): Body {
    return { headers: this.pageHeaders, open: () => Promise.resolve({ headers: {}, body: this.documents.page }) };
  }

  /** @throws ApiError NOT_FOUND for a file that the page does not load */
  @Get('docs/:file')
  @UseInterceptors(SendsBody)
  asset(@Param('file') file: string): Body {
    const asset = Object.hasOwn(this.assets, file) ? this.assets[file] : undefined;
    if (asset === undefined) throw new ApiError('NOT_FOUND', 'There is no such file.');
    return asset;
  }
}

function assetOf(file: string, text: string): Body {
  const headers = {
    'content-type': ASSET_TYPES[file] ?? 'text/plain; charset=utf-8',
    'cache-control': 'public, no-cache',
    etag: tagOf(text),
  };
  return { headers, open: () => Promise.resolve({ headers: {}, body: text }) };
}
