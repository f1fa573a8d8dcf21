import { Controller, Get, Param, Res, UseInterceptors } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { FastifyReply } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { type AdmittedRequest, Gateway, Input, inQuery, presentedKey } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { digestOf, weakTag } from '../http/entity-tag';
import { type Members, StoredJson, SuccessEnvelope } from '../http/success-envelope';
import { ForPage, type RememberedRequest } from './page.guard';
import { PageSender, wantsGzip } from './page-sender';
import { Pages } from './pages';
import { type PageQuery, type PropertyQuery, readPropertyQuery, readerOf, pageRequest } from './parameters';
import { type Reader, PaginationSessions } from './pagination-sessions';
import { RememberedPages } from './remembered-pages';
import { ServedSnapshots } from './served-snapshots';
import { setSnapshotHeaders } from './snapshot-headers';

@Controller('v1/properties')
export class PropertiesController {
  constructor(
    private readonly snapshots: ServedSnapshots,
    private readonly pages: Pages,
    private readonly memory: RememberedPages,
    private readonly sessions: PaginationSessions,
    private readonly listings: ServedListings,
    private readonly sender: PageSender,
  ) {}

  /** Sends stored text unchanged. One decorator per value would cost more than finding a page in memory. */
  @Get()
  @ForPage()
  list(@Res() reply: FastifyReply): Promise<void> | undefined {
    const { remembered } = reply.request as RememberedRequest;
    if (remembered === undefined) return this.load(reply);
    this.sender.answer(reply, remembered);
    return undefined;
  }

  private async load(reply: FastifyReply): Promise<void> {
    const { ip, headers, url, admitted } = reply.request as AdmittedRequest;
    const query = admitted.input as PageQuery;
    const open = admitted.gateway;
    const { ids, snapshot: token } = query;
    const reader = (): Reader =>
      readerOf(query, { key: presentedKey(headers) ?? '', address: ip, userAgent: headers['user-agent'] });
    const isInSession = token === undefined && ids === undefined;
    const snapshot = isInSession
      ? await this.snapshots.ofSession(open, pageRequest(query, reader))
      : await this.snapshots.of(open, token);
    // A reader that continues with the token of its first page will not finish the session of this first page.
    if (token !== undefined && query.page > 1) await this.sessions.leave(open, snapshot, reader());
    const page =
      ids === undefined
        ? await this.pages.load(snapshot, query, headers['if-none-match'])
        : await this.pages.loadChosen(snapshot, query, ids);
    if (wantsGzip(headers)) await this.pages.prepareGzip(page, snapshot, query);
    if (isInSession) this.memory.learn(url, query);
    this.sender.answer(reply, { page, snapshot });
  }

  @Get(':id')
  @ForGateway(inQuery(readPropertyQuery))
  @UseInterceptors(SuccessEnvelope)
  async one(
    @Param('id') id: string,
    @Input() query: PropertyQuery,
    @Gateway() open: AuthorizedGateway,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Members> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const property = await this.listings.one(snapshot, 'normalized', id);
    if (property === null) throw new ApiError('NOT_FOUND', 'No property of this gateway has that affId or affNum.');
    setSnapshotHeaders(reply, snapshot, weakTag('p', digestOf(property)));
    return { data: new StoredJson(property) };
  }
}
