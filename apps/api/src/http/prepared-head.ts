import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

/** What Node decides itself from the headers that it is given: none of these can be prepared. */
const OF_THE_CONNECTION = /^(connection|keep-alive|content-length|transfer-encoding|trailer|upgrade|expect|date)$/i;

/** Joins the first line, the headers that it is given and its own; the same since Node 0.x, but not documented. */
const storeHeader: unknown = Reflect.get(ServerResponse.prototype, '_storeHeader');

/**
 * The head of a 200 whose headers many answers share. Node checks each name and each value against an expression for each
 * answer, and joins them anew: here that is done once, and an answer brings only what is its own
 * (docs/decisions/0020-prepared-heads.md).
 */
export class PreparedHead {
  private readonly start: string;

  /**
   * @param headers names and values by turns
   * @throws TypeError for a header that Node would refuse to send; Error for one about the connection
   */
  constructor(private readonly headers: readonly string[]) {
    const lines = ['HTTP/1.1 200 OK'];
    for (let at = 0; at < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at, at + 2);
      validateHeaderName(name);
      validateHeaderValue(name, value);
      if (OF_THE_CONNECTION.test(name)) throw new Error(`the header ${name} cannot be prepared`);
      lines.push(`${name}: ${value}`);
    }
    this.start = flat(`${lines.join('\r\n')}\r\n`);
  }

  /**
   * In place of `writeHead`.
   *
   * @param others names and values by turns, checked by Node each time
   */
  write(response: ServerResponse, others: string[]): void {
    // Headers that somebody has set before, as a process does that ends, are joined by `writeHead` only.
    if (typeof storeHeader === 'function' && !response.headersSent && response.getHeaderNames().length === 0)
      Reflect.apply(storeHeader, response, [this.start, others]);
    else response.writeHead(200, [...this.headers, ...others]);
  }
}

/** A text in one piece: V8 would put one together of many for each answer. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
