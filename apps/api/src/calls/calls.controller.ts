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
import { CALL_PATIENCE_MS, CallWriter } from './call-writer';

/** Per gateway; a CRM that is refused calls again. */
const CALLS_PER_MINUTE = 60_000;
/** How long valid addresses are cached, even if they end. */
const REMEMBERED_MS = 5_000;
const REMEMBERED = 1_000;
const NO_BODY = Buffer.alloc(0);

/** Receives calls from CRMs that report changes. Only the listings to check are stored. */
@Controller('in')
@UseInterceptors(SuccessEnvelope)
export class CallsController {
  private readonly box: SecretBox | null;
  private readonly known = new LRUCache<string, MatchedWebhookUrl>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  /** Thousands of concurrent calls share one query. */
  private readonly lookedUp = new Map<string, Promise<MatchedWebhookUrl | null>>();
  private readonly counts: Counts;

  constructor(
    private readonly notes: WebhookInbox,
    private readonly noted: CallWriter,
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
  async call(
    @Param('token') token: string,
    @Headers() headers: IncomingHttpHeaders,
    @Req() request: FastifyRequest,
  ): Promise<Members> {
    const address = await this.find(token);
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    if (address === null || !this.isRight(address, headers, body))
      throw await this.refused.refusal(this.proxies.addressOf(request.raw));
    await this.count(address.gatewayId);
    const says: InboundWebhook =
      address.rules === null ? { kind: 'everything' } : parseInboundWebhook(address.rules, parsed(body));
    const named = says.kind === 'listings' ? says.ids : [];
    const listings = says.kind === 'everything' ? [EVERYTHING] : named;
    if (listings.length > 0) await this.noted.note(address.gatewayId, listings, request.id);
    return { data: { noted: named.length, everything: says.kind === 'everything' } };
  }

  /** Only valid addresses are cached, so that guesses cannot fill the cache. */
  private async find(token: string): Promise<MatchedWebhookUrl | null> {
    const hash = createHash('sha256').update(token, 'utf8').digest();
    const name = hash.toString('base64');
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const underWay = this.lookedUp.get(name);
    if (underWay !== undefined) return underWay;
    const looking = this.lookUp(name, hash).finally(() => this.lookedUp.delete(name));
    this.lookedUp.set(name, looking);
    return looking;
  }

  private async lookUp(name: string, hash: Buffer): Promise<MatchedWebhookUrl | null> {
    const found = await retryWhileUnavailable(() => this.notes.findUrl(hash), {
      sinceMs: performance.now(),
      patienceMs: CALL_PATIENCE_MS,
    });
    if (found !== null) this.known.set(name, found);
    return found;
  }

  /** An address with a secret requires a signature, even if its connector is no longer registered. */
  private isRight({ secret, rules }: MatchedWebhookUrl, headers: IncomingHttpHeaders, body: Buffer): boolean {
    if (secret === null) return true;
    if (this.box === null || rules === null) return false;
    return isProven(rules.proof, this.box.open(secret), { headers, body });
  }

  /** @throws ApiError RATE_LIMITED */
  private async count(gatewayId: number): Promise<void> {
    const { count, resetSeconds } = await this.counts.add(String(gatewayId));
    if (count <= CALLS_PER_MINUTE) return;
    throw new ApiError(
      'RATE_LIMITED',
      `Too many calls: at most ${CALLS_PER_MINUTE} a minute. Try again in ${resetSeconds} s.`,
      { limit_per_minute: CALLS_PER_MINUTE },
      { 'retry-after': String(resetSeconds) },
    );
  }
}

/** Undefined when it is not JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
