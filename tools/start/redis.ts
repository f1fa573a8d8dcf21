import { connect } from 'node:net';
import { CannotStart } from './one-line';

const PATIENCE_MS = 5_000;

/** @throws CannotStart when no server answers at REDIS_URL, because the queue would retry forever. */
export async function checkRedis(redisUrl: string | null): Promise<void> {
  if (redisUrl === null) return;
  const { hostname, port } = new URL(redisUrl);
  // For a cluster, only the first node is checked.
  const host = (hostname.split(',')[0] ?? '').replace(/^\[|\]$/g, '');
  const failure = await connectionFailure(host, Number(port === '' ? 6379 : port));
  if (failure !== null) throw new CannotStart(`the Redis of REDIS_URL (${host}) cannot be reached: ${failure}`);
}

async function connectionFailure(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const answer = (failure: string | null): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('connect', () => {
      answer(null);
    });
    socket.once('timeout', () => {
      answer('no answer');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      answer(error.code ?? error.message);
    });
  });
}
