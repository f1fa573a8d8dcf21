import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OpenGateway } from '../access/gateway-access';
import { Gateway, Input, inQuery } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { hasTag } from '../http/entity-tag';
import { wantsGzip } from '../properties/page-sender';
import { type PropertyQuery, readPropertyQuery } from '../properties/parameters';
import { type SnapshotAnswer, SendsPage } from '../properties/sends-page';
import { type ServedSnapshot, ServedSnapshots } from '../properties/served-snapshots';
import { ChangePages } from './changes';
import { Manifests, manifestTag } from './manifests';
import { type ChangesQuery, readChangesQuery } from './parameters';

/** For sites that want proof that they have seen everything, and as little else as may be. */
@Controller('v1')
@UseInterceptors(SendsPage)
export class SyncController {
  constructor(
    private readonly snapshots: ServedSnapshots,
    private readonly manifests: Manifests,
    private readonly changes: ChangePages,
  ) {}

  @Get('manifest')
  @ForGateway(inQuery(readPropertyQuery))
  async manifest(
    @Input() query: PropertyQuery,
    @Gateway() open: OpenGateway,
    @Req() request: FastifyRequest,
  ): Promise<SnapshotAnswer> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const tag = manifestTag(snapshot);
    if (hasTag(request.headers['if-none-match'], tag)) return { page: tag, snapshot };
    const manifest = await this.manifests.load(snapshot, wantsGzip(request.headers));
    // The time of confirmation changes without the list.
    const meta = JSON.stringify({ ...metaOf(snapshot), hash: manifest.hash });
    return { page: manifest, snapshot, members: `"meta":${meta},` };
  }

  @Get('changes')
  @ForGateway(inQuery(readChangesQuery))
  async changesSince(
    @Input() query: ChangesQuery,
    @Gateway() open: OpenGateway,
    @Req() request: FastifyRequest,
  ): Promise<SnapshotAnswer> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const page = await this.changes.load(open, snapshot, query);
    if (wantsGzip(request.headers)) await page.prepareGzip();
    return { page, snapshot };
  }
}

function metaOf({ token, total, publishedAtMs, confirmedAtMs }: ServedSnapshot): object {
  return {
    snapshot: token,
    total,
    published_at: new Date(publishedAtMs).toISOString(),
    confirmed_at: confirmedAtMs === null ? null : new Date(confirmedAtMs).toISOString(),
  };
}
