import { AccessRefused, RetryLater } from '@passerelle/domain';
import type { DroppedFeed } from '../support/connectors/read-dropped';
import { connector } from '../../libs/connectors/src/sources/reapit/connector';
import { REAPIT_CREDENTIALS, type ReapitState, simulateReapit, type SimulatedProperty } from './apis/reapit';
import {
  describeReplicas,
  describeTrouble,
  DOWN,
  HTML,
  describeMovingPhotos,
  idsIn,
  simulatedSource,
  describeMoves,
} from './simulated-source';

const FOREVER = 1_000_000;

const upTo = (count: number, changes: Partial<SimulatedProperty> = {}): SimulatedProperty[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), ...changes }));

const source = simulatedSource<ReapitState>({
  connector,
  simulate: simulateReapit,
  newState: () => ({
    properties: () => upTo(5),
    ...{ offices: [], negotiators: [], tokenIsGoodFor: FOREVER, movesPhotos: false },
    beforePage: () => undefined,
  }),
  credentials: REAPIT_CREDENTIALS,
  settings: (origin) => ({ customer: 'SBOX', 'token-url': `${origin}/token` }),
});
const { state, api, read, askedFor } = source;

describe('Reapit customer', () => {
  it('is read completely, page by page, with one token', async () => {
    const feed = await read({ limit: '4' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(askedFor('/token')).toBe(1);
  });

  it('is complete when it has no listings', async () => {
    state.properties = () => [];
    const feed = await read();
    expect([feed.listings, feed.summary.incomplete]).toEqual([[], null]);
  });

  it('provides only properties that may be advertised', async () => {
    const hidden = [{ internetAdvertising: false }, { fromArchive: true }];
    state.properties = () => [...upTo(2), ...hidden.map((members, at) => ({ id: String(at + 3), members }))];
    expect(idsIn(await read())).toEqual([1, 2]);
  });

  it.each([7, 30, 250])('provides all %d images of each property, in order', async (images) => {
    state.properties = () => upTo(4, { images });
    const { listings } = await read();
    expect(listings.map(({ photos }) => photos.length)).toEqual([images, images, images, images]);
    expect(listings[3]?.photos.map(({ legende }) => legende)).toEqual(
      Array.from({ length: images }, (_, order) => `Image ${order}`),
    );
  });

  it('provides the names of its offices and negotiators, even if they fill several pages', async () => {
    state.offices = Array.from({ length: 130 }, (_, at) => ({ id: `O${at}`, name: `Office ${at}`, workPhone: '01' }));
    state.negotiators = [{ id: 'N', name: 'Jane Sample', email: 'jane@example.org' }];
    state.properties = () => upTo(1, { members: { officeIds: ['O129'], negotiatorId: 'N' } });
    expect((await read()).listings[0]).toMatchObject({
      ...{ agenceNom: 'Office 129', negoNom: 'Jane Sample', negoEmail: 'jane@example.org' },
    });
  });
});

describe('Reapit token', () => {
  it('is renewed when it expires during the crawl, and the crawl continues', async () => {
    state.tokenIsGoodFor = 6;
    const feed = await read({ limit: '4' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(askedFor('/token')).toBeGreaterThan(1);
  });

  it('makes the run incomplete after few requests when it expires repeatedly', async () => {
    let pages = 0;
    state.beforePage = () => {
      pages += 1;
      if (pages === 2) state.tokenIsGoodFor = 0;
    };
    state.tokenIsGoodFor = 5;
    const feed = await read({ limit: '4' }).catch((error: unknown) => error);
    expect(feed instanceof AccessRefused || (feed as DroppedFeed).summary.incomplete !== null).toBe(true);
    expect(api.requests.length).toBeLessThan(25);
  });

  it.each([
    ['a wrong secret', { ...REAPIT_CREDENTIALS, 'client-secret': 'x' }, 1],
    ['a wrong application', { ...REAPIT_CREDENTIALS, 'client-id': 'x' }, 1],
    ['no secret', { 'client-id': 'x' }, 0],
  ])('is requested at most once and is not issued with %s', async (_who, credentials, requests) => {
    await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(requests);
  });

  it('is not accepted for another customer', async () => {
    await expect(read({ customer: 'ABC' })).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(2);
  });

  it.each([
    {},
    { access_token: '' },
    { access_token: 7 },
    { access_token: 'a\nb' },
    { access_token: 'a', token_type: 'mac' },
  ])('fails the run with a clear error when it is invalid (%j)', async (body) => {
    api.fault = () => ({ kind: 'body', contentType: 'application/json', body: JSON.stringify(body) });
    await expect(read()).rejects.toThrow(/the authorization server gave (?:no token|a token of another kind)/);
  });

  it.each(['', ' ', 'a b', 'x\r\ny'])(
    'is not requested when the customer is missing or invalid: %j',
    async (customer) => {
      await expect(read({ customer })).rejects.toThrow(
        'the setting `customer` is missing or invalid: it says whose properties to read',
      );
      expect(api.requests).toHaveLength(0);
    },
  );
});

describeMovingPhotos(source, () => {
  state.properties = () => upTo(2, { images: 2 });
});

describeTrouble(source, ({ url }) => url.pathname === '/properties/');

describe('unavailable Reapit images', () => {
  it('fail the run when the outage begins with the first page', async () => {
    api.fault = ({ url }) => (url.pathname === '/propertyImages/' ? DOWN : undefined);
    await expect(read()).rejects.toThrow(RetryLater);
  });

  it.each([
    ['an outage with HTML pages', HTML],
    ['an outage with status 503', DOWN],
  ])("never cause the removal of a listing's photos when %s begins later", async (_what, fault) => {
    state.properties = () => upTo(5, { images: 1 });
    let met = 0;
    api.fault = ({ url }) => (url.pathname === '/propertyImages/' && ++met > 2 ? fault : undefined);
    const feed = await read({ limit: '4' }).catch(() => undefined);
    expect(feed?.summary.incomplete ?? 'failed').not.toBeNull();
    for (const { photos } of feed?.listings ?? []) expect(photos).toHaveLength(1);
  });
});

describeMoves((list, beforePage) => {
  state.properties = () => list.ids.map((id) => ({ id: String(id) }));
  state.beforePage = beforePage;
  return read({ limit: '4' });
});

describeReplicas((list) => {
  state.properties = () => list.ids().map((id) => ({ id: String(id) }));
  state.total = () => list.total();
  state.beforePage = () => {
    list.beforePage();
  };
  return read({ limit: '4' });
});
