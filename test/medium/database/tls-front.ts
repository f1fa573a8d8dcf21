import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { LOCALHOST } from '../transport/certificates';

/**
 * Tells the client that the server supports TLS:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL
 */
const YES = 'S';

/** A proxy in front of a PostgreSQL server, which supports TLS for clients that request it. */
export async function startTlsFront(databaseUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const behind = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(YES);
      const secured = new TLSSocket(socket, { isServer: true, ...LOCALHOST });
      const plain = connect(Number(behind.port), behind.hostname);
      for (const [from, to] of [
        [secured, plain],
        [plain, secured],
      ] as const) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front = new URL(databaseUrl);
  front.port = String((server.address() as AddressInfo).port);
  return {
    url: front.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
