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

describe('a customer of Omnicasa', () => {
  it('is read whole, by rows counted from 1', async () => {
    const feed = await read({ limit: '2' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('is read in one request where it has a page only, or no property', async () => {
    expect(idsIn(await read())).toEqual([1, 2, 3, 4, 5]);
    state.properties = () => [];
    const empty = await read();
    expect([empty.listings, empty.summary.incomplete, api.requests.length]).toEqual([[], null, 2]);
  });

  it('that has sold or let something has it no more', async () => {
    state.properties = () => [...upTo(2), { id: 3, members: { Status: 2 } }, { id: 4, members: { Status: 4 } }];
    const feed = await read();
    expect([idsIn(feed), feed.rejections.map((one) => one.slice(0, 11))]).toEqual([
      [1, 2],
      ['withdrawn 3', 'withdrawn 4'],
    ]);
  });
});

describe('who is not let in', () => {
  it.each([
    { customer: 'demo', password: 'geheim-geheim' },
    { customer: 'x', password: OMNICASA_CREDENTIALS.password },
  ])('because of %j is told so in one sentence without the password, after one request', async (credentials) => {
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect(String(error)).toContain('are name and password of the customer right');
    expect(String(error)).not.toMatch(/geheim|demo/);
    expect(api.requests).toHaveLength(1);
  });

  it.each([{}, { customer: 'demo' }, { password: 'x' }])('with %j asks for nothing', async (credentials) => {
    await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(0);
  });
});

describe('between two readings of the whole list', () => {
  const remembered = async (comparedMsAgo = HOUR_MS): Promise<FeedMemory> => {
    const { memory } = (await read()).summary;
    return { ...memory, comparedAt: new Date(Date.now() - comparedMsAgo).toISOString() };
  };
  const readAgain = (memory: FeedMemory): ReturnType<typeof read> =>
    read({}, OMNICASA_CREDENTIALS, { previous: memory });

  it('only what has changed is read, and what was deleted is gone', async () => {
    const memory = await remembered();
    state.properties = () => [...upTo(3), { id: 4, changed: at(0) }, { id: 6, changed: at(HOUR_MS) }];
    state.deleted = () => [5, 77];
    const { summary, ...feed } = await readAgain(memory);
    expect([idsIn({ ...feed, summary }), summary.incomplete]).toEqual([[4, 6], null]);
    expect(summary.coverage).toEqual({ kind: 'delta', deleted: ['5', '77'] });
    expect(summary.memory).toMatchObject({ comparedAt: memory.comparedAt });
    expect(summary.memory.askedAt! >= memory.askedAt!).toBe(true);
  });

  it('two requests do for a list of 400, which takes 17 when it is read whole', async () => {
    state.properties = () => upTo(400);
    const memory = await remembered();
    const asked = api.requests.length;
    await readAgain(memory);
    expect([asked, api.requests.length - asked]).toEqual([17, 2]);
  });

  it('it asks a day early, whatever the clock of the source is', async () => {
    const memory = await remembered();
    state.properties = () => [
      { id: 1, changed: at(20 * HOUR_MS) },
      { id: 2, changed: at(30 * HOUR_MS) },
    ];
    expect(idsIn(await readAgain(memory))).toEqual([1]);
  });

  it('what is sold meanwhile is withdrawn', async () => {
    const memory = await remembered();
    state.properties = () => [{ id: 3, changed: at(0), members: { Status: 2 } }];
    expect((await readAgain(memory)).rejections).toEqual(['withdrawn 3: Status: sold']);
  });

  it.each([
    ['objects', () => [{ ID: 5 }]],
    ['a list within', () => ({ Items: [5], RowsCount: 1 })],
  ])('deletions may come as %s', async (_how, deleted) => {
    const memory = await remembered();
    state.deleted = deleted;
    expect((await readAgain(memory)).summary.coverage).toEqual({ kind: 'delta', deleted: ['5'] });
  });

  it.each([
    ['refused', () => Object.assign(state, { reportsDeletions: false })],
    ['something else', () => Object.assign(state, { deleted: () => null })],
    ['without a number', () => Object.assign(state, { deleted: () => [5, {}] })],
  ])('the whole list is read where that of deletions is %s', async (_how, change) => {
    const memory = await remembered();
    change();
    const feed = await readAgain(memory);
    expect([idsIn(feed), feed.summary.coverage]).toEqual([[1, 2, 3, 4, 5], { kind: 'whole' }]);
    expect(feed.warnings).toContain('extra_request_failed deleted unavailable ×1');
  });

  it('a list of deletions that is not to be had now ends the run', async () => {
    const memory = await remembered();
    api.fault = ({ url }) => (url.pathname === DELETED ? DOWN : undefined);
    await expect(readAgain(memory)).rejects.toThrow(RetryLater);
  });

  it('a page of changes that cannot be read publishes nothing', async () => {
    const memory = await remembered();
    api.fault = ({ url }) =>
      url.pathname === LIST ? { kind: 'body', contentType: 'text/html', body: '<p>' } : undefined;
    await expect(readAgain(memory)).rejects.toThrow(BadFeed);
  });

  it.each([
    ['a day ago', 23.5 * HOUR_MS],
    ['never', NaN],
  ])('the whole list is read when it was last read %s', async (_when, comparedMsAgo) => {
    const memory = await remembered(HOUR_MS);
    memory.comparedAt = Number.isNaN(comparedMsAgo) ? '' : new Date(Date.now() - comparedMsAgo).toISOString();
    const feed = await readAgain(memory);
    expect([idsIn(feed).length, feed.summary.coverage]).toEqual([5, { kind: 'whole' }]);
    expect(source.askedFor(DELETED)).toBe(0);
  });

  it('the whole list is read with other settings: all records are mapped anew', async () => {
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
