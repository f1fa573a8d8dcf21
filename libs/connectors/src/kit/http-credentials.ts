/** With what a document can be fetched over http(s), beside a login. */
export const HTTP_CREDENTIALS: Readonly<Record<string, string>> = {
  token: 'For http(s): a bearer token, sent as "Authorization: Bearer …".',
  header: 'For http(s): name of a header that lets in, as "X-Api-Key"; needs `header-value`.',
  'header-value': 'For http(s): what `header` holds.',
  query: 'For http(s): name of a parameter that lets in, added to the address; needs `query-value`.',
  'query-value': 'For http(s): what `query` holds, as it is before it is encoded.',
};

// What belongs to the connection, to the body or to the engine; and what a redirect takes to other hosts.
const NO_CREDENTIAL =
  /^(?:accept.*|connection|content-.*|expect|forwarded|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
const ONE_WORD = /^[\x21-\x7e]+$/;

/** What is wrong with credentials that a document is to be fetched with over http(s); never repeats a secret. */
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
  if (!HEADER_VALUE.test(credentials['header-value'] ?? ' ')) return 'header-value cannot stand in a header';
  const user = credentials['user'] ?? credentials['username'];
  const ofHeader = header?.toLowerCase() === 'authorization' ? header : undefined;
  return [user, token, ofHeader].filter((login) => login !== undefined).length > 1
    ? 'user, token and the header Authorization exclude one another'
    : undefined;
}
