import { connect } from 'node:net';

/** An answer as received over the wire. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Each character is one byte. */
  body: string;
}

const LAST_CHUNK = '0\r\n\r\n';

/**
 * Parses the answers that a server has sent.
 * @param methods the methods of the requests in order; missing methods are `GET`
 * @throws Error if the last answer is incomplete
 */
export function answersIn(text: string, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) throw new Error(`incomplete answer: ${text.slice(at, at + 500)}`);
    const [line = '', ...headerLines] = text.slice(at, end).split('\r\n');
    const headers = Object.fromEntries(
      headerLines.map((one) => [one.split(': ')[0]?.toLowerCase() ?? '', one.slice(one.indexOf(': ') + 2)]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? NaN);
    if (Number.isNaN(status)) throw new Error(`no answer: ${line.slice(0, 500)}`);
    const bodyAt = end + 4;
    at = bodyAt;
    // Status 100 is only the permission to send the body; the answer follows.
    if (status === 100) continue;
    let body = '';
    if (methods[answers.length] !== 'HEAD' && status !== 304) {
      [body, at] = headers['transfer-encoding'] === 'chunked' ? chunked(text, bodyAt) : counted(text, bodyAt, headers);
    }
    answers.push({ status, headers, body });
  }
  return answers;
}

/** @returns a body of known length, and the offset of its end */
function counted(text: string, from: number, headers: Readonly<Record<string, string>>): [string, number] {
  const end = from + Number(headers['content-length']);
  if (!(end <= text.length))
    throw new Error(`the last body is not whole: ${text.slice(Math.max(0, from - 1_500), from + 200)}`);
  return [text.slice(from, end), end];
}

function chunked(text: string, from: number): [string, number] {
  let body = '';
  let at = from;
  while (!text.startsWith(LAST_CHUNK, at)) {
    const lineEnd = text.indexOf('\r\n', at);
    const length = parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd < 0 || !(lineEnd + 2 + length < text.length)) throw new Error('the last body is not whole');
    body += text.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 4 + length;
  }
  return [body, at + LAST_CHUNK.length];
}

const ANSWER = /HTTP\/1\.1 (\d{3}) /g;

/**
 * Sends requests without a `Connection` header in batches of `ahead`, over several connections in parallel.
 * @returns the number of answers per status
 */
export async function flood(
  port: number,
  requests: Iterable<string>,
  { connections = 8, ahead = 50 } = {},
): Promise<Record<number, number>> {
  const left = requests[Symbol.iterator]();
  const statuses: Record<number, number> = {};
  const send = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    for (;;) {
      const row: string[] = [];
      while (row.length < ahead) {
        const { value, done } = left.next();
        if (done === true) break;
        row.push(value);
      }
      if (row.length === 0) break;
      socket.write(row.join(''), 'latin1');
      for (const status of await readRow(chunks, row.length)) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, send));
  return statuses;
}

/** Reads the given number of statuses, without waiting for the rest of the last body. */
async function readRow(chunks: AsyncIterator<Buffer, undefined>, count: number): Promise<number[]> {
  const statuses: number[] = [];
  let tail = '';
  while (statuses.length < count) {
    const { value: chunk } = await chunks.next();
    if (chunk === undefined) throw new Error(`closed after ${statuses.length} of ${count} answers`);
    const text = tail + chunk.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(ANSWER)) {
      statuses.push(Number(match[1]));
      end = match.index + match[0].length;
    }
    tail = text.slice(Math.max(end, text.length - 12));
  }
  return statuses;
}
