import { connect } from 'node:net';

export interface Load {
  port: number;
  /** Returns path and query of the next request. */
  nextPath(): string;
  headers?: Readonly<Record<string, string>>;
}

const CONNECTIONS = 8;
const LINE_END = '\r\n\r\n';
const MOST_HEAD_BYTES = 8 * 1024;

/**
 * Sends requests to a server as fast as it answers, on several connections, and reads every byte. Uses bare sockets,
 * because a client that parses answers costs more than the servers that are compared.
 * @returns answers per second.
 * @throws Error for an answer other than 200.
 */
export async function answersPerSecond(load: Load, forMs: number): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + forMs;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => requestUntil(load, endsAt)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (answers * 1000) / (performance.now() - startedAt);
}

/**
 * Sends the given number of requests to a server, one after the other on one connection.
 * @returns the duration of each request in milliseconds.
 * @throws Error for an answer other than 200.
 */
export async function timesOfAnswers(load: Load, count: number): Promise<number[]> {
  const times: number[] = [];
  let startedAt = performance.now();
  await requestWhile(load, () => {
    const now = performance.now();
    times.push(now - startedAt);
    startedAt = now;
    return times.length < count;
  });
  return times;
}

async function requestUntil(load: Load, endsAt: number): Promise<number> {
  let answers = 0;
  await requestWhile(load, () => {
    answers += 1;
    return performance.now() < endsAt;
  });
  return answers;
}

/** @param goesOn is called after each answer and returns whether to send another request */
async function requestWhile({ port, nextPath, headers = {} }: Load, goesOn: () => boolean): Promise<void> {
  const reader = new AnswerReader();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: reader });
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = ` HTTP/1.1\r\n${lines.join('')}\r\n`;
  try {
    await new Promise<void>((resolve, reject) => {
      const ask = (): void => {
        socket.write(`GET ${nextPath()}${rest}`, 'latin1');
      };
      reader.refuse = reject;
      reader.answered = () => {
        if (goesOn()) ask();
        else resolve();
      };
      socket.once('connect', ask);
      socket.once('error', reject);
      socket.once('close', () => {
        reject(new Error('the server closed the connection'));
      });
    });
  } finally {
    socket.destroy();
  }
}

const READ_BYTES = 64 * 1024;

/**
 * Reads the answers of a connection into one buffer, because a client that collects garbage costs more than a server.
 */
class AnswerReader {
  readonly buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  answered: () => void = () => undefined;
  refuse: (error: Error) => void = () => undefined;
  private missingBytes = 0;
  private head = '';

  readonly callback = (bytes: number): boolean => {
    if (this.missingBytes === 0) this.readHead(bytes);
    else this.missingBytes -= bytes;
    if (this.missingBytes === 0 && this.head === '') this.answered();
    return true;
  };

  private readHead(bytes: number): void {
    const earlier = this.head.length;
    this.head += this.buffer.toString('latin1', 0, Math.min(bytes, MOST_HEAD_BYTES));
    const end = this.head.indexOf(LINE_END);
    if (end < 0) return;
    const head = this.head.slice(0, end).toLowerCase();
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
    if (!head.startsWith('http/1.1 200') || length === undefined) {
      this.refuse(new Error(`an unexpected answer: ${head}`));
      return;
    }
    this.missingBytes = Number(length) - (bytes - (end + LINE_END.length - earlier));
    this.head = '';
  }
}
