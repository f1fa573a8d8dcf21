import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import { type Counted, type Counts, networkOf } from '@passerelle/limits';
import type { FastifyReply } from 'fastify';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';
import { LimitStore } from './limit-store';

/** Counts requests with a right key, per gateway and network. Others must not use up a site's limit or memory. */
@Injectable()
export class RateLimit {
  private readonly limitPerMinute: number | null;
  private readonly counts: Counts;

  constructor(
    @Inject(CONFIG) { rateLimitPerMinute }: Pick<ApiConfig, 'rateLimitPerMinute'>,
    @Inject(LimitStore) store: Pick<LimitStore, 'counts'>,
  ) {
    this.limitPerMinute = rateLimitPerMinute;
    this.counts = store.counts('requests');
  }

  /** Whether all API processes count requests together. */
  get isShared(): boolean {
    return this.limitPerMinute !== null && this.counts.isShared;
  }

  /** Counts a request. Null when there is no limit. */
  async count(gatewayId: number, address: string | undefined): Promise<CountedRequest | null> {
    const { limitPerMinute } = this;
    if (limitPerMinute === null) return null;
    return toCountedRequest(await this.counts.add(nameOf(gatewayId, address)), limitPerMinute);
  }

  /** Counts a request, and sets the headers with the remaining requests. @throws ApiError RATE_LIMITED */
  async take(gatewayId: number, address: string | undefined, { raw }: Pick<FastifyReply, 'raw'>): Promise<void> {
    const counted = await this.count(gatewayId, address);
    if (counted === null) return;
    // Uses Node's response, because a page is sent without Fastify's reply.
    setHeaders(raw, counted);
    if (counted.refusal !== null) throw counted.refusal;
  }

  /** The counting function for `takeHere`; null when there is no limit. */
  counterHere(gatewayId: number, address: string | undefined): (() => Counted) | null {
    return this.limitPerMinute === null ? null : this.counts.counterHere(nameOf(gatewayId, address));
  }

  /** Counts only in this process. @returns headers, names and values alternating. @throws ApiError RATE_LIMITED */
  takeHere(count: (() => Counted) | null, response: ServerResponse): readonly string[] {
    const { limitPerMinute } = this;
    if (limitPerMinute === null || count === null) return [];
    const counted = toCountedRequest(count(), limitPerMinute);
    if (counted.refusal === null) return counted.headers;
    setHeaders(response, counted);
    throw counted.refusal;
  }
}

function setHeaders(response: ServerResponse, { headers }: CountedRequest): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

function nameOf(gatewayId: number, address: string | undefined): string {
  return `${gatewayId}/${networkOf(address)}`;
}

export interface CountedRequest {
  /** Headers of every response: names and values alternate. They let a client slow down before it is refused. */
  headers: readonly string[];
  refusal: ApiError | null;
}

function toCountedRequest({ count, resetSeconds }: Counted, limitPerMinute: number): CountedRequest {
  return {
    headers: [
      ...['ratelimit-limit', String(limitPerMinute)],
      ...['ratelimit-remaining', String(Math.max(0, limitPerMinute - count))],
      ...['ratelimit-reset', String(resetSeconds)],
    ],
    refusal: count <= limitPerMinute ? null : tooMany(limitPerMinute, resetSeconds),
  };
}

function tooMany(limitPerMinute: number, retryAfter: number): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Too many requests: at most ${limitPerMinute} a minute. Try again in ${retryAfter} s.`,
    { limit_per_minute: limitPerMinute },
    { 'retry-after': String(retryAfter) },
  );
}
