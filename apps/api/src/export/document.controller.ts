import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Controller, Get, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import { type PlacementDocument, PlacementDocuments, retryLostRead } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway } from '../access/gateway-request';
import { acceptsGzip } from '../http/compression';
import { weakTag } from '../http/entity-tag';
import { type Body, type Content, SendsBody } from '../http/sends-body';
import { ExportTokenGuard } from './export-token.guard';

const FILE = /^([a-z0-9-]{1,40}?)(?:-(\d{1,15}))?\.xml$/;

/** The documents that an ingestor has made for portals that fetch them. */
@Controller('v1/export')
@UseGuards(ExportTokenGuard)
@UseInterceptors(SendsBody)
export class DocumentController {
  constructor(private readonly documents: PlacementDocuments) {}

  /** @throws ApiError NOT_FOUND before the first export of such a placement */
  @Get('document/:file')
  async document(@Param('file') file: string, @Gateway() { gateway }: AuthorizedGateway): Promise<Body> {
    const found = await retryLostRead(() => this.find(gateway.id, file));
    if (found === null) throw new ApiError('NOT_FOUND', 'There is no such document, or it was not made yet.');
    return {
      headers: { etag: weakTag(found.hash), 'cache-control': 'private, no-cache', vary: 'accept-encoding' },
      open: (request) => Promise.resolve(this.open(found, acceptsGzip(request.headers['accept-encoding']))),
    };
  }

  private async find(gatewayId: number, file: string): Promise<PlacementDocument | null> {
    const [, target = '', placement] = FILE.exec(file) ?? [];
    if (target === '') return null;
    return this.documents.find(gatewayId, target, placement === undefined ? null : Number(placement));
  }

  private open(document: PlacementDocument, isGzip: boolean): Content {
    const stored = Readable.from(this.documents.read(document), { objectMode: false });
    const headers = { 'content-type': document.contentType, ...(isGzip && { 'content-encoding': 'gzip' }) };
    // An error ends the connection, so that the portal does not take half a document for a whole one.
    const body = isGzip ? stored : pipeline(stored, createGunzip(), () => undefined);
    return { headers, body };
  }
}
