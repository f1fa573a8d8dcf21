import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kyeroFeed } from './feeds';

/**
 * A separate process with a CRM on each of the given number of ports. Each answers every request with the same small
 * feed after a delay; with a negative delay it sends one byte per second without end. Prints its addresses, one per
 * line.
 */
const [records, delayMs = 0, ports = 1] = process.argv.slice(2).map(Number);
const feed = Buffer.concat([...kyeroFeed(records ?? 0)]);
const DRIP_MS = 1_000;

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/xml');
  if (delayMs >= 0) {
    setTimeout(() => response.end(feed), delayMs);
    return;
  }
  response.write('<');
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.once('close', () => {
    clearInterval(timer);
  });
}

async function listen(): Promise<string> {
  const server = createServer((_request, response) => {
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}\n`;
}

void Promise.all(Array.from({ length: ports }, listen)).then((addresses) => process.stdout.write(addresses.join('')));
