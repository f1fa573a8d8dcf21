import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AccessRefused, BadFeed, FeedError, RetryLater, isUrl, maskUrl } from '@passerelle/domain';
import type { SourceRequest } from '../../../kit/contracts';
import { ALWAYS_AT_WORK, type OutboundPolicy, type ProcessingSlot } from '../../contracts';
import { compressionFault } from '../../cut/open/decompress';
import { errorCode } from '../../error-code';
import { PrivateAddress } from '../address-guard';
import { SourceSlot } from './source-slot';
import { decodedBody, limited } from './body-decoding';
import { GuardedConnections } from './guarded-connections';
import { type Conditions, firstHop, nextHop, type Hop } from './redirects';
import { RequestWatch } from './request-watch';
import { errorOfStatus } from './response-status';
import { spoolFrom, type Spool } from '../spool';
import { SpoolReservation, type Waiting } from '../spool-budget';

export type Answer =
  | { kind: 'not-modified' }
  | {
      kind: 'document';
      spool: Spool;
      etag: string | undefined;
      lastModified: string | undefined;
      headers?: IncomingHttpHeaders;
    };

/** Services of a session for a fetch over a protocol other than HTTP. The same limits apply as for HTTP. */
export interface Transfer {
  /** Aborts when the run is aborted or a time limit is reached. Every wait must end then. */
  readonly signal: AbortSignal;
  /** The masked address, for messages. */
  readonly shown: string;
  /** How many more bytes may be received. */
  readonly maxBytes: number;
  /** Restarts the idle timeout. */
  noteActivity(): void;
  /** Spools the bytes until the session ends. @throws BadFeed when there are more than `maxBytes`. */
  spool(chunks: AsyncIterable<Buffer>): Promise<Spool>;
}

interface Watched {
  watch: RequestWatch;
  shown: string;
  slot: SourceSlot;
}

const MAX_REDIRECTS = 3;
const WORTH_READING_BYTES = 16 * 1024;

/**
 * Sends all requests of one run, with shared connections, disk budget, and limits on bytes and time. Must be closed.
 */
export class OutboundSession {
  private readonly connections: GuardedConnections;
  readonly reservation: SpoolReservation;
  private readonly spools: Spool[] = [];
  private spentMs = 0;
  private spooled = 0;
  private isClosed = false;

  /**
   * @param secrets must not appear in messages, not even in a path @param work the run's processing slot, released
   * before each request
   */
  constructor(
    private readonly policy: OutboundPolicy,
    private readonly signal: AbortSignal,
    private readonly secrets: readonly string[],
    private readonly work: ProcessingSlot = ALWAYS_AT_WORK,
  ) {
    this.connections = new GuardedConnections(policy.allowPrivate);
    this.reservation = new SpoolReservation(policy.spoolBudget, signal);
  }

  /** Decoded bytes of all answers so far. */
  get spooledBytes(): number {
    return this.spooled;
  }

  /** Keeps a spool until the session ends, and counts its bytes. */
  keep(spool: Spool): void {
    this.hold(spool);
    this.spooled += spool.sizeBytes;
  }

  /** Never waits for disk budget: the downloads that hold the budget may be waiting for this run's processing slot. */
  async spoolEntry(chunks: AsyncIterable<Buffer>): Promise<Spool> {
    const spool = await spoolFrom(chunks, this.reservation);
    this.hold(spool);
    return spool;
  }

  show(url: string): string {
    return maskUrl(url, this.secrets);
  }

  /**
   * Sends one request, follows redirects, and spools the decoded body. @throws FeedError; the signal's reason
   * @param onSize called with the size of the body before it arrives, if the source states it.
   */
  async request(
    request: SourceRequest,
    conditions: Conditions = {},
    onSize: (bytes: number) => void = () => undefined,
  ): Promise<Answer> {
    return await this.watched(request.url, async (watch, shown, slot) => {
      const response = await this.requestWatched(request, conditions, { watch, shown, slot });
      if (response === null) return { kind: 'not-modified' };
      const { headers } = response;
      const { 'content-encoding': encoding, 'content-length': length, etag, 'last-modified': lastModified } = headers;
      if (length !== undefined && encoding === undefined) onSize(Number(length));
      const spool = await this.spool(response, encoding, { watch, shown, slot });
      return { kind: 'document', spool, etag, lastModified, headers };
    });
  }

  /** Fetches once over a protocol other than HTTP. @throws FeedError; the signal's reason when it was aborted. */
  async transfer<T>(url: string, fetch: (transfer: Transfer) => Promise<T>): Promise<T> {
    return await this.watched(url, (watch, shown, slot) =>
      fetch({
        signal: watch.signal,
        shown,
        maxBytes: this.policy.maxBytes - this.spooledBytes,
        noteActivity: () => {
          watch.noteActivity();
        },
        spool: (chunks) => this.spool(chunks, undefined, { watch, shown, slot }),
      }),
    );
  }

  async release(spool: Spool): Promise<void> {
    const at = this.spools.indexOf(spool);
    if (at >= 0) this.spools.splice(at, 1);
    await spool.close();
  }

  /** Ends the session: requests under way fail, and waiting requests are not sent. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.connections.close();
    await Promise.allSettled(this.spools.map((spool) => spool.close()));
    this.reservation.leave();
  }

  /** Keeps a spool until the session ends, or closes it immediately when the session has already ended. */
  private hold(spool: Spool): void {
    if (this.isClosed) spool.close().catch(() => undefined);
    else this.spools.push(spool);
  }

  private throwIfClosed(): void {
    if (this.isClosed) throw new Error('the session is closed');
  }

  private async watched<T>(
    url: string,
    fetch: (watch: RequestWatch, shown: string, slot: SourceSlot) => Promise<T>,
  ): Promise<T> {
    this.signal.throwIfAborted();
    this.throwIfClosed();
    this.work.leave();
    await this.reservation.untilNotFull();
    const slot = new SourceSlot(this.policy, this.signal);
    await slot.to(hostOf(url));
    const shown = this.show(url);
    const watch = new RequestWatch(this.policy, this.spentMs, this.signal, shown);
    try {
      this.throwIfClosed();
      const fetched = await fetch(watch, shown, slot);
      // After an abort, Node ends the answer without an error and drops its unread bytes, so the answer would look
      // complete.
      watch.signal.throwIfAborted();
      return fetched;
    } catch (error) {
      throw watch.noteFailure(this.explained(error, watch, shown));
    } finally {
      this.spentMs += watch.end();
      slot.end();
    }
  }

  /** The response that contains the document; null when the document has not changed since the last request. */
  private async requestWatched(
    request: SourceRequest,
    conditions: Conditions,
    { watch, shown, slot }: Watched,
  ): Promise<IncomingMessage | null> {
    let hop: Hop = firstHop(request, conditions, shown);
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.send(hop, watch).catch(blameOn(redirects === 0 ? null : hop, shown));
      const { statusCode: status = 0, headers } = response;
      watch.noteStatus(status);
      if (status === 200 || status === 203) return response;
      await discard(response).catch(() => undefined);
      watch.signal.throwIfAborted();
      if (status === 304 && (conditions.etag ?? conditions.lastModified) !== undefined) return null;
      if (status < 300 || status > 399 || headers.location === undefined) {
        throw errorOfStatus(status, this.show(hop.url.href), headers['retry-after']);
      }
      if (redirects === MAX_REDIRECTS) throw new BadFeed(`${shown} redirects more than ${MAX_REDIRECTS} times`);
      hop = nextHop(hop, status, inUtf8(headers.location), shown);
      const { host } = hop.url;
      await watch.suspendFor(() => slot.to(host));
    }
  }

  private async send(hop: Hop, watch: RequestWatch): Promise<IncomingMessage> {
    // A request after `close` would open a new connection.
    this.throwIfClosed();
    return await this.connections.for(hop.url).request(hop, watch.signal);
  }

  private async spool(
    chunks: AsyncIterable<Buffer>,
    encoding: string | undefined,
    { watch, shown, slot }: Watched,
  ): Promise<Spool> {
    const limit = this.policy.maxBytes - this.spooledBytes;
    const received = limited(chunks, limit, shown, (bytes) => {
      watch.noteBytes(bytes);
    });
    const decoded = limited(decodedBody(received, encoding, shown), limit, shown);
    // Releases the slot during the wait, because the run that holds the disk budget may need it.
    const waiting: Waiting = (wait) => {
      slot.end();
      return watch.suspendFor(wait);
    };
    const spool = await spoolFrom(decoded, this.reservation, waiting).catch((error: unknown) => {
      throw cutOrDamaged(error, shown);
    });
    this.keep(spool);
    return spool;
  }

  private explained(error: unknown, watch: RequestWatch, shown: string): unknown {
    if (this.signal.aborted) return this.signal.reason;
    if (watch.signal.aborted) return watch.signal.reason;
    if (error instanceof FeedError) return error;
    if (error instanceof PrivateAddress) return refusedAddress(shown);
    return new RetryLater(`${shown} did not answer (${errorCode(error) ?? 'no reason given'})`, undefined, {
      cause: error,
    });
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

/** Names the redirect in the error, because the forbidden address comes from the source and not from the operator. */
function blameOn(redirected: Hop | null, shown: string): (error: unknown) => never {
  return (error) => {
    if (redirected === null || !(error instanceof PrivateAddress)) throw error;
    throw refusedAddress(`${shown} redirects to ${redirected.url.host}, which`);
  };
}

function refusedAddress(shown: string): AccessRefused {
  return new AccessRefused(`${shown} is not a public address, and ALLOW_PRIVATE_SOURCES does not name it`);
}

/** Reads the rest of a small answer, so that its connection can be reused; aborts a large answer. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > WORTH_READING_BYTES) break;
  }
}

/** Node decodes headers as Latin-1, but servers that send other characters than ASCII mostly mean UTF-8. */
function inUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/** Host and port; empty for an invalid address, which fails later. */
function hostOf(url: string): string {
  return isUrl(url) ? new URL(url).host : '';
}
