import { createServer } from 'node:net';

/**
 * Below a machine's ephemeral ports (on Linux from 32768), because the system may give an ephemeral port to another
 * socket before the program listens. Above 10080, because `fetch` and browsers refuse some lower ports.
 */
const LOWEST = 11_000;
const PORTS_OF_WORKER = 1_000;
const WORKERS = 21;

const lowest = LOWEST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * PORTS_OF_WORKER;
// Start at a random port, because another test run on the same machine has workers with the same numbers.
let next = Math.floor(Math.random() * PORTS_OF_WORKER);

/**
 * Returns a free port for a program that listens later. No other worker gets this port, and this worker does not get it
 * again soon.
 */
export async function aFreePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_WORKER; tries += 1) {
    const port = lowest + next;
    next = (next + 1) % PORTS_OF_WORKER;
    if (await isFree(port)) return port;
  }
  throw new Error('no free port was found');
}

/** Checks all addresses together, because some programs listen on one address, and others on all. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
