import type { Connector } from '@passerelle/connectors';
import { isIP } from 'node:net';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpCredentialProblem, isPublicAddress } from '@passerelle/connectors/operators';
import { GATEWAY_SETTINGS, normalizeGatewaySetting, isUrl } from '@passerelle/domain';
import { UsageError } from '../errors';
import { parseNamedValues } from './values';

const WEB = ['http:', 'https:'];
const FILE_SERVER = ['ftp:', 'ftps:', 'sftp:'];

/** What the ingestors may read, as far as this process is set as they are. */
export interface SourcePolicy {
  inboxDir: string;
  /** `host:port` pairs that may be private. */
  allowPrivate: readonly string[];
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
 * @throws UsageError
 */
export function parseSourceUrl(text: string, { fetch }: Pick<Connector, 'fetch'>, policy: SourcePolicy): string {
  const url = isUrl(text) ? new URL(text) : null;
  if (fetch.kind === 'pages' && (url === null || !WEB.includes(url.protocol))) {
    throw new UsageError('--source takes an http: or https: URL: this connector asks an API');
  }
  if (url === null || ![...WEB, ...FILE_SERVER, 'file:'].includes(url.protocol)) {
    throw new UsageError('--source takes an http:, https:, ftp:, ftps:, sftp: or file: URL');
  }
  if (url.protocol === 'file:' && url.host !== '') {
    throw new UsageError('--source takes a file of the inbox as file:NAME, or as file:///PATH');
  }
  if (FILE_SERVER.includes(url.protocol) && (url.hostname === '' || /(^|\/)$/.test(url.pathname))) {
    throw new UsageError(`--source takes a file on a server as ${url.protocol}//HOST/PATH/NAME`);
  }
  if (url.protocol === 'file:') assertInInbox(text, url, policy);
  else assertPublic(url, policy);
  return text;
}

function assertInInbox(text: string, url: URL, { inboxDir }: SourcePolicy): void {
  const inbox = resolve(inboxDir);
  const path = /^file:\/\//i.test(text) ? fileURLToPath(url) : resolve(inbox, text.replace(/^file:/i, ''));
  if (path.startsWith(inbox + sep)) return;
  throw new UsageError(
    `--source names a file outside of the inbox, which no ingestor reads; the inbox is ${inbox} (INBOX_DIR)`,
  );
}

/** The ingestors' own guard, for what needs no name server: a name may lead elsewhere tomorrow. */
function assertPublic({ protocol, hostname, port }: URL, { allowPrivate }: SourcePolicy): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = `${hostname}:${port === '' ? (PORTS[protocol] ?? '') : port}`;
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));
  if (!isPrivate || allowPrivate.includes(place)) return;
  throw new UsageError(
    `--source is a private address, which no ingestor asks unless ALLOW_PRIVATE_SOURCES has ${place}, here as well`,
  );
}

/**
 * The credentials of a source, by the names that its connector takes.
 *
 * @throws UsageError that repeats no secret.
 */
export function parseCredentials(
  texts: readonly string[],
  connector: Pick<Connector, 'credentials' | 'fetch'>,
): Record<string, string> {
  const credentials = parseNamedValues('--credential', texts, connector.credentials);
  const problem = connector.fetch.kind === 'document' ? httpCredentialProblem(credentials) : undefined;
  if (problem !== undefined) throw new UsageError(`--credential ${problem}`);
  return credentials;
}

/** Everything that `--set` understands for a gateway of this connector. @throws UsageError */
export function parseSettings(
  texts: readonly string[],
  connector: Pick<Connector, 'settings'>,
): Record<string, string> {
  const settings = parseNamedValues('--set', texts, { ...connector.settings, ...GATEWAY_SETTINGS });
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, parseSetting(name, value)]));
}

function parseSetting(name: string, value: string): string {
  try {
    return normalizeGatewaySetting(name, value);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--set ${error.message}`);
    throw error;
  }
}
