import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { FeedMemory } from '../../libs/connectors/src/engine/contracts';
import { connector } from '../../libs/connectors/src/sources/omnicasa/connector';
import {
  OMNICASA_CREDENTIALS,
  type OmnicasaState,
  simulateOmnicasa,
  type SimulatedOmnicasaProperty,
} from './apis/omnicasa';
import {
  describeReplicas,
  describeTrouble,
  DOWN,
  describeMovingPhotos,
  idsIn,
  simulatedSource,
  describeMoves,
} from './simulated-source';

const LIST = '/1.12/OmnicasaService.svc/GetPropertyListJson';
const DELETED = '/1.12/OmnicasaService.svc/GetDeletedPropertyIDsJson';
const HOUR_MS = 3_600_000;

const upTo = (count: number, changes: Partial<SimulatedOmnicasaProperty> = {}): SimulatedOmnicasaProperty[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...changes }));
const at = (msAgo: number): string => new Date(Date.now() - msAgo).toISOString().slice(0, 19).replace('T', ' ');

const source = simulatedSource<OmnicasaState>({
  connector,
  simulate: simulateOmnicasa,
  newState: () => ({
    properties: () => upTo(5),
    deleted: () => [],
    ...{ reportsDeletions: true, movesPhotos: false, total: undefined },
    beforePage: () => undefined,
  }),
  credentials: OMNICASA_CREDENTIALS,
});
const { state, api, read } = source;

describe('Omnicasa customer', () => {
  it('is read completely, with row numbers that start at 1', async () => {
    const feed = await read({ limit: '2' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('needs only one request when it has one page or no listings', async () => {
    expect(idsIn(await read())).toEqual([1, 2, 3, 4, 5]);
    state.properties = () => [];
    const empty = await read();
    expect([empty.listings, empty.summary.incomplete, api.requests.length]).toEqual([[], null, 2]);
  });

  it('omits sold and let properties', async () => {
    state.properties = () => [...upTo(2), { id: 3, members: { Status: 2 } }, { id: 4, members: { Status: 4 } }];
    const feed = await read();
    expect([idsIn(feed), feed.rejections.map((one) => one.slice(0, 11))]).toEqual([
      [1, 2],
      ['withdrawn 3', 'withdrawn 4'],
    ]);
  });
});

describe('Omnicasa access', () => {
  it.each([
    { customer: 'demo', password: 'geheim-geheim' },
    { customer: 'x', password: OMNICASA_CREDENTIALS.password },
  ])(
    'fails the run after one request when credentials are wrong, with a message that omits the password: %j',
    async (credentials) => {
      const error = await read({}, credentials).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AccessRefused);
      expect(String(error)).toContain('are name and password of the customer right');
      expect(String(error)).not.toMatch(/geheim|demo/);
      expect(api.requests).toHaveLength(1);
    },
  );

  it.each([{}, { customer: 'demo' }, { password: 'x' }])(
    'causes no request with incomplete credentials: %j',
    async (credentials) => {
      await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
      expect(api.requests).toHaveLength(0);
    },
  );
});

describe('Omnicasa run between two complete readings', () => {
  const remembered = async (comparedMsAgo = HOUR_MS): Promise<FeedMemory> => {
    const { memory } = (await read()).summary;
    return { ...memory, comparedAt: new Date(Date.now() - comparedMsAgo).toISOString() };
  };
  const readAgain = (memory: FeedMemory): ReturnType<typeof read> =>
    read({}, OMNICASA_CREDENTIALS, { previous: memory });

  it('reads only changed listings, and removes deleted listings', async () => {
    const memory = await remembered();
    state.properties = () => [...upTo(3), { id: 4, changed: at(0) }, { id: 6, changed: at(HOUR_MS) }];
    state.deleted = () => [5, 77];
    const { summary, ...feed } = await readAgain(memory);
    expect([idsIn({ ...feed, summary }), summary.incomplete]).toEqual([[4, 6], null]);
    expect(summary.coverage).toEqual({ kind: 'delta', deleted: ['5', '77'] });
    expect(summary.memory).toMatchObject({ comparedAt: memory.comparedAt });
    expect(summary.memory.askedAt! >= memory.askedAt!).toBe(true);
  });

  it('needs two requests instead of 17 for a list of 400', async () => {
    state.properties = () => upTo(400);
    const memory = await remembered();
    const asked = api.requests.length;
    await readAgain(memory);
    expect([asked, api.requests.length - asked]).toEqual([17, 2]);
  });

  it("requests changes from one day before the last run, because the source's clock may be wrong", async () => {
    const memory = await remembered();
    state.properties = () => [
      { id: 1, changed: at(20 * HOUR_MS) },
      { id: 2, changed: at(30 * HOUR_MS) },
    ];
    expect(idsIn(await readAgain(memory))).toEqual([1]);
  });

  it('withdraws a listing that has been sold since the last run', async () => {
    const memory = await remembered();
    state.properties = () => [{ id: 3, changed: at(0), members: { Status: 2 } }];
    expect((await readAgain(memory)).rejections).toEqual(['withdrawn 3: Status: sold']);
  });

  it.each([
    ['objects', () => [{ ID: 5 }]],
    ['a nested list', () => ({ Items: [5], RowsCount: 1 })],
  ])('accepts a list of deletions that consists of %s', async (_how, deleted) => {
    const memory = await remembered();
    state.deleted = deleted;
    expect((await readAgain(memory)).summary.coverage).toEqual({ kind: 'delta', deleted: ['5'] });
  });

  it.each([
    ['refused', () => Object.assign(state, { reportsDeletions: false })],
    ['not a list', () => Object.assign(state, { deleted: () => null })],
    ['partly without numbers', () => Object.assign(state, { deleted: () => [5, {}] })],
  ])('reads the complete list when the list of deletions is %s', async (_how, change) => {
    const memory = await remembered();
    change();
    const feed = await readAgain(memory);
    expect([idsIn(feed), feed.summary.coverage]).toEqual([[1, 2, 3, 4, 5], { kind: 'whole' }]);
    expect(feed.warnings).toContain('extra_request_failed deleted unavailable ×1');
  });

  it('fails the run when the list of deletions is temporarily unavailable', async () => {
    const memory = await remembered();
    api.fault = ({ url }) => (url.pathname === DELETED ? DOWN : undefined);
    await expect(readAgain(memory)).rejects.toThrow(RetryLater);
  });

  it('publishes nothing when a page of changes cannot be parsed', async () => {
    const memory = await remembered();
    api.fault = ({ url }) =>
      url.pathname === LIST ? { kind: 'body', contentType: 'text/html', body: '<p>' } : undefined;
    await expect(readAgain(memory)).rejects.toThrow(BadFeed);
  });

  it.each([
    ['a day ago', 23.5 * HOUR_MS],
    ['at an unknown time', NaN],
  ])('reads the complete list when the last complete reading was %s', async (_when, comparedMsAgo) => {
    const memory = await remembered(HOUR_MS);
    memory.comparedAt = Number.isNaN(comparedMsAgo) ? '' : new Date(Date.now() - comparedMsAgo).toISOString();
    const feed = await readAgain(memory);
    expect([idsIn(feed).length, feed.summary.coverage]).toEqual([5, { kind: 'whole' }]);
    expect(source.askedFor(DELETED)).toBe(0);
  });

  it('reads the complete list after a change of settings, and maps all records again', async () => {
    const memory = await remembered();
    const feed = await read({ devise: 'CHF' }, OMNICASA_CREDENTIALS, { previous: memory });
    expect([idsIn(feed).length, feed.summary.coverage]).toEqual([5, { kind: 'whole' }]);
  });
});

describeMovingPhotos(source, () => {
  state.properties = () => upTo(2, { photos: 2 });
});

describeTrouble(source, ({ url }) => url.pathname === LIST);

describeMoves((list, beforePage) => {
  state.properties = () => list.ids.map((id) => ({ id }));
  state.beforePage = beforePage;
  return read({ limit: '4' });
});

describeReplicas((list) => {
  state.properties = () => list.ids().map((id) => ({ id }));
  state.total = () => list.total();
  state.beforePage = () => {
    list.beforePage();
  };
  return read({ limit: '3' });
});
