import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';

import type { SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basicAuthorization } from '../../kit/http-access';
import { fakeClient } from '../../../../../test/support/connectors/fake-client';
import { RESO_WALK } from './walk';

const ROOT = 'https://api.example/odata';
const FIRST = `${ROOT}/Property?$expand=Media&$count=true&$top=200`;

function source(changes: Partial<SourceConfig> = {}): SourceConfig {
  return { url: ROOT, credentials: { token: 't0' }, settings: {}, ...changes };
}

/** A token endpoint that gives its answers in order. */
function fakeApi(...answers: unknown[]): SourceClient & { asked: SourceRequest[] } {
  const asked: SourceRequest[] = [];
  return fakeClient({
    asked,
    getJson: (request: SourceRequest) => {
      asked.push(request);
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
}

async function firstUrl(changes: Partial<SourceConfig>): Promise<string | undefined> {
  return (await RESO_WALK.prepare(source(changes), fakeApi())).walks[0]?.url;
}

describe('first URL of a RESO source', () => {
  it.each([
    [ROOT, FIRST],
    [`${ROOT}/`, FIRST],
    [`${ROOT}/Property`, FIRST],
    [`${ROOT}/Property/`, `${ROOT}/Property/?$expand=Media&$count=true&$top=200`],
    [`${ROOT}/Property/replication`, `${ROOT}/Property/replication?$expand=Media&$count=true&$top=200`],
    [
      'https://api.example/properties/odata',
      'https://api.example/properties/odata/Property?$expand=Media&$count=true&$top=200',
    ],
    ['https://api.example/data.svc', 'https://api.example/data.svc/Property?$expand=Media&$count=true&$top=200'],
    ['https://files.example/page1.json', 'https://files.example/page1.json?$expand=Media&$count=true&$top=200'],
    [`${ROOT}/Property?access_token=abc`, `${ROOT}/Property?access_token=abc&$expand=Media&$count=true&$top=200`],
    [`${ROOT}/Property?$filter=City%20eq%20%27X%27`, `${ROOT}/Property?$filter=City%20eq%20%27X%27`],
    [`${ROOT}/Property?%24top=5`, `${ROOT}/Property?%24top=5`],
    [`${ROOT}?$top=5`, `${ROOT}/Property?$top=5`],
  ])('for %s is %s', async (url, expected) => {
    expect(await firstUrl({ url })).toBe(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ expand: 'non', count: 'non', top: 'non' }, `${ROOT}/Property`],
    [{ top: '1000', expand: 'Media,Rooms' }, `${ROOT}/Property?$expand=Media%2CRooms&$count=true&$top=1000`],
    [
      { filter: "OriginatingSystemName eq 'demo'", select: 'ListingKey', expand: '0', top: '0' },
      `${ROOT}/Property?$select=ListingKey&$filter=OriginatingSystemName%20eq%20%27demo%27&$count=true`,
    ],
  ])('with the settings %j is %s', async (settings, expected) => {
    expect(await firstUrl({ settings })).toBe(expected);
  });

  it('keeps its query, and adds only parameters from the settings that the query lacks', async () => {
    const url = `${ROOT}/Property?$filter=City eq 'X'`;
    expect(await firstUrl({ url, settings: { expand: 'Media', filter: 'ignored' } })).toBe(
      `${ROOT}/Property?$filter=City%20eq%20%27X%27&$expand=Media`,
    );
  });

  it('names the query parameter that contains the token, for use in redirects', async () => {
    const { walks } = await RESO_WALK.prepare(source({ url: `${ROOT}?access_token=abc` }), fakeApi());
    expect(walks[0]?.secretParameter).toBe('access_token');
  });

  it.each([
    [{ url: `${ROOT}/Property/replication` }, true],
    [{ url: ROOT }, false],
    [{ url: ROOT, settings: { 'stable-pages': 'oui' } }, true],
    [{ url: `${ROOT}/Property/replication`, settings: { 'stable-pages': 'non' } }, false],
  ])('for %j has stable pages: %s', async (changes, expected) => {
    expect((await RESO_WALK.prepare(source(changes), fakeApi())).hasStablePages).toBe(expected);
  });

  it('must be a URL', async () => {
    await expect(firstUrl({ url: 'nowhere' })).rejects.toThrow(AccessRefused);
  });
});

describe('access to a RESO source', () => {
  const OAUTH = {
    credentials: { 'client-id': 'me', 'client-secret': 's&cret' },
    settings: { 'token-url': 'https://id.example/token', scope: 'api' },
  };
  const headersOf = async (changes: Partial<SourceConfig>, api = fakeApi()): Promise<SourceRequest['headers']> =>
    (await RESO_WALK.prepare(source(changes), api)).walks[0]?.headers;

  it.each<[string, Partial<SourceConfig>, Record<string, string>]>([
    ['a bearer token', {}, { authorization: 'Bearer t0' }],
    [
      'a bearer token called access_token',
      { credentials: { access_token: 'Bearer t1' } },
      { authorization: 'Bearer t1' },
    ],
    [
      'a user name and a password in the URL',
      { url: 'https://a:b@api.example/odata', credentials: {} },
      basicAuthorization('a', 'b'),
    ],
    ['no authorization when there are no credentials', { credentials: {} }, {}],
  ])('uses %s', async (_title, changes, expected) => {
    expect(await headersOf(changes)).toEqual({ accept: 'application/json', ...expected });
  });

  it('requests a token with a form', async () => {
    const api = fakeApi({ access_token: 't1', token_type: 'Bearer', expires_in: 3600 });
    expect(await headersOf(OAUTH, api)).toMatchObject({ authorization: 'Bearer t1' });
    expect(api.asked).toEqual([
      {
        url: 'https://id.example/token',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: 'grant_type=client_credentials&scope=api&client_id=me&client_secret=s%26cret',
      },
    ]);
  });

  it('requests a token with Basic authentication when the form is refused', async () => {
    const api = fakeApi(new BadFeed('https://id.example/token answered 400'), { access_token: 't2' });
    expect(await headersOf(OAUTH, api)).toMatchObject({ authorization: 'Bearer t2' });
    expect(api.asked[1]).toMatchObject({
      headers: basicAuthorization('me', 's&cret'),
      body: 'grant_type=client_credentials&scope=api',
    });
  });

  it('fails with the first refusal when both requests are refused, and immediately on an outage', async () => {
    const refused = new AccessRefused('https://id.example/token answered 401');
    await expect(headersOf(OAUTH, fakeApi(refused, new AccessRefused('again')))).rejects.toBe(refused);
    const outage = new RetryLater('https://id.example/token answered 503');
    await expect(headersOf(OAUTH, fakeApi(outage, { access_token: 't' }))).rejects.toBe(outage);
  });

  it('fails when the answer has no token, or when there is no URL for the token', async () => {
    await expect(headersOf(OAUTH, fakeApi({ error: 'x' }, {}))).rejects.toThrow('gave no access_token');
    await expect(headersOf({ ...OAUTH, settings: {} })).rejects.toThrow('token-url');
  });

  it('keeps the token out of the data for the mapping', async () => {
    const { feed } = await RESO_WALK.prepare(source(OAUTH), fakeApi({ access_token: 't1' }));
    expect(feed).toEqual({});
  });
});

describe('next page of a RESO source', () => {
  const headers = { accept: 'application/json', authorization: 'Bearer t0' };

  function walked(changes: Partial<WalkedPage> = {}): WalkedPage {
    const request = { url: FIRST, headers };
    return { request, records: 2, recordsSoFar: 2, resumeAt: 1, declared: 4, envelope: {}, ...changes };
  }

  function next(nextLink: unknown, changes: Partial<WalkedPage> = {}): SourceRequest | undefined {
    return RESO_WALK.next(walked({ envelope: { '@odata.nextLink': nextLink }, ...changes }));
  }

  it.each([
    [`${ROOT}/Property?$skiptoken=abc`, `${ROOT}/Property?$skiptoken=abc`],
    [`${ROOT}/Property?%24skiptoken=abc`, `${ROOT}/Property?%24skiptoken=abc`],
    ['https://api.example/other/path?page=2', 'https://api.example/other/path?page=2'],
    ['Property?$skip=2', `${ROOT}/Property?$skip=2`],
    ['?$skip=2', `${ROOT}/Property?$skip=2`],
    ['/v2/Property?$skip=2', 'https://api.example/v2/Property?$skip=2'],
    ['http://api.example/odata/Property?$skip=2', `${ROOT}/Property?$skip=2`],
    ['http://api.example:80/odata/Property?$skip=2', `${ROOT}/Property?$skip=2`],
  ])('is at the URL of the link %s, with the token', (link, url) => {
    expect(next(link)).toEqual({ url, headers });
  });

  it.each(['https://elsewhere.example/Property?$skip=2', 'https://api.example:8443/odata/Property', '//x.example/P'])(
    'on another origin, %s, does not get the token',
    (link) => {
      expect(next(link)).toEqual({ url: new URL(link, ROOT).href, headers: { accept: 'application/json' } });
    },
  );

  it.each([
    ['Property?$skip=2', `${ROOT}/Property?$skip=2&access_token=a%26b`],
    ['/v2/Property', 'https://api.example/v2/Property?access_token=a%26b'],
    ['Property?$skip=2&access_token=new', `${ROOT}/Property?$skip=2&access_token=new`],
    ['https://elsewhere.example/Property?$skip=2', 'https://elsewhere.example/Property?$skip=2'],
  ])('with the link %s gets the token parameter only on the same origin', (link, url) => {
    const request = { url: `${ROOT}/Property?access_token=a%26b&$top=2`, headers };
    expect(next(link, { request })?.url).toBe(url);
  });

  it.each(['token', 'apikey', 'server_token', 'subscription-key', 'Key'])('keeps the parameter %s', (name) => {
    const request = { url: `${ROOT}/Property?${name}=abc&$top=2`, headers };
    expect(next('Property?$skiptoken=x', { request })?.url).toBe(`${ROOT}/Property?$skiptoken=x&${name}=abc`);
  });

  it.each([undefined, null, ''])('does not exist when the link is %j', (link) => {
    expect(next(link)).toBeUndefined();
  });

  it('causes an error when the link is not a URL', () => {
    expect(() => next('http://')).toThrow(BadFeed);
    expect(() => next({})).toThrow(BadFeed);
  });

  it.each([
    [`${ROOT}/Property?$top=2&$count=true`, `${ROOT}/Property?$top=2&$count=true&$skip=1`],
    [`${ROOT}/Property?$skip=0&%24top=2`, `${ROOT}/Property?%24top=2&$skip=1`],
  ])('after %s is requested when the page was full and the server gives no link', (url, expected) => {
    expect(next(undefined, { request: { url, headers } })).toEqual({ url: expected, headers, overlaps: 1 });
  });

  it.each([
    ['Property?$skip=2&$top=2', 'Property?$skip=1&$top=2'],
    ['Property?$top=2&%24SKIP=2', 'Property?$top=2&%24SKIP=1'],
  ])('for a link that skips records (%s) can begin with the last record of the current page', (link, expected) => {
    const url = `${ROOT}/${link}`;
    const moved = { url: `${ROOT}/${expected}`, headers, overlaps: 1 };
    expect(RESO_WALK.overlapping?.({ url, headers }, walked())).toEqual(moved);
  });

  it('begins after the only record of a page, because the walk would not advance otherwise', () => {
    const page = { records: 1, recordsSoFar: 2, resumeAt: 1 };
    const link = { url: `${ROOT}/Property?$skip=2&$top=1`, headers };
    expect(RESO_WALK.overlapping?.(link, walked(page))).toEqual(link);
    const request = { url: `${ROOT}/Property?$top=1&$skip=1`, headers };
    expect(next(undefined, { ...page, request })).toEqual({ url: `${ROOT}/Property?$top=1&$skip=2`, headers });
  });

  it.each(['$skip=20', '$skip=1', '$skiptoken=2', 'skip=2'])('keeps the query %s as the server wrote it', (query) => {
    const request = { url: `${ROOT}/Property?${query}`, headers };
    expect(RESO_WALK.overlapping?.(request, walked())).toEqual(request);
  });

  it.each<[string, Partial<WalkedPage>]>([
    ['the page is not full', { records: 1, recordsSoFar: 1 }],
    ['the page is empty', { records: 0, recordsSoFar: 0 }],
  ])('does not exist without a link when %s', (_title, changes) => {
    expect(next(undefined, { request: { url: `${ROOT}/Property?$top=2`, headers }, ...changes })).toBeUndefined();
  });
});
