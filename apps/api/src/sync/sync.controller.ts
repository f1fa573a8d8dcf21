import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, Input, inQuery } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { hasTag } from '../http/entity-tag';
import { PageSender, wantsGzip } from '../properties/page-sender';
import { type PropertyQuery, readPropertyQuery } from '../properties/parameters';
import { type ServedSnapshot, ServedSnapshots } from '../properties/served-snapshots';
import { ChangePages } from './changes';
import { Manifests, manifestTag } from './manifests';
import { type ChangesQuery, readChangesQuery } from './parameters';

/** Lets sites check, with as little data as possible, that they have every listing. */
@Controller('v1')
export class SyncController {
  constructor(
    private readonly snapshots: ServedSnapshots,
    private readonly manifests: Manifests,
    private readonly changes: ChangePages,
    private readonly sender: PageSender,
  ) {}

  @Get('manifest')
  @ForGateway(inQuery(readPropertyQuery))
  async manifest(
    @Input() query: PropertyQuery,
    @Gateway() open: AuthorizedGateway,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const tag = manifestTag(snapshot);
    const { headers } = reply.request;
    if (hasTag(headers['if-none-match'], tag)) {
      this.sender.answer(reply, { page: tag, snapshot });
      return;
    }
    const manifest = await this.manifests.load(snapshot, wantsGzip(headers));
    // Built for each response: the time of confirmation changes while the list stays the same.
    const meta = JSON.stringify({ ...metaOf(snapshot), hash: manifest.hash });
    this.sender.answer(reply, { page: manifest, snapshot, members: `"meta":${meta},` });
  }

  @Get('changes')
  @ForGateway(inQuery(readChangesQuery))
  async changesSince(
    @Input() query: ChangesQuery,
    @Gateway() open: AuthorizedGateway,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const page = await this.changes.load(open, snapshot, query);
    if (wantsGzip(reply.request.headers)) await page.prepareGzip();
    this.sender.answer(reply, { page, snapshot });
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
