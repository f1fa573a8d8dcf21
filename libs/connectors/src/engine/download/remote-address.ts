import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { AccessRefused } from '@passerelle/domain';

/** An address of a file on an ftp, ftps or sftp server, taken apart. */
export interface RemoteAddress {
  protocol: 'ftp' | 'ftps' | 'sftp';
  /** A name in ASCII, or an IP address without brackets. */
  host: string;
  port: number;
  /** As the server is asked for it. */
  path: string;
  /** Of `path`; empty for the one that the login starts in. */
  directory: string;
  /** Of `path`: its last segment. */
  name: string;
  user: string | undefined;
  password: string | undefined;
}

const DEFAULT_PORTS = { ftp: 21, ftps: 21, sftp: 22 } as const;

/**
 * Takes an address apart. As everywhere, paths of ftp and ftps start where the login does, and `//` leads to the root;
 * paths of sftp start at the root, and `/~/` leads to where the login does.
 *
 * @throws AccessRefused
 */
export function parseRemoteAddress(address: string, shown: string): RemoteAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const protocol = url?.protocol.slice(0, -1);
  if (url === undefined || (protocol !== 'ftp' && protocol !== 'ftps' && protocol !== 'sftp')) {
    throw new AccessRefused(`${shown} is not an ftp, ftps or sftp address`);
  }
  const host = hostOf(url);
  if (host === '') throw new AccessRefused(`${shown} names no host`);
  const port = url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port);
  const path = pathOf(protocol, decoded(url.pathname, shown));
  const cut = path.lastIndexOf('/') + 1;
  const [directory, name] = [path.slice(0, cut), path.slice(cut)];
  if (name === '') throw new AccessRefused(`${shown} names no file`);
  if (directory.includes('*')) throw new AccessRefused(`${shown} may have a * in the name of the file only`);
  return {
    ...{ protocol, host, port, path, directory, name },
    user: url.username === '' ? undefined : decoded(url.username, shown),
    password: url.password === '' ? undefined : decoded(url.password, shown),
  };
}

/** The URL parser leaves the hosts of protocols that it does not know as they are written. */
function hostOf(url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? domainToASCII(host) : host;
}

function pathOf(protocol: RemoteAddress['protocol'], pathname: string): string {
  if (protocol !== 'sftp') return pathname.replace(/^\//, '');
  return pathname.startsWith('/~/') ? pathname.slice('/~/'.length) : pathname;
}

function decoded(text: string, shown: string): string {
  try {
    const plain = decodeURIComponent(text);
    // A line break would end the command that it travels in.
    if (!/[\u0000-\u001f\u007f]/.test(plain)) return plain;
  } catch {
    // The same answer as for control characters.
  }
  throw new AccessRefused(`${shown} holds characters that no address has`);
}
