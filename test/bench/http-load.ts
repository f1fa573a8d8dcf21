import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  /** Path and query of the next request. */
  nextPath(): string;
  headers?: Readonly<Record<string, string>>;
}

const CONNECTIONS = 8;
const LINE_END = Buffer.from('\r\n\r\n');

/**
 * Asks a server as fast as it answers, on several connections, and reads every byte. Bare sockets: a client that parses
 * costs more than the servers that are compared.
 *
 * @returns answers per second.
 * @throws Error for an answer that is not a 200.
 */
export async function answersPerSecond(load: Load, forMs: number): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + forMs;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => askUntil(load, endsAt)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (answers * 1000) / (performance.now() - startedAt);
}

async function askUntil({ port, nextPath, headers = {} }: Load, endsAt: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = ` HTTP/1.1\r\n${lines.join('')}\r\n`;
  let answers = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const ask = (): void => {
        socket.write(`GET ${nextPath()}${rest}`, 'latin1');
      };
      onEachAnswer(socket, reject, () => {
        answers += 1;
        if (performance.now() < endsAt) ask();
        else resolve();
      });
      socket.once('connect', ask);
      socket.once('error', reject);
      socket.once('close', () => {
        reject(new Error('the server closed the connection'));
      });
    });
  } finally {
    socket.destroy();
  }
  return answers;
}

function onEachAnswer(socket: Socket, refuse: (error: Error) => void, answered: () => void): void {
  let missingBytes = 0;
  let head = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    if (missingBytes === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const headEnd = head.indexOf(LINE_END);
      if (headEnd < 0) return;
      const text = head.toString('latin1', 0, headEnd).toLowerCase();
      const length = /\r\ncontent-length: (\d+)/.exec(text)?.[1];
      if (!text.startsWith('http/1.1 200') || length === undefined) {
        refuse(new Error(`an unexpected answer: ${head.toString('latin1', 0, 300)}`));
        return;
      }
      missingBytes = Number(length) - (head.length - headEnd - LINE_END.length);
      head = Buffer.alloc(0);
    } else missingBytes -= chunk.length;
    if (missingBytes === 0) answered();
  });
}
