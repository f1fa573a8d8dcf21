import { AccessRefused, isUrl, trimEndOf } from '@passerelle/domain';
import type { DocumentFetch, SourceConfig, SourceRequest } from './contracts';

export interface Access {
  url: string;
  user?: string;
  password?: string;
}

/** Removes `user:password@` from an http(s) address; other addresses stay unchanged. */
export function splitUserInfo(address: string): Access {
  if (!/^https?:\/\//i.test(address) || !isUrl(address)) return { url: address };
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { url: address };
  const access: Access = { url: '', user: decode(url.username), password: decode(url.password) };
  url.username = '';
  url.password = '';
  access.url = url.href;
  return access;
}

export function basicAuthorization(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}

/** The first credential that is set, among several names for the same thing. */
export function credential(source: SourceConfig, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = source.credentials[name];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

export const DOCUMENT_CREDENTIALS: Readonly<Record<string, string>> = {
  user: 'User name, if the source needs a login: HTTP Basic, ftp, ftps or sftp.',
  password: 'Password that belongs to `user`.',
};

/** Requests the gateway's address, over http(s) with the gateway's credentials. */
export function documentFetch(): DocumentFetch {
  return { kind: 'document', request: documentRequest };
}

/** @throws AccessRefused when the credentials cannot be sent. */
function documentRequest(source: SourceConfig): SourceRequest {
  const access = splitUserInfo(source.url);
  if (!/^https?:/i.test(access.url) || !isUrl(access.url)) return { url: access.url };
  const problem = httpCredentialProblem(source.credentials);
  if (problem !== undefined) throw new AccessRefused(`the credential ${problem}`);
  const { query, 'query-value': queryValue = '' } = source.credentials;
  const headers = { ...authorizationOf(source, access), ...headerOf(source) };
  if (query === undefined) return { url: access.url, headers };
  return { url: withParameter(access.url, query, queryValue), secretParameter: query, headers };
}

function authorizationOf(source: SourceConfig, access: Access): Record<string, string> {
  const token = credential(source, ['token']);
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  const user = credential(source, ['user', 'username']) ?? access.user;
  if (user === undefined) return {};
  return basicAuthorization(user, credential(source, ['password']) ?? access.password ?? '');
}

function headerOf({ credentials: { header, 'header-value': value = '' } }: SourceConfig): Record<string, string> {
  return header === undefined ? {} : { [header.toLowerCase()]: value };
}

/**
 * Sets a query parameter, and replaces any others of the same name. All other parameters stay as written, because a
 * signature may cover them.
 */
function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  removeParameter(url, name);
  url.search += `${url.search === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return url.href;
}

/** Removes a parameter from an address, and leaves the others as they are written. */
export function removeParameter(url: URL, name: string): void {
  const pairs = url.search.slice(1).split('&');
  url.search = pairs.filter((pair) => decode(pair.replace(/=.*/s, '').replaceAll('+', ' ')) !== name).join('&');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const HTTP_CREDENTIALS: Readonly<Record<string, string>> = {
  token: 'For http(s): a bearer token, sent as "Authorization: Bearer …".',
  header: 'For http(s): name of a header that authenticates, such as "X-Api-Key"; needs `header-value`.',
  'header-value': 'For http(s): the value of `header`.',
  query: 'For http(s): name of a query parameter that authenticates, added to the address; needs `query-value`.',
  'query-value': 'For http(s): the value of `query`, before URL encoding.',
};

// Headers that must not be used as a credential: those of the connection, the body or the engine, and those that are
// also sent to other hosts after a redirect.
const NO_CREDENTIAL =
  /^(?:accept.*|connection|content-.*|expect|forwarded|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
const ONE_WORD = /^[\x21-\x7e]+$/;

/** Returns the fault in credentials for http(s), or undefined. The text never contains a secret. */
export function httpCredentialProblem(credentials: Readonly<Record<string, string>>): string | undefined {
  const { token, header } = credentials;
  for (const name of ['header', 'query']) {
    if ((credentials[name] === undefined) !== (credentials[`${name}-value`] === undefined)) {
      return `${name} and ${name}-value belong together: give both`;
    }
  }
  if (token !== undefined && !ONE_WORD.test(token)) return 'token is one word in ASCII, without "Bearer"';
  if (header !== undefined && !HEADER_NAME.test(header)) return 'header is not the name of a header';
  if (header !== undefined && NO_CREDENTIAL.test(header)) return `header may not be ${header}: it is no credential`;
  if (!HEADER_VALUE.test(credentials['header-value'] ?? ' ')) return 'header-value is not valid in a header';
  const user = credentials['user'] ?? credentials['username'];
  const ofHeader = header?.toLowerCase() === 'authorization' ? header : undefined;
  return [user, token, ofHeader].filter((login) => login !== undefined).length > 1
    ? 'user, token and the header Authorization exclude one another'
    : undefined;
}

/**
 * Removes one of the API's own paths from the end of `pathname`. `endings` lists these paths without outer slashes, the
 * longest first.
 */
export function basePath(pathname: string, ...endings: readonly string[]): string {
  const path = trimEndOf(pathname, '/');
  const ending = endings.find((one) => path.endsWith(`/${one}`));
  return ending === undefined ? path : trimEndOf(path.slice(0, -ending.length), '/');
}

/** The credentials for fetching one document over http(s), ftp, ftps or sftp, the same for all connectors. */
export const TRANSPORT_CREDENTIALS: Readonly<Record<string, string>> = {
  ...DOCUMENT_CREDENTIALS,
  username: 'The same as `user`.',
  ...HTTP_CREDENTIALS,
  'private-key': 'For sftp: the private key that belongs to `user`, in the format of OpenSSH or PEM.',
  passphrase: 'For sftp: opens `private-key`, where it is encrypted.',
};

export const TRANSPORT_SETTINGS: Readonly<Record<string, string>> = {
  'host-key': 'For sftp: fingerprint of the key that the server must show, SHA256:…; without it any key is accepted.',
};

export const ARCHIVE_SETTINGS: Readonly<Record<string, string>> = {
  photos: 'Archive of the photos, if they are not in the archive of the data: its file in the inbox, file:NAME.zip.',
};
