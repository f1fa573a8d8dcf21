import type { Connector } from '@passerelle/connectors';
import { isIP } from 'node:net';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUrl, normalizeGatewaySetting } from '@passerelle/domain';
import { BadValue, collectBadValues } from './values';

const WEB = ['http:', 'https:'];
const FILE_SERVER = ['ftp:', 'ftps:', 'sftp:'];

/** The restrictions on sources. They equal the restrictions of the ingestors if this process has the same settings. */
export interface SourcePolicy {
  inboxDir: string;
  /** `host:port` pairs that may have private addresses. */
  allowPrivate: readonly string[];
}

/** Whether a connector calls an API or fetches a document. */
interface Fetched {
  fetch: Pick<Connector['fetch'], 'kind'>;
}

export interface SourceChecks {
  isPublicAddress(address: string): boolean;
  /** Describes the problem; undefined when the credentials can be sent. */
  httpCredentialProblem(credentials: Readonly<Record<string, string>>): string | undefined;
}

const PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ftp:': '21',
  'ftps:': '990',
  'sftp:': '22',
};

/** The error does not contain the address, because it may include a password. @throws BadValue */
export function parseSourceUrl(
  text: string,
  { fetch }: Fetched,
  policy: SourcePolicy & Pick<SourceChecks, 'isPublicAddress'>,
): string {
  const url = isUrl(text) ? new URL(text) : null;
  if (fetch.kind !== 'document' && (url === null || !WEB.includes(url.protocol))) {
    throw new BadValue('--source', 'takes an http: or https: URL: this connector reads an API');
  }
  if (url === null || ![...WEB, ...FILE_SERVER, 'file:'].includes(url.protocol)) {
    throw new BadValue('--source', 'takes an http:, https:, ftp:, ftps:, sftp: or file: URL');
  }
  if (url.protocol === 'file:' && url.host !== '') {
    throw new BadValue('--source', 'takes a file of the inbox as file:NAME, or as file:///PATH');
  }
  if (FILE_SERVER.includes(url.protocol) && (url.hostname === '' || /(^|\/)$/.test(url.pathname))) {
    throw new BadValue('--source', `takes a file on a server as ${url.protocol}//HOST/PATH/NAME`);
  }
  if (url.protocol === 'file:') assertInInbox(text, url, policy);
  else assertPublic(url, policy);
  return text;
}

function assertInInbox(text: string, url: URL, { inboxDir }: SourcePolicy): void {
  const inbox = resolve(inboxDir);
  const path = /^file:\/\//i.test(text) ? pathOf(url) : resolve(inbox, text.replace(/^file:/i, ''));
  if (path?.startsWith(inbox + sep) === true) return;
  throw new BadValue(
    '--source',
    `names a file outside the inbox, the only folder that ingestors read: ${inbox} (INBOX_DIR)`,
  );
}

/** Undefined for an address that is not a path, for example one with an encoded slash. */
function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Makes the ingestors' check without name resolution, because the address of a name may change at any time. */
function assertPublic(
  { protocol, hostname, port }: URL,
  { allowPrivate, isPublicAddress }: SourcePolicy & Pick<SourceChecks, 'isPublicAddress'>,
): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = `${hostname}:${port === '' ? (PORTS[protocol] ?? '') : port}`;
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));
  if (!isPrivate || allowPrivate.includes(place)) return;
  throw new BadValue(
    '--source',
    `is a private address. Ingestors only call it when ALLOW_PRIVATE_SOURCES contains ${place}, here as well`,
  );
}

/** @throws BadValue for credentials that cannot be sent to a source; the message contains no secret. */
export function assertCredentials(
  credentials: Readonly<Record<string, string>>,
  { fetch }: Fetched,
  { httpCredentialProblem }: Pick<SourceChecks, 'httpCredentialProblem'>,
): void {
  const problem = fetch.kind === 'document' ? httpCredentialProblem(credentials) : undefined;
  if (problem !== undefined) throw new BadValue('--credential', problem);
}

/** Settings in their stored form. @throws BadValues */
export function normalizeSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  const checks = Object.entries(settings).map(([name, value]) => (): [string, string] => [
    name,
    normalized(name, value),
  ]);
  return Object.fromEntries(collectBadValues(...checks));
}

function normalized(name: string, value: string): string {
  try {
    return normalizeGatewaySetting(name, value);
  } catch (error) {
    if (error instanceof RangeError) throw new BadValue('--set', error.message);
    throw error;
  }
}
