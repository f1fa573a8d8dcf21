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
  retryAfterMs: number | null;
}

/** The message got no answer, or has a forbidden address. The error's text is one sentence without the address. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

export interface PostOptions {
  /** `host:port` pairs whose addresses may be private. */
  allowPrivate: ReadonlySet<string>;
  /** For the whole request. */
  timeoutMs: number;
  /** How many characters of the answer's body are read at most. */
  maxCharacters: number;
}

/** The body of an answer gets at most this much time, because the head is enough. */
const BODY_MS = 1_000;
/** At least the number of an ingestor's concurrent messages, because a wait for a connection uses up their timeout. */
const CONNECTIONS_TO_A_HOST = 1_100;
/** Characters that are not text or must not be shown; the database could not even store NUL. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Sends only to public addresses, exactly to the checked address. Follows no redirects. Must be closed. */
export class OutboundPosts {
  private readonly connections: GuardedConnections;

  constructor(private readonly options: PostOptions) {
    // A message that is sent over a kept connection is lost if the other side closes the connection.
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

/** Reads only as much as needed and then ends the connection, because an answer may have no end. */
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
