import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { aFreePort } from './free-port';

/** A way to a server that can be cut: what goes through it sees the server vanish and come back. */
export interface BreakableLink {
  /** The server's address, by this way. */
  url: string;
  /** Ends every connection; new ones are refused. */
  cut(): Promise<void>;
  /** Nothing goes through any more, and nothing ends: as if the server's machine had lost its power. */
  silence(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** @param place where it is to be found; default a port of its own on this machine */
export async function linkTo(
  target: string,
  place: { host: string; port?: number } = { host: '127.0.0.1' },
): Promise<BreakableLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (!isSilent) near.pipe(far).pipe(near);
  });
  // `aFreePort` gives this port to no other program while the link is cut.
  const linkPort = place.port ?? (await aFreePort());
  server.listen(linkPort, place.host);
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = place.host;
  url.port = String(linkPort);
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    silence() {
      isSilent = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    async mend() {
      if (isSilent) for (const socket of sockets) socket.destroy();
      isSilent = false;
      if (server.listening) return;
      server.listen(linkPort, place.host);
      await once(server, 'listening');
    },
    close: cut,
  };
}
