import type { DocumentFetch, SourceConfig, SourceRequest } from './contracts';

/** An address without the name and password that may stand in it. */
export interface Access {
  url: string;
  user?: string;
  password?: string;
}

/** Takes `user:password@` out of an http(s) address; other addresses stay as they are. */
export function splitUserInfo(address: string): Access {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return { url: address };
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { url: address };
  const access: Access = { url: '', user: decode(url.username), password: decode(url.password) };
  url.username = '';
  url.password = '';
  access.url = url.href;
  return access;
}

/** The header of HTTP Basic authentication. */
export function basicAuthorization(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}

/** The first credential that is set, of several names for the same thing. */
export function credential(source: SourceConfig, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = source.credentials[name];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The credentials of a feed that asks for a login, for the declaration of its connector. */
export const DOCUMENT_CREDENTIALS: Readonly<Record<string, string>> = {
  user: 'Name for the login, where the source asks for one: HTTP Basic, ftp, ftps or sftp.',
  password: 'Password that belongs to `user`.',
};

/** A feed that is one document: the gateway's address, with HTTP Basic authentication where credentials are set. */
export function documentFetch(): DocumentFetch {
  return { kind: 'document', request: documentRequest };
}

function documentRequest(source: SourceConfig): SourceRequest {
  const access = splitUserInfo(source.url);
  const user = credential(source, ['user', 'username']) ?? access.user;
  const isHttp = /^https?:/i.test(access.url);
  if (user === undefined || !isHttp) return { url: access.url };
  return {
    url: access.url,
    headers: basicAuthorization(user, credential(source, ['password']) ?? access.password ?? ''),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
