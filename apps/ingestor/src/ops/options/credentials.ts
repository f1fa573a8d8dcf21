import { type Connector, httpCredentialProblem } from '@passerelle/connectors';
import { WrongUse } from '../failures';
import { parseNamedValues } from './named-values';

/**
 * The credentials of a source, by the names that its connector takes.
 *
 * @throws WrongUse that repeats no secret.
 */
export function parseCredentials(
  texts: readonly string[],
  connector: Pick<Connector, 'credentials' | 'fetch'>,
): Record<string, string> {
  const credentials = parseNamedValues('--credential', texts, connector.credentials);
  const problem = connector.fetch.kind === 'document' ? httpCredentialProblem(credentials) : undefined;
  if (problem !== undefined) throw new WrongUse(`--credential ${problem}`);
  return credentials;
}
