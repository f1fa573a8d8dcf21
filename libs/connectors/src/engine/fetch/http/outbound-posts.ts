import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { errorCode } from '../../error-code';
import { PrivateAddress } from '../address-guard';
import { GuardedConnections } from './guarded-connections';
import { retryAfterMs } from './response-status';

/** The answer to a message. */
export interface PostAnswer {
  status: number;
  /** The beginning of the body. */
  text: string;
  /** The wait in `Retry-After`; null without one. */
  retryAfterMs: number | null;
}

/** No answer, or a forbidden address. The message is one sentence without the address. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

export interface PostOptions {
  /** `host:port` pairs that may be private addresses. */
  allowPrivate: ReadonlySet<string>;
  /** For the whole request. */
  timeoutMs: number;
  /** The largest part of the answer's body that is read. */
  maxCharacters: number;
}

/** An answer is complete with its head; the body gets this much time at most. */
const BODY_MS = 1_000;
/** As many as an ingestor sends at a time: one that waited for a connection would lose its time to it. */
const CONNECTIONS_TO_A_HOST = 1_100;
/** Not text, or not to be shown: NUL could not even be stored. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Sends messages to addresses that others have given, by the same rules as for sources: only public addresses, and it
 * connects to the address that it has checked. Follows no redirect. Must be closed.
 */
export class OutboundPosts {
  private readonly connections: GuardedConnections;

  constructor(private readonly options: PostOptions) {
    // A kept connection that the other side closes would lose the message.
    this.connections = new GuardedConnections(options.allowPrivate, {
      ...{ keepAlive: false, maxSockets: CONNECTIONS_TO_A_HOST },
    });
  }

  /** @throws PostFailed; the signal's reason when it was aborted. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<PostAnswer> {
    const { timeoutMs, maxCharacters } = this.options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const to = new URL(url);
      const hop = { url: to, method: 'POST' as const, headers: { ...headers }, body, secretParameter: undefined };
      const response = await this.connections.for(to).request(hop, AbortSignal.any([signal, timeout]));
      return {
        status: response.statusCode ?? 0,
        text: await beginningOf(response, maxCharacters),
        retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()) ?? null,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new PostFailed(`no answer within ${timeoutMs / 1000} seconds`, { cause: error });
      if (error instanceof PrivateAddress) {
        const why = 'not sent: it is not a public address, and ALLOW_PRIVATE_SOURCES does not name it';
        throw new PostFailed(why, { cause: error });
      }
      throw new PostFailed(`no answer (${errorCode(error) ?? 'no reason given'})`, { cause: error });
    }
  }

  close(): void {
    this.connections.close();
  }
}

/** Reads no more than it needs, and ends the connection then: an answer may have no end. */
async function beginningOf(response: IncomingMessage, maxCharacters: number): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const timer = setTimeout(() => response.destroy(), BODY_MS);
  let text = '';
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      text += decoder.write(chunk);
      if (text.length > maxCharacters) break;
    }
  } catch {
    // A partial body is enough.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  return Array.from(text.replace(CONTROL_CHARACTERS, '')).slice(0, maxCharacters).join('');
}
