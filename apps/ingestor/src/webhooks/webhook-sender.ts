import { Inject, Injectable } from '@nestjs/common';
import { OutboundPosts, PostFailed, type PostAnswer } from '@passerelle/connectors';
import { type DueDelivery, type TakenEndpoint, type TryOutcome, WebhookDeliveries } from '@passerelle/database';
import { pauseBeforeRetryMs, SecretBox, signWebhook } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { LOGGER, OUTBOUND_POSTS, SECRET_BOX } from '../tokens';
import { WebhookTries } from './webhook-tries';

/** For one request, its answer included. */
const TIMEOUT_MS = 15_000;
/** Longer than a request takes: who is gone after this time is replaced. */
const LEASE_SECONDS = 30;
const SHOWN_CHARACTERS = 300;
const GONE = 410;

export function outboundPosts({ allowPrivateSources }: Pick<IngestorConfig, 'allowPrivateSources'>): OutboundPosts {
  return new OutboundPosts({
    ...{ allowPrivate: allowPrivateSources, timeoutMs: TIMEOUT_MS, maxCharacters: SHOWN_CHARACTERS },
  });
}

/** Sends what waits for an endpoint. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly deliveries: WebhookDeliveries,
    private readonly tries: WebhookTries,
    @Inject(OUTBOUND_POSTS) private readonly posts: OutboundPosts,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Sends what waits for one endpoint, one message after the other, until there is none or one fails. Returns at once when
   * somebody else does: the queue may deliver a job twice.
   *
   * @param shutdown ends a request that is under way; its message is sent again.
   */
  async send(endpointId: number, shutdown: AbortSignal): Promise<void> {
    const taken = await this.deliveries.take(endpointId, LEASE_SECONDS);
    if (taken === null) return;
    let isLetGo = false;
    try {
      isLetGo = await this.sendAll(taken.endpoint, taken.next, shutdown);
    } finally {
      if (!isLetGo) await this.deliveries.release(taken.endpoint);
    }
  }

  /** @returns whether the endpoint was let go with what was noted last. */
  private async sendAll(endpoint: TakenEndpoint, first: DueDelivery | null, shutdown: AbortSignal): Promise<boolean> {
    for (let delivery = first; delivery !== null;) {
      if (shutdown.aborted) return false;
      const tried = await this.try(delivery, shutdown);
      if (tried === null) return false;
      if (tried.error !== null) return this.noteFailed(endpoint, delivery, tried);
      delivery = await this.deliveries.noteDelivered(endpoint, delivery.id, tried, LEASE_SECONDS);
    }
    return first !== null;
  }

  /** Null when the process stops. */
  private async try(delivery: DueDelivery, shutdown: AbortSignal): Promise<Tried | null> {
    const startedMs = performance.now();
    const answer = await this.post(delivery, shutdown).catch((error: unknown) => {
      if (shutdown.aborted) return null;
      if (error instanceof PostFailed || error instanceof UnreadableSecret) return error;
      throw error;
    });
    if (answer === null) return null;
    const tried = triedOf(answer, performance.now() - startedMs);
    this.tries.count(delivery.type, tried.error === null, tried.ms, Date.now() - Date.parse(delivery.at));
    return tried;
  }

  private async noteFailed(endpoint: TakenEndpoint, delivery: DueDelivery, tried: Tried): Promise<boolean> {
    const isDisabled = await this.deliveries.noteFailed(endpoint, delivery, tried, {
      pauseMs: pauseBeforeRetryMs(delivery.failures + 1, tried.retryAfterMs, Math.random()),
      isGone: tried.status === GONE,
      isOurs: tried.isOurs,
    });
    const { endpointId } = endpoint;
    if (isDisabled) this.log.warn({ endpoint: endpointId, reason: tried.error }, 'a webhook endpoint is disabled');
    return delivery.type !== 'webhook.test';
  }

  private async post(
    { url, messageId, type, at, data, secret, oldSecret }: DueDelivery,
    shutdown: AbortSignal,
  ): Promise<PostAnswer> {
    const body = JSON.stringify({ type, timestamp: at, data });
    const secrets = [secret, oldSecret].filter((sealed) => sealed !== null).map((sealed) => this.opened(sealed));
    const signed = signWebhook(secrets, { id: messageId, atMs: Date.now(), body });
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      ...{ 'user-agent': 'Passerelle', accept: '*/*', ...signed },
    };
    return this.posts.post(url, headers, body, shutdown);
  }

  private opened(sealed: Buffer): string {
    if (this.box === null) throw new UnreadableSecret('not sent: this ingestor has no SECRETS_KEY to sign with');
    try {
      return this.box.open(sealed);
    } catch (cause) {
      throw new UnreadableSecret('not sent: its secret was sealed with another SECRETS_KEY', { cause });
    }
  }
}

/** Nothing is sent without a signature. */
class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

interface Tried extends TryOutcome {
  /** What the site asked for. */
  retryAfterMs: number | null;
  /** Nothing was sent, which is not the site's fault. */
  isOurs: boolean;
}

function triedOf(answer: PostAnswer | Error, ms: number): Tried {
  if (answer instanceof Error) {
    const isOurs = answer instanceof UnreadableSecret;
    return { status: null, ms, answer: null, error: answer.message, retryAfterMs: null, isOurs };
  }
  const { status, text, retryAfterMs } = answer;
  const isRedirect = status >= 300 && status < 400;
  const error =
    status >= 200 && status < 300
      ? null
      : isRedirect
        ? `answered ${status}: redirects are not followed`
        : `answered ${status}`;
  return { status, ms, answer: text, error, retryAfterMs, isOurs: false };
}
