import { once } from 'node:events';
import { isIP, Socket, type TcpSocketConnectOpts } from 'node:net';
import { isPublicAddress, lookupPublicAddress, PrivateAddress } from './address-guard';

/** How long one of several addresses of a name may take before the next one is tried. */
const ATTEMPT_MS = 2000;

/**
 * A connection to a host that is not asked over http, by the same rule: the name is resolved once, every address of it
 * must be public unless `host:port` is allowed, and the connection goes to one of these very addresses. It ends when the
 * signal is aborted.
 *
 * @throws PrivateAddress; an error of the system when nobody answers.
 */
export async function openGuardedSocket(
  host: string,
  port: number,
  allowPrivate: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Socket> {
  const isAllowed = allowPrivate.has(`${host}:${port}`) || allowPrivate.has(`[${host}]:${port}`);
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(`${host} is not public`);
  return await connected(
    {
      ...{ host, port, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS },
      ...(!isAllowed && { lookup: lookupPublicAddress }),
    },
    signal,
  );
}

/** A second connection to the machine at the other end of an open one. */
export async function openSocketBeside(open: Socket, port: number, signal: AbortSignal): Promise<Socket> {
  const { remoteAddress } = open;
  if (remoteAddress === undefined) throw new Error('the connection is closed');
  return await connected({ host: remoteAddress, port }, signal);
}

async function connected(options: TcpSocketConnectOpts, signal: AbortSignal): Promise<Socket> {
  const socket = new Socket({ signal });
  // Whoever waits for something sees the error there; between two waits nobody does.
  socket.on('error', () => undefined);
  socket.connect(options);
  await once(socket, 'connect');
  return socket;
}
