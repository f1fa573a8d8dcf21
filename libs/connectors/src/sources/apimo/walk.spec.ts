import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';

import type { SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basicAuthorization } from '../../kit/http-access';
import { fakeClient } from '../../../../../test/support/connectors/fake-client';
import { APIMO_WALK } from './walk';

const AGENCIES = {
  total_items: 2,
  agencies: [
    { id: 9001, name: 'Un', phone: '+33 1' },
    { id: 9002, name: 'Deux', phone: null },
  ],
};
const AUTHORIZATION = basicAuthorization('12', 'secret');

function source(changes: Partial<SourceConfig> = {}): SourceConfig {
  return { url: 'https://api.example', credentials: { provider: '12', token: 'secret' }, settings: {}, ...changes };
}

/** An API that gives `answer` to every request of `prepare`. */
function fakeApi(answer: unknown): SourceClient & { asked: SourceRequest[]; warnings: string[] } {
  const asked: SourceRequest[] = [];
  const warnings: string[] = [];
  return fakeClient({
    asked,
    warnings,
    getJson: (request: SourceRequest) => {
      asked.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    warn: (code: string, field: string, value: string) => warnings.push(`${code} ${field} ${value}`),
  });
}

describe('Apimo walks', () => {
  it('cover each agency that the provider sees, with one walk per agency', async () => {
    const api = fakeApi(AGENCIES);
    const { walks, feed } = await APIMO_WALK.prepare(source(), api);
    expect(api.asked).toEqual([{ url: 'https://api.example/agencies?limit=1000&offset=0', headers: AUTHORIZATION }]);
    expect(walks).toEqual([
      { url: 'https://api.example/agencies/9001/properties?limit=1000&offset=0', headers: AUTHORIZATION },
      { url: 'https://api.example/agencies/9002/properties?limit=1000&offset=0', headers: AUTHORIZATION },
    ]);
    expect(feed).toEqual({
      agencies: { '9001': { id: '9001', name: 'Un', phone: '+33 1' }, '9002': { id: '9002', name: 'Deux' } },
    });
  });

  it.each<[string, Partial<SourceConfig>]>([
    ['the URL of its properties', { url: 'https://api.example/agencies/9001/properties' }],
    [
      'the URL of its properties with a query',
      { url: 'https://api.example/agencies/9001/properties?limit=1000&offset=2000&timestamp=1712' },
    ],
    ['the URL of the agency', { url: 'https://api.example/agencies/9001/' }],
    ['the setting `agency`', { settings: { agency: '9001' } }],
    ['the setting `agence`', { settings: { agence: ' 9001 ' } }],
    ['credentials in the URL', { url: 'https://12:secret@api.example/agencies/9001/properties', credentials: {} }],
    [
      'credentials called `username` and `password`',
      { settings: { agency: '9001' }, credentials: { username: '12', password: 'secret' } },
    ],
    [
      'credentials called `provider_id` and `api_key`',
      { settings: { agency: '9001' }, credentials: { provider_id: '12', api_key: 'secret' } },
    ],
  ])('cover one agency when the gateway has %s', async (_title, changes) => {
    const { walks } = await APIMO_WALK.prepare(source(changes), fakeApi(AGENCIES));
    expect(walks).toEqual([
      { url: 'https://api.example/agencies/9001/properties?limit=1000&offset=0', headers: AUTHORIZATION },
    ]);
  });

  it('keep the filters, paths and page sizes that the operator chose', async () => {
    const chosen = source({
      url: 'https://api.example/v3/agencies/9001/properties?group=1',
      settings: { limit: '50' },
    });
    const { walks } = await APIMO_WALK.prepare(chosen, fakeApi(AGENCIES));
    expect(walks.map((walk) => walk.url)).toEqual([
      'https://api.example/v3/agencies/9001/properties?group=1&limit=50&offset=0',
    ]);
  });

  it('continue without the names of agencies when only the request for the names fails', async () => {
    const api = fakeApi(new BadFeed('https://api.example/agencies answered 404'));
    const { walks, feed } = await APIMO_WALK.prepare(source({ settings: { agency: '9001' } }), api);
    expect([walks.length, feed, api.warnings]).toEqual([
      1,
      { agencies: {} },
      ['extra_request_failed agencies refused'],
    ]);
  });

  it.each([
    ['the credentials are refused', new AccessRefused('https://api.example/agencies answered 401'), { agency: '9001' }],
    ['the list of agencies is unavailable', new RetryLater('https://api.example/agencies answered 503'), {}],
  ])('fail when %s', async (_title, error, settings) => {
    await expect(APIMO_WALK.prepare(source({ settings }), fakeApi(error))).rejects.toBe(error);
  });

  it.each([250, undefined])('cover all agencies when the API gives 100 at a time (total %j)', async (total) => {
    const ids = Array.from({ length: 250 }, (_, index) => 9001 + index);
    const api = fakeClient({
      getJson: ({ url }: { url: string }) => {
        const offset = Number(new URL(url).searchParams.get('offset'));
        const agencies = ids.slice(offset, offset + 100).map((id) => ({ id }));
        return Promise.resolve({ ...(total !== undefined && { total_items: total }), agencies });
      },
    });
    const { walks } = await APIMO_WALK.prepare(source(), api);
    expect(walks.map(({ url }) => Number(/agencies\/(\d+)/.exec(url)![1]))).toEqual(ids);
  });

  it('fail when the API declares more agencies than it gives', async () => {
    const api = fakeApi({ total_items: 2, agencies: [{ id: 9001 }] });
    await expect(APIMO_WALK.prepare(source(), api)).rejects.toThrow('the API declares 2 agencies and gave 1');
  });

  it('fail when the provider sees no agency', async () => {
    await expect(APIMO_WALK.prepare(source(), fakeApi({ agencies: [] }))).rejects.toThrow(AccessRefused);
  });

  it('fail when the source is not a URL', async () => {
    await expect(APIMO_WALK.prepare(source({ url: 'nowhere' }), fakeApi(AGENCIES))).rejects.toThrow(AccessRefused);
  });
});

describe('next page of the Apimo API', () => {
  const request = { url: 'https://api.example/agencies/9001/properties?limit=100&offset=0', headers: AUTHORIZATION };

  function page(changes: Partial<WalkedPage>): WalkedPage {
    return { request, records: 100, recordsSoFar: 100, resumeAt: 99, declared: 250, envelope: {}, ...changes };
  }

  it('starts with the last record so far, even when the server sends fewer than requested', () => {
    const url = 'https://api.example/agencies/9001/properties?limit=100&offset=29';
    const next = { url, headers: AUTHORIZATION, overlaps: 1 };
    expect(APIMO_WALK.next(page({ records: 30, recordsSoFar: 30, resumeAt: 29 }))).toEqual(next);
  });

  it.each<[string, Partial<WalkedPage>]>([
    ['all declared records are read and the page is not full', { records: 52, recordsSoFar: 250 }],
    ['a page is empty', { records: 0, recordsSoFar: 200 }],
    ['no total is declared and the page is not full', { declared: undefined, records: 99 }],
  ])('does not exist when %s', (_title, changes) => {
    expect(APIMO_WALK.next(page(changes))).toBeUndefined();
  });

  it.each([undefined, 40, 100])('is requested after a full page, whatever total the API declares: %j', (declared) => {
    expect(APIMO_WALK.next(page({ declared }))?.url).toContain('offset=99');
  });
});
