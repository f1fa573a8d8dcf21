import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { AccessRefused, isUrl, trimEndOf } from '@passerelle/domain';
import type { SourceConfig } from '../../../kit/contracts';
import { credential } from '../../../kit/http-access';

export interface RemoteAddress {
  protocol: 'ftp' | 'ftps' | 'sftp';
  /** A name in ASCII, or an IP address without brackets. */
  host: string;
  port: number;
  /** The path as it is sent to the server. */
  path: string;
  /** The directory of `path`; empty for the login's own directory. */
  directory: string;
  /** The last segment of `path`. */
  name: string;
  user: string | undefined;
  password: string | undefined;
}

const DEFAULT_PORTS = { ftp: 21, ftps: 21, sftp: 22 } as const;

/**
 * By convention, an ftp or ftps path is relative to the login's directory, unless it starts with `//`; an sftp path is
 * absolute, unless it starts with `/~/`. @throws AccessRefused
 */
export function parseRemoteAddress(address: string, shown: string): RemoteAddress {
  const url = isUrl(address) ? new URL(address) : undefined;
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
  if (directory.includes('*')) throw new AccessRefused(`${shown} may have a * only in the name of the file`);
  return {
    ...{ protocol, host, port, path, directory, name },
    user: url.username === '' ? undefined : decoded(url.username, shown),
    password: url.password === '' ? undefined : decoded(url.password, shown),
  };
}

/** The URL parser does not normalize hosts of protocols that it does not know. */
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
    // A line break would end the FTP command that contains the path.
    if (!/[\u0000-\u001f\u007f]/.test(plain)) return plain;
  } catch {
    // Invalid escapes cause the same error as control characters.
  }
  throw new AccessRefused(`${shown} contains characters that are not allowed in an address`);
}

export interface RemoteLogin {
  user: string | undefined;
  password: string | undefined;
  /** In OpenSSH or PEM format. */
  privateKey: string | undefined;
  passphrase: string | undefined;
  /** SHA-256 of the sftp server's host key, in Base64 without padding. */
  hostKey: string | undefined;
}

/** The gateway's credentials take precedence over those in the address. @throws AccessRefused */
export function loginFor(address: RemoteAddress, source: SourceConfig, shown: string): RemoteLogin {
  const login = {
    user: credential(source, ['username', 'user']) ?? address.user,
    password: credential(source, ['password']) ?? address.password,
  };
  if (/[\r\n\0]/.test(`${login.user ?? ''}${login.password ?? ''}`)) {
    throw new AccessRefused(`the credentials for ${shown} hold a line break`);
  }
  return {
    ...login,
    // Private keys that are typed on a command line may contain \n for a line break.
    privateKey: credential(source, ['private-key'])?.replaceAll('\\n', '\n'),
    passphrase: credential(source, ['passphrase']),
    hostKey: hostKeyOf(source.settings['host-key']),
  };
}

function hostKeyOf(setting: string | undefined): string | undefined {
  if (setting === undefined || setting === '') return undefined;
  const fingerprint = trimEndOf(setting.trim().replace(/^SHA256:/i, ''), '=');
  if (/^[A-Za-z0-9+/]{43}$/.test(fingerprint)) return fingerprint;
  throw new AccessRefused('the setting host-key is not a fingerprint as `ssh-keygen -l` prints it: SHA256:…');
}
