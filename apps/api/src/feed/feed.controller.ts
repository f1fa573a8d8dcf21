import { Controller, Get, Header, Inject, Param, UseInterceptors } from '@nestjs/common';
import {
  FeedStates,
  ListingTraces,
  type ReceivedReport,
  Reports,
  retryLostRead,
  WebhookEndpoints,
} from '@passerelle/database';
import { isFresh } from '@passerelle/domain';
import type { AuthorizedGateway } from '../access/gateway-access';
import { readGatewayName } from '../access/gateway-parameters';
import { Gateway, inQuery } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import type { ApiConfig } from '../config';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG } from '../tokens';
import { feedStateOf } from './feed-state';
import { tellHistory } from './listing-history';

const MOST_CHANGES = 20;

/** Explains the state of a list, or of one listing, to consumers. */
@Controller('v1')
@UseInterceptors(SuccessEnvelope)
export class FeedController {
  constructor(
    private readonly feeds: FeedStates,
    private readonly reports: Reports,
    private readonly traces: ListingTraces,
    private readonly webhooks: WebhookEndpoints,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'snapshotTtlSeconds'>,
  ) {}

  @Get('feed')
  @Header('cache-control', 'private, no-cache')
  @ForGateway(inQuery(readGatewayName))
  async feed(@Gateway() { gateway, confirmedAgeMs }: AuthorizedGateway): Promise<Members> {
    const { id, snapshot, confirmedAtMs } = gateway;
    const ttlSeconds = this.config.snapshotTtlSeconds;
    const [figures, report, webhooks] = await Promise.all([
      retryLostRead(() => this.feeds.load(id)),
      retryLostRead(() => this.reports.newest(id)),
      retryLostRead(() => this.webhooks.list(id)),
    ]);
    const data = {
      ...feedStateOf({ figures, snapshot, confirmedAtMs, isFresh: isFresh(confirmedAgeMs, ttlSeconds), ttlSeconds }),
      snapshot: snapshot?.token ?? null,
      total: snapshot?.total ?? null,
      confirmed_at: iso(confirmedAtMs),
      published_at: iso(snapshot?.publishedAtMs ?? null),
      next_run_at: figures.nextRunAt,
      paused: figures.paused,
      last_run: figures.lastRun,
      duties_missing: figures.duties,
      consumer: report === null ? null : consumerOf(report),
      disabled_webhooks: webhooks.flatMap(({ id: webhookId, url, disabledAt, disabledReason }) =>
        disabledAt === null ? [] : [{ id: webhookId, url, disabled_at: disabledAt, reason: disabledReason }],
      ),
    };
    return { data };
  }

  @Get('properties/:id/history')
  @Header('cache-control', 'private, no-cache')
  @ForGateway(inQuery(readGatewayName))
  async history(@Param('id') id: string, @Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    // A text with a NUL cannot be stored, so it cannot be found.
    const shown = id.replaceAll('\0', '\ufffd');
    const [trace, changes] = await retryLostRead(async () => {
      const found = await this.traces.trace(gateway.id, shown);
      return [found, found.affId === null ? [] : await this.traces.changes(gateway.id, found.affId, MOST_CHANGES)];
    });
    return { data: tellHistory(id, trace, changes) };
  }
}

function consumerOf({ siteUrl, receivedAt, ...report }: ReceivedReport): object {
  return { ...report, site_url: siteUrl, received_at: receivedAt };
}

function iso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
