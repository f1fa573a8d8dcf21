import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import { connector } from '../../libs/connectors/src/sources/alto/connector';
import { ALTO_CREDENTIALS, ALTO_FEED, type AltoState, simulateAlto, type SimulatedProperty } from './apis/alto';
import { BUSY, DOWN, HTML, describeMovingPhotos, idsIn, simulatedSource, describeMoves } from './simulated-source';

const BRANCHES = `/export/${ALTO_FEED}/v12/branch`;
const upTo = (count: number, changes: Partial<SimulatedProperty> = {}): SimulatedProperty[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), ...changes }));

const source = simulatedSource<AltoState>({
  connector,
  simulate: simulateAlto,
  newState: () => ({
    properties: () => upTo(5),
    ...{ branches: ['21'], usesOfToken: Infinity, endsTokens: false, isTokenTaken: false, movesPhotos: false },
    beforeListing: () => undefined,
  }),
  credentials: ALTO_CREDENTIALS,
  settings: () => ({ feed: ALTO_FEED }),
});
const { state, api, read, askedFor } = source;
const isListing = ({ url }: { url: URL }): boolean => /\/property\/\d+$/.test(url.pathname);

describe('Alto data feed', () => {
  it('is read completely, with one list per branch, one request per listing, and one token', async () => {
    state.branches = ['21', '22'];
    state.properties = () => [...upTo(3, { branch: '21' }), { id: '9', branch: '22' }];
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 9], null]);
    expect(feed.listings[3]).toMatchObject({ agenceNom: 'Branch 22', ville: 'Abingdon – Thames', prix: 250_000 });
    const basics = api.requests.filter(({ headers }) => !headers.authorization?.includes(btoa('TOKEN-1')));
    expect(basics).toHaveLength(1);
  });

  it("is read only for the branches that the gateway's settings name", async () => {
    state.branches = ['21', '22'];
    state.properties = () => [
      { id: '1', branch: '21' },
      { id: '9', branch: '22' },
    ];
    state.endsTokens = true;
    expect(idsIn(await read({ branches: '22' }))).toEqual([9]);
    await expect(read({ branches: '23' })).rejects.toThrow('the data feed has none of the branches');
  });

  it('is complete when it has no listings', async () => {
    state.properties = () => [];
    expect((await read()).summary).toMatchObject({ records: 0, incomplete: null });
  });

  it('is incomplete when a listing disappears before it is requested', async () => {
    let listings = 0;
    state.beforeListing = () => {
      listings += 1;
      if (listings === 3) state.properties = () => upTo(2);
    };
    const { summary } = await read();
    expect(summary.incomplete).toContain('a listing could not be read');
  });
});

describe('Alto token', () => {
  it('is renewed once when it expires while listings are requested', async () => {
    state.usesOfToken = 4;
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it.each([
    ['another program holds it', { isTokenTaken: true }, ALTO_CREDENTIALS],
    ['the password is wrong', {}, { user: 'x', password: 'y' }],
  ])('fails the run after one request with a clear message when %s', async (_what, changes, credentials) => {
    Object.assign(state, changes);
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect(String(error)).toContain('another program holds the token of the data feed');
    expect(api.requests).toHaveLength(1);
  });

  it.each([
    [{}, { feed: ALTO_FEED }],
    [ALTO_CREDENTIALS, { feed: '../x' }],
  ])('is not requested with invalid credentials or settings: %j and %j', async (credentials, settings) => {
    await expect(read(settings, credentials)).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(0);
  });
});

describe('faulty Alto API', () => {
  it.each([
    ['HTML instead of branches', BRANCHES, HTML, BadFeed],
    ['status 429 instead of a list', `${BRANCHES}/21/property`, BUSY, RetryLater],
    ['HTML instead of a list', `${BRANCHES}/21/property`, HTML, BadFeed],
  ])('fails the run when it answers with %s', async (_what, path, fault, failure) => {
    api.fault = ({ url, headers }) =>
      url.pathname === path && headers.authorization?.includes(btoa('TOKEN-1')) ? fault : undefined;
    await expect(read()).rejects.toThrow(failure);
  });

  it.each([
    ['HTML', HTML],
    ['a truncated document', { kind: 'truncated', bytes: 90 } as const],
  ])('makes the run incomplete when it answers with %s instead of a listing', async (_what, fault) => {
    api.fault = (request) => (isListing(request) ? fault : undefined);
    expect((await read()).summary.incomplete).toContain('a listing could not be read');
  });

  it.each([
    ['one answer with status 503', DOWN],
    ['one answer with status 429 and Retry-After', { ...BUSY, headers: { 'retry-after': '0' } }],
    ['a body that ends early', { kind: 'dropped', afterBytes: 20 } as const],
  ])('is read completely after %s', async (_what, fault) => {
    let met = 0;
    api.fault = (request) => (isListing(request) && ++met === 2 ? fault : undefined);
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(askedFor(BRANCHES)).toBe(2);
  });
});

describeMovingPhotos(
  source,
  () => {
    state.properties = () => upTo(2, { photos: 2 });
  },
  () => {
    state.endsTokens = true;
  },
);

describeMoves(
  (list, beforeListing) => {
    state.properties = () => list.ids.map((id) => ({ id: String(id) }));
    state.beforeListing = beforeListing;
    state.endsTokens = true;
    return read();
  },
  { what: 'a list that changes while its listings are requested', lists: 160, least: 0 },
);
