import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The message that ends the data of `COPY TO`; the message CommandComplete follows it. */
const COPY_DONE = Buffer.from('c\0\0\0\x04', 'latin1');
const DELAY_MS = 5;

/**
 * A link to PostgreSQL that delivers the message after the data of `COPY TO` in a separate packet, as may happen in a
 * busy network.
 */
export async function splitPackets(databaseUrl: string): Promise<{ url: string; close: () => Promise<void> }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    void deliver(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function deliver(upstream: Socket, client: Socket): Promise<void> {
  for await (const chunk of upstream as AsyncIterable<Buffer>) {
    const at = chunk.indexOf(COPY_DONE);
    if (at === -1) {
      client.write(chunk);
      continue;
    }
    const end = at + COPY_DONE.length;
    client.write(chunk.subarray(0, end));
    await sleep(DELAY_MS);
    client.write(chunk.subarray(end));
  }
  client.end();
}
