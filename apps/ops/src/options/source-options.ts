import type { Connector } from '@passerelle/connectors';
import { httpCredentialProblem, isPublicAddress } from '@passerelle/connectors/operators';
import { GATEWAY_SETTINGS } from '@passerelle/domain';
import { assertCredentials, normalizeSettings, parseSourceUrl, type SourcePolicy } from '@passerelle/operations';
import { parseNamedValues } from './values';

/** The address of a feed. @throws BadValue */
export function parseSourceOption(text: string, connector: Pick<Connector, 'fetch'>, policy: SourcePolicy): string {
  return parseSourceUrl(text, connector, { ...policy, isPublicAddress });
}

/** @throws UsageError or BadValue; BadValue repeats no secret. */
export function parseCredentials(
  texts: readonly string[],
  connector: Pick<Connector, 'credentials' | 'fetch'>,
): Record<string, string> {
  const credentials = parseNamedValues('--credential', texts, connector.credentials);
  assertCredentials(credentials, connector, { httpCredentialProblem });
  return credentials;
}

/** @throws UsageError, BadValue */
export function parseSettings(
  texts: readonly string[],
  connector: Pick<Connector, 'settings'>,
): Record<string, string> {
  return normalizeSettings(parseNamedValues('--set', texts, { ...connector.settings, ...GATEWAY_SETTINGS }));
}
