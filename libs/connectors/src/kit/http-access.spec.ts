import { AccessRefused } from '@passerelle/domain';
import type { SourceRequest } from './contracts';
import { basicAuthorization, documentFetch, httpCredentialProblem, splitUserInfo } from './http-access';

describe('splitUserInfo', () => {
  it.each([
    ['https://x.example/feed.xml', { url: 'https://x.example/feed.xml' }],
    ['https://u:p%40ss@x.example/feed.xml', { url: 'https://x.example/feed.xml', user: 'u', password: 'p@ss' }],
    ['file:immo.zip', { url: 'file:immo.zip' }],
    ['sftp://u:p@x.example/immo.zip', { url: 'sftp://u:p@x.example/immo.zip' }],
    ['', { url: '' }],
  ])('splits %j', (address, expected) => {
    expect(splitUserInfo(address)).toEqual(expected);
  });
});

it('basicAuthorization writes the header of Basic authentication', () => {
  expect(basicAuthorization('é', 'b')).toEqual({ authorization: 'Basic w6k6Yg==' });
});

describe('documentFetch', () => {
  it('requests a URL without credentials unchanged', () => {
    expect(documentFetch().request({ url: 'https://x.example/f', credentials: {}, settings: {} })).toEqual({
      ...{ url: 'https://x.example/f', headers: {} },
    });
  });

  it('prefers the credentials of the gateway to those in the URL', () => {
    const request = documentFetch().request({
      url: 'https://a:b@x.example/f',
      credentials: { user: 'u', password: 'p' },
      settings: {},
    });
    expect(request).toEqual({ url: 'https://x.example/f', headers: basicAuthorization('u', 'p') });
  });

  it('moves credentials from the URL into the header', () => {
    const request = documentFetch().request({ url: 'https://a:b@x.example/f', credentials: {}, settings: {} });
    expect(request).toEqual({ url: 'https://x.example/f', headers: basicAuthorization('a', 'b') });
  });
});

function requestFor(url: string, credentials: Record<string, string>): SourceRequest {
  return documentFetch().request({ url, credentials, settings: {} });
}

describe('a document over http(s)', () => {
  it('is requested with a bearer token, which has priority over a login in the URL', () => {
    expect(requestFor('https://a:b@x.example/f', { token: 't0k~n==' })).toEqual({
      url: 'https://x.example/f',
      headers: { authorization: 'Bearer t0k~n==' },
    });
  });

  it('is requested with a header', () => {
    expect(requestFor('https://x.example/f', { header: 'X-Api-Key', 'header-value': 'k é' })).toEqual({
      url: 'https://x.example/f',
      headers: { 'x-api-key': 'k é' },
    });
    const own = { header: 'Authorization', 'header-value': 'ApiKey 1' };
    expect(requestFor('https://a:b@x.example/f', own).headers).toEqual({ authorization: 'ApiKey 1' });
  });

  it.each([
    ['https://x.example/f', 'https://x.example/f?key=a%26%2B%20b'],
    ['https://x.example?a=%20b+c&$top=5&d', 'https://x.example/?a=%20b+c&$top=5&d&key=a%26%2B%20b'],
    ['http://x.example/f?#part', 'http://x.example/f?key=a%26%2B%20b#part'],
    ['https://x.example/f?key=old&keys=1&k%65y=older&a=key', 'https://x.example/f?keys=1&a=key&key=a%26%2B%20b'],
  ])('is requested with a parameter, while all other parameters stay unchanged: %s', (url, expected) => {
    expect(requestFor(url, { query: 'key', 'query-value': 'a&+ b' })).toEqual({
      ...{ url: expected, secretParameter: 'key' },
      headers: {},
    });
  });

  it('may be requested with a login, a header and a parameter together', () => {
    const credentials = {
      username: 'u',
      password: 'p',
      header: 'X-A',
      'header-value': '1',
      query: 'q',
      'query-value': '2',
    };
    expect(requestFor('https://x.example/f', credentials)).toEqual({
      ...{ url: 'https://x.example/f?q=2', secretParameter: 'q' },
      headers: { ...basicAuthorization('u', 'p'), 'x-a': '1' },
    });
  });

  it('is not requested with invalid credentials', () => {
    expect(() => requestFor('https://x.example/f', { header: 'Host', 'header-value': 'x' })).toThrow(
      new AccessRefused('the credential header may not be Host: it is no credential'),
    );
  });
});

it.each(['file:feed.xml', 'sftp://x.example/f', 'https://us er@', ''])(
  'documentFetch adds no http(s) credentials to a request for %j',
  (url) => {
    expect(requestFor(url, { token: 't', query: 'q', 'query-value': '2' })).toEqual({ url });
  },
);

describe('credentials for http(s)', () => {
  it.each([
    ['empty', {}],
    ['a login', { user: 'u', password: 'é\n' }],
    ['for another protocol', { username: 'u', 'private-key': 'line\nline' }],
  ])('are accepted when they are %s', (_what, credentials) => {
    expect(httpCredentialProblem(credentials)).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['header and header-value belong together: give both', { header: 'X-Api-Key' }],
    ['header and header-value belong together: give both', { 'header-value': 'secret' }],
    ['query and query-value belong together: give both', { query: 'key' }],
    ['query and query-value belong together: give both', { 'query-value': 'secret' }],
    ['token is one word in ASCII, without "Bearer"', { token: 'Bearer secret' }],
    ['token is one word in ASCII, without "Bearer"', { token: 'secret\r\nHost: x' }],
    ['header is not the name of a header', { header: 'X Api', 'header-value': 'secret' }],
    ['header is not the name of a header', { header: 'X-Api:', 'header-value': 'secret' }],
    ['header-value is not valid in a header', { header: 'X-Api', 'header-value': 'secret\r\nHost: x' }],
    ['header-value is not valid in a header', { header: 'X-Api', 'header-value': 'secret €' }],
    ['user, token and the header Authorization exclude one another', { user: 'u', token: 'secret' }],
    ['user, token and the header Authorization exclude one another', { username: 'u', token: 'secret' }],
    [
      'user, token and the header Authorization exclude one another',
      { token: 'secret', header: 'authorization', 'header-value': 'secret' },
    ],
  ])('are refused: %s', (problem, credentials) => {
    expect(httpCredentialProblem(credentials)).toBe(problem);
  });

  it.each([
    ...['Host', 'Content-Length', 'content-type', 'Connection', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade'],
    ...['Keep-Alive', 'Proxy-Authorization', 'Expect', 'Range', 'If-None-Match', 'Via', 'Forwarded'],
    // The client also sends these headers to another origin after a redirect.
    ...['User-Agent', 'Accept', 'Accept-Encoding', 'accept-language'],
  ])('are refused in the header %s', (header) => {
    expect(httpCredentialProblem({ header, 'header-value': 'x' })).toBe(
      `header may not be ${header}: it is no credential`,
    );
  });
});
