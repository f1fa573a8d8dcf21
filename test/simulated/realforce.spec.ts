import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { RememberedAnswer, RememberedAnswers, SourceMemory } from '../../libs/connectors/src/engine/contracts';
import { connector } from '../../libs/connectors/src/sources/realforce/connector';
import { REALFORCE_CREDENTIALS, type RealforceState, simulateRealforce, type SimulatedListing } from './apis/realforce';
import {
  BUSY,
  describeReplicas,
  describeTrouble,
  HTML,
  describeMovingPhotos,
  idsIn,
  simulatedSource,
  describeMoves,
} from './simulated-source';

const LISTINGS = '/api/v1/get-full-listings';

const upTo = (count: number, changes: Partial<SimulatedListing> = {}): SimulatedListing[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), ...changes }));

const source = simulatedSource<RealforceState>({
  connector,
  simulate: simulateRealforce,
  newState: () => ({
    listings: () => upTo(5),
    ...{ knowsKey: true, countsPage: false, countIsOffBy: 0, movesPhotos: false, emptyLabels: {} },
    choices: { '3': { '49': { fr: 'CHF' } }, '7': { '9': { fr: 'Actif' } } },
    beforePage: () => undefined,
  }),
  credentials: REALFORCE_CREDENTIALS,
  settings: (origin) => ({ 'labels-url': origin, choices: '3,7' }),
});
const { state, api, read, askedFor } = source;

describe('RealForce website', () => {
  it.each([false, true])('is read completely when its count covers only one page: %s', async (countsPage) => {
    state.countsPage = countsPage;
    const feed = await read({ limit: '4' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('provides words instead of codes, from labels that are requested once', async () => {
    const [listing] = (await read({ limit: '4' })).listings;
    expect(listing).toMatchObject({ ville: 'Lausanne', typeCode: 'maison', prixCurrency: 'CHF' });
    expect([askedFor('/api/v1/get-categories-labels'), askedFor('/api/v1/get-choices-labels')]).toEqual([1, 2]);
  });

  it('gets one request per day for its labels; from the second day the request carries their ETag', async () => {
    const kept = new Map<string, RememberedAnswer>();
    const answers: RememberedAnswers = {
      find: (question) => Promise.resolve(kept.get(question.join())),
      keep(question, answer) {
        kept.set(question.join(), { ...answer, isFresh: true });
        return Promise.resolve();
      },
      confirm(question) {
        kept.get(question.join())!.isFresh = true;
        return Promise.resolve();
      },
    };
    const readAgain = async (): Promise<(string | undefined)[]> => {
      const before = api.requests.length;
      const feed = await read({}, REALFORCE_CREDENTIALS, { memory: { answers } as SourceMemory });
      expect(feed.listings[0]).toMatchObject({ ville: 'Lausanne', prixCurrency: 'CHF' });
      return api.requests.slice(before).map(({ headers }) => headers['if-none-match']);
    };
    expect(await readAgain()).toHaveLength(9);
    expect(await readAgain()).toHaveLength(1);
    for (const answer of kept.values()) answer.isFresh = false;
    const asked = await readAgain();
    expect([asked.length, asked.filter((etag) => etag !== undefined).length]).toEqual([9, 8]);
    expect(await readAgain()).toHaveLength(1);
  });

  it('is complete when it has no listings', async () => {
    state.listings = () => [];
    const feed = await read();
    expect([feed.listings, feed.summary.incomplete]).toEqual([[], null]);
  });

  it('is read even if some categories of choices do not exist', async () => {
    const feed = await read({ choices: '' });
    expect(feed.listings[0]).toMatchObject({ prixCurrency: 'CHF' });
    expect(askedFor('/api/v1/get-choices-labels')).toBe(20);
  });

  it('fails the run when the labels of statuses are missing, because sold listings would be published', async () => {
    await expect(read({ choices: '3' })).rejects.toThrow(
      new BadFeed('RealForce gave no labels of statuses: the setting `choices` must contain their category'),
    );
  });

  it('may return an empty list of labels as an array', async () => {
    state.emptyLabels = [];
    expect(idsIn(await read())).toHaveLength(5);
  });
});

describe('reported RealForce total', () => {
  it.each([2, 40])('makes the run incomplete when it is too high by %d', async (countIsOffBy) => {
    state.countIsOffBy = countIsOffBy;
    expect((await read({ limit: '4' })).summary.incomplete).not.toBeNull();
  });

  it('does not end the crawl when it is too low', async () => {
    state.countIsOffBy = -3;
    expect(idsIn(await read({ limit: '4' }))).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('unavailable RealForce labels', () => {
  it.each([
    ['an HTML page', HTML, BadFeed],
    ['status 429', BUSY, RetryLater],
  ])('fail the run because of %s, so that no listing loses its town', async (_what, fault, failure) => {
    api.fault = ({ url }) => (url.pathname === '/api/v1/get-locations' ? fault : undefined);
    await expect(read()).rejects.toThrow(failure);
    expect(askedFor(LISTINGS)).toBe(0);
  });
});

describe('RealForce access', () => {
  it.each([
    ['a wrong key', { 'api-key': 'x' }, true],
    ['a revoked key', REALFORCE_CREDENTIALS, false],
  ])('fails the run after one request with a clear message, because of %s', async (_why, credentials, knowsKey) => {
    state.knowsKey = knowsKey;
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect(String(error)).toContain('RealForce does not know the public key of the website');
    expect(api.requests).toHaveLength(1);
  });

  it('causes few further requests after its loss during the crawl, and the run ends', async () => {
    let pages = 0;
    state.beforePage = () => {
      pages += 1;
      if (pages === 2) state.knowsKey = false;
    };
    const feed = await read({ limit: '4' }).catch((error: unknown) => error);
    expect(
      feed instanceof AccessRefused || (feed as { summary: { incomplete: unknown } }).summary.incomplete,
    ).toBeTruthy();
    expect(api.requests.length).toBeLessThan(15);
  });

  it.each([{}, { 'api-key': ' ' }, { 'api-key': 'a\nb' }])(
    'causes no request when the key is missing (%j)',
    async (credentials) => {
      await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
      expect(api.requests).toHaveLength(0);
    },
  );
});

describeMovingPhotos(source, () => {
  state.listings = () => upTo(2, { photos: 2 });
});

describeTrouble(source, ({ url }) => url.pathname === LISTINGS);

describeMoves((list, beforePage) => {
  state.listings = () => list.ids.map((id) => ({ id: String(id) }));
  state.beforePage = beforePage;
  return read({ limit: '4', choices: '7' });
});

describeReplicas((list) => {
  state.listings = () => list.ids().map((id) => ({ id: String(id) }));
  state.total = () => list.total();
  state.beforePage = () => {
    list.beforePage();
  };
  return read({ limit: '4', choices: '7' });
});
