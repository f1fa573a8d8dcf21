import { Controller, Get, Req, Res } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import type { Listing } from '@passerelle/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weakTag } from '../http/entity-tag';
import { listingPieces } from '../legacy/dump';
import { WholeListSender } from '../legacy/whole-list';
import { type ServedSnapshot, ServedSnapshots } from '../properties/served-snapshots';
import { ExportAccess } from './export-access';
import { KYERO_END, kyeroProperty, kyeroStart } from './kyero';
import { readExportQuery } from './parameters';

const JSON_ARRAY = { before: '[', after: ']' };
const XML_TYPE = 'application/xml; charset=utf-8';

/** Whole lists in formats of others, for importers that take nothing but an address. */
@Controller('v1/export')
export class ExportController {
  constructor(
    private readonly access: ExportAccess,
    private readonly snapshots: ServedSnapshots,
    private readonly listings: ServedListings,
    private readonly sender: WholeListSender,
  ) {}

  @Get('kyero.xml')
  async kyero(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { token, lang } = readExportQuery(request.query);
    const open = await this.access.open(token, request, reply);
    const snapshot = await this.snapshots.of(open);
    await this.sender.send(request, reply, open.gateway, {
      ...{ snapshot, etag: weakTag(snapshot.token, 'kyero', lang), contentType: XML_TYPE },
      pieces: () => kyeroPieces(this.listings, snapshot, lang),
    });
  }
}

async function* kyeroPieces(
  listings: Pick<ServedListings, 'page'>,
  snapshot: ServedSnapshot,
  language: string,
): AsyncGenerator<Buffer, undefined> {
  yield Buffer.from(kyeroStart(snapshot.publishedAtMs));
  for await (const some of listingPieces(listings, snapshot, 'normalized', () => JSON_ARRAY)) {
    const parsed = JSON.parse(some.toString()) as Listing[];
    yield Buffer.from(parsed.map((listing) => kyeroProperty(listing, language, snapshot.publishedAtMs)).join(''));
  }
  yield Buffer.from(KYERO_END);
}
