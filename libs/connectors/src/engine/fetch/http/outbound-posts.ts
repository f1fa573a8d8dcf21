import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { errorCode } from '../../error-code';
import { PrivateAddress } from '../address-guard';
import { GuardedConnections } from './guarded-connections';
import { retryAfterMs } from './response-status';

/** The answer to a message or request. */
export interface PostAnswer {
  status: number;
  /** The beginning of the body. */
  text: string;
  retryAfterMs: number | null;
  headers: Readonly<Record<string, string>>;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
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
    return this.send({ method: 'POST', url, headers, body }, signal);
  }

  /** @throws PostFailed; the signal's reason when it was aborted. */
  async send({ method, url, headers = {}, body }: OutboundRequest, signal: AbortSignal): Promise<PostAnswer> {
    const { timeoutMs, maxCharacters } = this.options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const to = new URL(url);
      const hop = { url: to, method, headers: { ...headers }, body, secretParameter: undefined };
      const response = await this.connections.for(to).request(hop, AbortSignal.any([signal, timeout]));
      return {
        status: response.statusCode ?? 0,
        text: await beginningOf(response, maxCharacters),
        retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()) ?? null,
        headers: plainHeaders(response),
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

  /**
   * Reads a file, such as a photo. @param maxBytes a larger file fails
   * @throws PostFailed; the signal's reason when it was aborted
   */
  async *read(url: string, maxBytes: number, signal: AbortSignal): AsyncGenerator<Buffer, undefined> {
    try {
      const to = new URL(url);
      const hop = { url: to, method: 'GET' as const, headers: {}, body: undefined, secretParameter: undefined };
      const response = await this.connections.for(to).request(hop, signal);
      if (response.statusCode !== 200) {
        response.destroy();
        throw new PostFailed(`answered ${response.statusCode ?? 0}`);
      }
      let bytes = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new PostFailed(`it is larger than ${maxBytes} bytes`);
        yield chunk;
      }
      if (!response.complete) throw new PostFailed('the answer was cut short');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PostFailed) throw error;
      throw new PostFailed(`no answer (${errorCode(error) ?? 'no reason given'})`, { cause: error });
    }
  }

  close(): void {
    this.connections.close();
  }
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(texts) as Record<string, string>;
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
