import { validateHeaderName, validateHeaderValue } from 'node:http';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive';

/** What a head says of its connection, its body or its time; that is not the same for many answers. */
const OF_ONE_ANSWER =
  /^(connection|keep-alive|content-length|transfer-encoding|trailer|upgrade|expect|date|x-request-id)$/i;

/** As Node ends a head on a connection that is kept. */
const LAST_LINES = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_TIMEOUT_MS / 1000)}\r\n\r\n`;

/**
 * The head of a 200 whose headers many answers share, for answers that are written past Node. Node checks each name and each
 * value for each answer, and joins them anew. Here that is done once.
 */
export class PreparedHead {
  private readonly start: string;

  /**
   * @param headers names and values by turns
   * @throws TypeError for a header that Node would refuse to send; Error for one that belongs to one answer
   */
  constructor(readonly headers: readonly string[]) {
    const lines = ['HTTP/1.1 200 OK'];
    for (let at = 0; at < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at, at + 2);
      validateHeaderName(name);
      validateHeaderValue(name, value);
      if (OF_ONE_ANSWER.test(name)) throw new Error(`the header ${name} cannot be prepared`);
      lines.push(`${name}: ${value}`);
    }
    this.start = flat(`${lines.join('\r\n')}\r\nx-request-id: `);
  }

  /**
   * The bytes (as latin1) that Node sends for these headers, a request's identifier and the length of a body, on a connection
   * that is kept.
   *
   * @param requestId well-formed: it is not checked
   */
  text(requestId: string, bodyBytes: number): string {
    return `${this.start}${requestId}\r\ncontent-length: ${bodyBytes}\r\n${dateLine()}${LAST_LINES}`;
  }
}

let date = { second: 0, line: '' };

/** The time of day, made once a second. */
function dateLine(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== date.second) date = { second, line: `Date: ${new Date(nowMs).toUTCString()}\r\n` };
  return date.line;
}

/** A text in one piece: V8 would put one together of many for each answer. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
