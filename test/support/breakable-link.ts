import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { aFreePort } from './free-port';

/** A breakable connection to a server. For clients that use it, the server disappears and returns. */
export interface BreakableLink {
  /** The URL that leads to the server over this link. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Stops all traffic but keeps connections open, as if the server's machine had lost its power. */
  silence(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** @param place the host and port of the link; default: a free port on this machine */
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
  // Use `aFreePort`, so that no other program gets the port while the link is cut.
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
