import { createHash } from 'node:crypto';
import { Controller, Header, Headers, HttpCode, Inject, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { type MatchedWebhookUrl, WebhookInbox, EVERYTHING, retryWhileUnavailable } from '@passerelle/database';
import { ApiError, type InboundWebhook, isProven, parseInboundWebhook, SecretBox } from '@passerelle/domain';
import type { Counts } from '@passerelle/limits';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { LimitStore } from '../access/limit-store';
import { RefusedKeys } from '../access/refused-keys';
import type { ApiConfig } from '../config';
import { Proxies } from '../http/proxies';
import { CACHE_NEVER } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { CONFIG } from '../tokens';
import { WEBHOOK_PATIENCE_MS, WebhookWriter } from './webhook-writer';

/** The limit per gateway. A CRM that is refused sends its webhook again. */
const WEBHOOKS_PER_MINUTE = 60_000;
/** How long a valid URL is cached, even if it becomes invalid meanwhile. */
const CACHED_MS = 5_000;
const MAX_CACHED = 1_000;
const NO_BODY = Buffer.alloc(0);

/** Receives webhooks with which CRMs report changes. Stores only which listings to check. */
@Controller('in')
@UseInterceptors(SuccessEnvelope)
export class InboundWebhooksController {
  private readonly box: SecretBox | null;
  private readonly known = new LRUCache<string, MatchedWebhookUrl>({ max: MAX_CACHED, ttl: CACHED_MS });
  /** Thousands of concurrent webhooks share one query. */
  private readonly lookups = new Map<string, Promise<MatchedWebhookUrl | null>>();
  private readonly counts: Counts;

  constructor(
    private readonly inbox: WebhookInbox,
    private readonly writer: WebhookWriter,
    private readonly refused: RefusedKeys,
    private readonly proxies: Proxies,
    limits: LimitStore,
    @Inject(CONFIG) { secretsKey, secretsKeyOld }: Pick<ApiConfig, 'secretsKey' | 'secretsKeyOld'>,
  ) {
    this.box = secretsKey === null ? null : new SecretBox(secretsKey, secretsKeyOld);
    this.counts = limits.counts('calls');
  }

  @Post(':token')
  @HttpCode(202)
  @Header('cache-control', CACHE_NEVER)
  async receive(
    @Param('token') token: string,
    @Headers() headers: IncomingHttpHeaders,
    @Req() request: FastifyRequest,
  ): Promise<Members> {
    const url = await this.find(token);
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    if (url === null || !this.isAuthentic(url, headers, body))
      throw await this.refused.refusal(this.proxies.addressOf(request.raw));
    await this.count(url.gatewayId);
    const content: InboundWebhook =
      url.rules === null ? { kind: 'everything' } : parseInboundWebhook(url.rules, parsed(body));
    const named = content.kind === 'listings' ? content.ids : [];
    const listings = content.kind === 'everything' ? [EVERYTHING] : named;
    if (listings.length > 0) await this.writer.write(url.gatewayId, listings, request.id);
    return { data: { noted: named.length, everything: content.kind === 'everything' } };
  }

  /** Only valid URLs are cached, so that guesses cannot fill the cache. */
  private async find(token: string): Promise<MatchedWebhookUrl | null> {
    const hash = createHash('sha256').update(token, 'utf8').digest();
    const name = hash.toString('base64');
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const underWay = this.lookups.get(name);
    if (underWay !== undefined) return underWay;
    const lookup = this.lookUp(name, hash).finally(() => this.lookups.delete(name));
    this.lookups.set(name, lookup);
    return lookup;
  }

  private async lookUp(name: string, hash: Buffer): Promise<MatchedWebhookUrl | null> {
    const found = await retryWhileUnavailable(() => this.inbox.findUrl(hash), {
      sinceMs: performance.now(),
      patienceMs: WEBHOOK_PATIENCE_MS,
    });
    if (found !== null) this.known.set(name, found);
    return found;
  }

  /** A URL with a secret requires a signature, even if its connector is no longer registered. */
  private isAuthentic({ secret, rules }: MatchedWebhookUrl, headers: IncomingHttpHeaders, body: Buffer): boolean {
    if (secret === null) return true;
    if (this.box === null || rules === null) return false;
    return isProven(rules.proof, this.box.open(secret), { headers, body });
  }

  /** @throws ApiError RATE_LIMITED */
  private async count(gatewayId: number): Promise<void> {
    const { count, resetSeconds } = await this.counts.add(String(gatewayId));
    if (count <= WEBHOOKS_PER_MINUTE) return;
    throw new ApiError(
      'RATE_LIMITED',
      `Too many calls: at most ${WEBHOOKS_PER_MINUTE} a minute. Try again in ${resetSeconds} s.`,
      { limit_per_minute: WEBHOOKS_PER_MINUTE },
      { 'retry-after': String(resetSeconds) },
    );
  }
}

/** The parsed body; undefined if it is not JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
