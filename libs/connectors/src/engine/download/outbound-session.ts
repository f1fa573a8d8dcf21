import { isIP } from 'node:net';
import { AccessRefused, BadFeed, FeedError, RetryLater } from '@passerelle/domain';
import { Agent, request as send, type Dispatcher } from 'undici';
import type { OutboundPolicy, SourceRequest } from '../../kit/contracts';
import { compressionFault } from '../decompress';
import { errorCode } from '../error-code';
import { isPublicAddress, lookupPublicAddress, PrivateAddress } from './address-guard';
import { decodedBody } from './body-decoding';
import { maskUrl } from './mask-url';
import { type Conditions, firstHop, nextHop, type Hop } from './redirects';
import { errorOfStatus } from './response-status';
import { SpoolDirectory, spoolFrom, type Spool } from './spool';

export type Answer =
  | { kind: 'not-modified' }
  | { kind: 'document'; spool: Spool; etag: string | undefined; lastModified: string | undefined };

/** What a fetch by another way than HTTP gets from its session: the same limits, and a place for the bytes. */
export interface Transfer {
  /** Aborted when the run is, or when a limit in time is reached. Whatever waits must end with it. */
  readonly signal: AbortSignal;
  /** The address as it may be shown. */
  readonly shown: string;
  /** Bytes that may still be taken. */
  readonly maxBytes: number;
  /** Tells that the source gave a sign of life. */
  sign(): void;
  /** Keeps the bytes until the session ends. @throws BadFeed when they are too many. */
  spool(chunks: AsyncIterable<Buffer>): Promise<Spool>;
}

const MAX_REDIRECTS = 3;

/**
 * All requests of one run: they share connections, the directory for large answers, and what the policy allows in
 * bytes and time. Must be closed.
 */
export class OutboundSession {
  readonly #guarded: Agent;
  readonly #unguarded: Agent;
  readonly #directory = new SpoolDirectory();
  readonly #spools: Spool[] = [];
  #spentMs = 0;
  #takenBytes = 0;

  /** @param secrets values that must not appear in messages, also as parts of a path. */
  constructor(
    private readonly policy: OutboundPolicy,
    private readonly signal: AbortSignal,
    private readonly secrets: readonly string[],
  ) {
    // Our own timers are exact and cover a whole request with its redirects; undici's do neither.
    const options = { headersTimeout: 0, bodyTimeout: 0, connections: 2, pipelining: 1 };
    this.#guarded = new Agent({ ...options, connect: { lookup: lookupPublicAddress, timeout: policy.idleTimeoutMs } });
    this.#unguarded = new Agent({ ...options, connect: { timeout: policy.idleTimeoutMs } });
  }

  /** Of all answers so far, decoded. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Counts bytes that were taken by another way than a request. */
  keep(spool: Spool): void {
    this.#spools.push(spool);
    this.#takenBytes += spool.sizeBytes;
  }

  show(url: string): string {
    return maskUrl(url, this.secrets);
  }

  /**
   * Asks once, following redirects, and spools the decoded body.
   *
   * @throws FeedError; the signal's reason when it was aborted.
   */
  async ask(request: SourceRequest, conditions: Conditions = {}): Promise<Answer> {
    return await this.#watched(request.url, (watch, shown) => this.#askWatched(request, conditions, watch, shown));
  }

  /**
   * Fetches once by another way than HTTP.
   *
   * @throws FeedError; the signal's reason when it was aborted.
   */
  async transfer<T>(url: string, fetch: (transfer: Transfer) => Promise<T>): Promise<T> {
    return await this.#watched(url, (watch, shown) =>
      fetch({
        signal: watch.signal,
        shown,
        maxBytes: this.policy.maxBytes - this.#takenBytes,
        sign: () => {
          watch.sign();
        },
        spool: (chunks) => this.#spool(chunks, undefined, watch, shown),
      }),
    );
  }

  /** Lets go of one answer before the run ends. */
  async release(spool: Spool): Promise<void> {
    const at = this.#spools.indexOf(spool);
    if (at >= 0) this.#spools.splice(at, 1);
    await spool.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#guarded.destroy(), this.#unguarded.destroy()]);
    await Promise.allSettled(this.#spools.map((spool) => spool.close()));
    await this.#directory.remove();
  }

  async #watched<T>(url: string, fetch: (watch: Watch, shown: string) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    await this.policy.admit?.(hostOf(url), this.signal);
    const startedAt = performance.now();
    const shown = this.show(url);
    const watch = new Watch(this.signal, this.policy.idleTimeoutMs, this.policy.timeoutMs - this.#spentMs, shown);
    try {
      return await fetch(watch, shown);
    } catch (error) {
      throw this.#explained(error, watch, shown);
    } finally {
      watch.end();
      this.#spentMs += performance.now() - startedAt;
    }
  }

  async #askWatched(request: SourceRequest, conditions: Conditions, watch: Watch, shown: string): Promise<Answer> {
    let hop: Hop = firstHop(request, conditions, shown);
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(hop.url, {
        dispatcher: this.#dispatcherFor(hop.url),
        method: hop.method,
        headers: hop.headers,
        body: hop.body ?? null,
        signal: watch.signal,
      });
      watch.sign();
      const { statusCode: status } = response;
      const location = headerOf(response, 'location');
      if (status === 200 || status === 203) return await this.#take(response, watch, shown);
      await response.body.dump({ limit: 16 * 1024, signal: watch.signal }).catch(() => undefined);
      watch.signal.throwIfAborted();
      if (status === 304 && (conditions.etag ?? conditions.lastModified) !== undefined) return { kind: 'not-modified' };
      if (status < 300 || status > 399 || location === undefined) {
        throw errorOfStatus(status, this.show(hop.url.href), headerOf(response, 'retry-after'));
      }
      if (redirects === MAX_REDIRECTS) throw new BadFeed(`${shown} redirects more than ${MAX_REDIRECTS} times`);
      hop = nextHop(hop, status, location, shown);
    }
  }

  /** @throws AccessRefused when the address is written as a number and is not public; names are checked on resolving. */
  #dispatcherFor(url: URL): Dispatcher {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80';
    const { allowPrivate } = this.policy;
    if (allowPrivate.has(`${host}:${port}`) || allowPrivate.has(`${url.hostname}:${port}`)) return this.#unguarded;
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusedAddress(`${url.hostname}:${port}`);
    return this.#guarded;
  }

  async #take(response: Dispatcher.ResponseData, watch: Watch, shown: string): Promise<Answer> {
    return {
      kind: 'document',
      spool: await this.#spool(response.body, headerOf(response, 'content-encoding'), watch, shown),
      etag: headerOf(response, 'etag'),
      lastModified: headerOf(response, 'last-modified'),
    };
  }

  async #spool(
    chunks: AsyncIterable<Buffer>,
    encoding: string | undefined,
    watch: Watch,
    shown: string,
  ): Promise<Spool> {
    const limit = this.policy.maxBytes - this.#takenBytes;
    const received = limited(chunks, limit, shown, () => {
      watch.sign();
    });
    const decoded = limited(decodedBody(received, encoding, shown), limit, shown);
    const spool = await spoolFrom(decoded, this.#directory).catch((error: unknown) => {
      throw cutOrDamaged(error, shown);
    });
    this.keep(spool);
    return spool;
  }

  #explained(error: unknown, watch: Watch, shown: string): unknown {
    if (this.signal.aborted) return this.signal.reason;
    if (watch.signal.aborted) return watch.signal.reason;
    if (error instanceof FeedError) return error;
    if (error instanceof PrivateAddress) return refusedAddress(shown);
    return new RetryLater(`${shown} did not answer (${errorCode(error) ?? 'no reason given'})`, undefined, {
      cause: error,
    });
  }
}

/** Ends a request that takes too long as a whole or is silent for too long. */
class Watch {
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;

  constructor(
    private readonly outer: AbortSignal,
    idleMs: number,
    totalMs: number,
    shown: string,
  ) {
    const stop = (why: string) => (): void => {
      this.#controller.abort(new RetryLater(`${shown} ${why}`));
    };
    this.#total = setTimeout(stop('took too long to answer'), Math.max(0, totalMs));
    this.#idle = setTimeout(stop(`was silent for ${idleMs} ms`), idleMs);
    outer.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A sign of life came. */
  sign(): void {
    this.#idle.refresh();
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.outer.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.outer.reason);
  };
}

/** Passes chunks on until there are more bytes than `maxBytes`. @throws BadFeed */
async function* limited(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  shown: string,
  onChunk?: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    onChunk?.();
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BadFeed(`${shown} answered with more bytes than the limit allows`);
    yield chunk;
  }
}

function cutOrDamaged(error: unknown, shown: string): unknown {
  if (error instanceof FeedError) return error;
  if (compressionFault(error) === 'damaged')
    return new BadFeed(`${shown} answered with damaged compressed bytes`, { cause: error });
  return new RetryLater(`the answer of ${shown} was cut (${errorCode(error) ?? 'no reason given'})`, undefined, {
    cause: error,
  });
}

function refusedAddress(shown: string): AccessRefused {
  return new AccessRefused(`${shown} is not a public address, and ALLOW_PRIVATE_SOURCES does not name it`);
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Host and port; of an address that is none, nothing: what is wrong with it is said later. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
