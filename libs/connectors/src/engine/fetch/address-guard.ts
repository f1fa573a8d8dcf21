import { lookup as resolve } from 'node:dns';
import { once } from 'node:events';
import { BlockList, isIP, type LookupFunction, Socket, type TcpSocketConnectOpts } from 'node:net';

// IANA's special-purpose registries, and the address at which Azure answers its own machines.
const NOT_PUBLIC_V4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
] as const) {
  NOT_PUBLIC_V4.addSubnet(network, prefix, 'ipv4');
}

const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6');
// Non-public inside the global range: protocol assignments with Teredo, documentation, 6to4, AS112, SRv6.
const NOT_PUBLIC_V6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC_V6.addSubnet(network, prefix, 'ipv6');
}
const NAT64 = new BlockList();
NAT64.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether an IP address, as text, is a public Internet address; false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  const version = isIP(plain);
  if (version === 4) return !NOT_PUBLIC_V4.check(plain, 'ipv4');
  if (version !== 6) return false;
  if (NAT64.check(plain, 'ipv6')) return isPublicAddress(lastFourBytes(plain));
  // IPv4-mapped addresses (::ffff:0:0/96) are outside the global range, like all other special addresses.
  return GLOBAL_V6.check(plain, 'ipv6') && !NOT_PUBLIC_V6.check(plain, 'ipv6');
}

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function lastFourBytes(address: string): string {
  // The URL parser writes IPv6 addresses in their canonical form, without a dotted tail.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high, low] = [groups.at(-2), groups.at(-1)].map((group) =>
    Number.parseInt(group === '' || group === undefined ? '0' : group, 16),
  );
  if (high === undefined || low === undefined) return '';
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** Refuses a name with a non-public address. The connection uses this answer, so DNS rebinding gains nothing. */
export const lookupPublicAddress: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, '', 0);
      return;
    }
    const [first] = addresses;
    if (first === undefined) {
      callback(new Error(`${hostname} has no address`), '', 0);
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new PrivateAddress(`${hostname} has an address that is not public`), '', 0);
    } else if (options.all === true) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  });
};

/** How long one address may take before the name's next address is tried. */
export const ATTEMPT_MS = 2000;

/**
 * Every address of the name must be public unless `host:port` is allowed. Aborting the signal closes the socket.
 * @throws PrivateAddress; a system error when the connection fails.
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

/** Opens a second connection to the machine that an open socket is connected to. */
export async function openSocketBeside(open: Socket, port: number, signal: AbortSignal): Promise<Socket> {
  const { remoteAddress } = open;
  if (remoteAddress === undefined) throw new Error('the connection is closed');
  return await connected({ host: remoteAddress, port }, signal);
}

async function connected(options: TcpSocketConnectOpts, signal: AbortSignal): Promise<Socket> {
  const socket = new Socket({ signal });
  // Every wait on the socket reports errors. Between two waits an error without a listener would end the process.
  socket.on('error', () => undefined);
  socket.connect(options);
  await once(socket, 'connect');
  return socket;
}
