import { AccessRefused } from '@passerelle/domain';
import type { SourceConfig } from '../../kit/contracts';
import { credential } from '../../kit/http-access';
import type { RemoteAddress } from './remote-address';

/** What a server is told, and what it must prove. */
export interface RemoteLogin {
  user: string | undefined;
  password: string | undefined;
  /** In the format of OpenSSH or PEM. */
  privateKey: string | undefined;
  passphrase: string | undefined;
  /** The SHA-256 of the key that an sftp server must show, in Base64 without padding. */
  hostKey: string | undefined;
}

/**
 * The login for a server: the gateway's credentials come before those in the address.
 *
 * @throws AccessRefused
 */
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
    // Where a line break is hard to type, \n stands for it.
    privateKey: credential(source, ['private-key'])?.replaceAll('\\n', '\n'),
    passphrase: credential(source, ['passphrase']),
    hostKey: hostKeyOf(source.settings['host-key']),
  };
}

function hostKeyOf(setting: string | undefined): string | undefined {
  if (setting === undefined || setting === '') return undefined;
  const fingerprint = setting
    .trim()
    .replace(/^SHA256:/i, '')
    .replace(/=+$/, '');
  if (/^[A-Za-z0-9+/]{43}$/.test(fingerprint)) return fingerprint;
  throw new AccessRefused('the setting host-key is not a fingerprint as `ssh-keygen -l` prints it: SHA256:…');
}
