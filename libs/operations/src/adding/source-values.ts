import type { Connector } from '@passerelle/connectors';
import { isIP } from 'node:net';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUrl, normalizeGatewaySetting } from '@passerelle/domain';
import { BadValue } from './values';

const WEB = ['http:', 'https:'];
const FILE_SERVER = ['ftp:', 'ftps:', 'sftp:'];

/** What the ingestors may read, as far as this process is set as they are. */
export interface SourcePolicy {
  inboxDir: string;
  /** `host:port` pairs that may be private. */
  allowPrivate: readonly string[];
}

/** Whether a connector asks an API or fetches a document. */
interface Fetched {
  fetch: Pick<Connector['fetch'], 'kind'>;
}

/** What the connectors' library knows of addresses and logins. */
export interface SourceChecks {
  isPublicAddress(address: string): boolean;
  /** In words; undefined for credentials that can be sent. */
  httpCredentialProblem(credentials: Readonly<Record<string, string>>): string | undefined;
}

const PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ftp:': '21',
  'ftps:': '990',
  'sftp:': '22',
};

/**
 * The address of a feed. What is wrong with it is said without repeating it: it may hold a password.
 *
 * @throws BadValue
 */
export function parseSourceUrl(
  text: string,
  { fetch }: Fetched,
  policy: SourcePolicy & Pick<SourceChecks, 'isPublicAddress'>,
): string {
  const url = isUrl(text) ? new URL(text) : null;
  if (fetch.kind !== 'document' && (url === null || !WEB.includes(url.protocol))) {
    throw new BadValue('--source', 'takes an http: or https: URL: this connector asks an API');
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
    `names a file outside of the inbox, which no ingestor reads; the inbox is ${inbox} (INBOX_DIR)`,
  );
}

/** Undefined for an address that stands for no path, like one with an encoded slash. */
function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** The ingestors' own guard, for what needs no name server: a name may lead elsewhere tomorrow. */
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
    `is a private address, which no ingestor asks unless ALLOW_PRIVATE_SOURCES has ${place}, here as well`,
  );
}

/** @throws BadValue that repeats no secret, for credentials that a source cannot be sent. */
export function assertCredentials(
  credentials: Readonly<Record<string, string>>,
  { fetch }: Fetched,
  { httpCredentialProblem }: Pick<SourceChecks, 'httpCredentialProblem'>,
): void {
  const problem = fetch.kind === 'document' ? httpCredentialProblem(credentials) : undefined;
  if (problem !== undefined) throw new BadValue('--credential', problem);
}

/** Settings as they are stored. @throws BadValue */
export function normalizeSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, normalized(name, value)]));
}

function normalized(name: string, value: string): string {
  try {
    return normalizeGatewaySetting(name, value);
  } catch (error) {
    if (error instanceof RangeError) throw new BadValue('--set', error.message);
    throw error;
  }
}
