import type { Connector } from '@passerelle/connectors';
import { httpCredentialProblem } from '@passerelle/connectors/operators';
import { GATEWAY_SETTINGS, normalizeGatewaySetting, isUrl } from '@passerelle/domain';
import { UsageError } from '../errors';
import { parseNamedValues } from './values';

const WEB = ['http:', 'https:'];
const FILE_SERVER = ['ftp:', 'ftps:', 'sftp:'];

/**
 * The address of a feed. What is wrong with it is said without repeating it: it may hold a password.
 *
 * @throws UsageError
 */
export function parseSourceUrl(text: string, { fetch }: Pick<Connector, 'fetch'>): string {
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
  return text;
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
