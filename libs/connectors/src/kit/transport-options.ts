import { DOCUMENT_CREDENTIALS } from './http-access';
import { HTTP_CREDENTIALS } from './http-credentials';

/** The credentials with which one document can be fetched, whatever its connector: over http(s), ftp, ftps or sftp. */
export const TRANSPORT_CREDENTIALS: Readonly<Record<string, string>> = {
  ...DOCUMENT_CREDENTIALS,
  username: 'The same as `user`.',
  ...HTTP_CREDENTIALS,
  'private-key': 'For sftp: the private key that belongs to `user`, in the format of OpenSSH or PEM.',
  passphrase: 'For sftp: opens `private-key`, where it is encrypted.',
};

/** The settings that go with them. */
export const TRANSPORT_SETTINGS: Readonly<Record<string, string>> = {
  'host-key': 'For sftp: fingerprint of the key that the server must show, SHA256:…; without it any key will do.',
};
