import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { type ListedPublication, Publications, retryLostRead } from '@passerelle/database';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, Input, inQuery } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { type PublicationsQuery, readPublicationsQuery } from './parameters';

/** Tells sites and CRMs which adverts are at which portals, and why others are not. */
@Controller('v1/publications')
@UseInterceptors(SuccessEnvelope)
export class PublicationsController {
  constructor(private readonly publications: Publications) {}

  @Get()
  @Header('cache-control', 'private, no-cache')
  @ForGateway(inQuery(readPublicationsQuery))
  async list(@Input() query: PublicationsQuery, @Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    const { page, per_page, affId, target, placement, state, reason, since, url } = query;
    const filter = {
      gatewayId: gateway.id,
      ...(affId !== undefined && { affId }),
      ...(target !== undefined && { target }),
      ...(placement !== undefined && { placement }),
      ...(state !== undefined && { state }),
      ...(reason !== undefined && { reason }),
      ...(since !== undefined && { since: databaseTime(since) }),
      ...(url !== undefined && { url }),
    };
    const [found, total] = await Promise.all([
      retryLostRead(() => this.publications.list(filter, (page - 1) * per_page, per_page)),
      retryLostRead(() => this.publications.count(filter)),
    ]);
    const { crm, client } = gateway;
    const meta = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
    return { meta, data: found.map(publicationOf) };
  }
}

/** The end of the year 9999. */
const LATEST_MS = 253_402_300_799_999;

/** The time in UTC, in the years that PostgreSQL reads: it refuses the year 0, and offsets beyond 15:59. */
function databaseTime(time: string): string {
  return new Date(Math.min(Math.max(Date.parse(time), 0), LATEST_MS)).toISOString();
}

function publicationOf(publication: ListedPublication): object {
  const { affId, affNum, placement, target, state, since, reasonCode, reason, url, sentAt } = publication;
  return { affId, affNum, placement, target, state, since, reason_code: reasonCode, reason, url, sent_at: sentAt };
}
