import { Controller, Get, UseGuards, UseInterceptors } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import type { Listing } from '@passerelle/domain';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, Input } from '../access/gateway-request';
import { weakTag } from '../http/entity-tag';
import { type Body, SendsBody } from '../http/sends-body';
import { type ServedSnapshot, Snapshot } from '../properties/served-snapshots';
import { exportChunks } from '../full-export/export-chunks';
import { FullExportSender } from '../full-export/full-export';
import { ExportTokenGuard } from './export-token.guard';
import { KYERO_END, kyeroProperty, kyeroStart } from './kyero';
import type { ExportQuery } from './parameters';

const JSON_ARRAY = { before: '[', after: ']' };
const XML_TYPE = 'application/xml; charset=utf-8';

/** Whole lists in the formats of importers that accept only a URL. */
@Controller('v1/export')
@UseGuards(ExportTokenGuard)
@UseInterceptors(SendsBody)
export class ExportController {
  constructor(
    private readonly listings: ServedListings,
    private readonly sender: FullExportSender,
  ) {}

  @Get('kyero.xml')
  kyero(
    @Input() { lang }: ExportQuery,
    @Gateway() { gateway }: AuthorizedGateway,
    @Snapshot() snapshot: ServedSnapshot,
  ): Body {
    return this.sender.bodyOf(gateway, {
      ...{ snapshot, etag: weakTag(snapshot.token, 'kyero', lang), contentType: XML_TYPE },
      chunks: () => kyeroChunks(this.listings, snapshot, lang),
    });
  }
}

async function* kyeroChunks(
  listings: Pick<ServedListings, 'page' | 'publishedAt'>,
  snapshot: ServedSnapshot,
  language: string,
): AsyncGenerator<Buffer, undefined> {
  yield Buffer.from(kyeroStart(snapshot.publishedAtMs));
  let offset = 0;
  for await (const some of exportChunks(listings, snapshot, 'normalized', () => JSON_ARRAY)) {
    const parsed = JSON.parse(some.toString()) as Listing[];
    const times = await listings.publishedAt(snapshot, offset, parsed.length);
    offset += parsed.length;
    const property = (listing: Listing, at: number): string =>
      kyeroProperty(listing, language, times[at] ?? snapshot.publishedAtMs);
    yield Buffer.from(parsed.map(property).join(''));
  }
  yield Buffer.from(KYERO_END);
}
