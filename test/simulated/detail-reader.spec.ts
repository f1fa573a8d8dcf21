import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import { json } from '../../tools/simulator/answers';
import { type ApiServer, startApi } from './apis/api-server';
import { type Connector, type PagedFetch, RecordError } from '../../libs/connectors/src/kit/contracts';
import type { FeedRequest, FeedSummary, RecordOutcome, SourceMemory } from '../../libs/connectors/src/engine/contracts';
import { openFeed } from '../../libs/connectors/src/engine/read-feed';
import { aPagedConnector } from '../support/connectors/fake-connectors';

interface Summary {
  id: string;
  changed: number;
}

/** A source with lists of summaries. Its tokens are valid for a limited number of requests. */
let api: ApiServer;
let list: Summary[];
/** The number of lists. In the second and later lists, ids begin with the number of the list. */
let lists: number;
let usesOfToken: number;
let tokens: number;
/** The host of the listings, if it differs from the host of the list. */
let elsewhere: string | undefined;
let whenRefused: string | undefined;

beforeEach(async () => {
  [elsewhere, whenRefused, lists] = [undefined, undefined, 1];
  [list, usesOfToken, tokens] = [[1, 2, 3, 4].map((id) => ({ id: String(id), changed: 1 })), Infinity, 0];
  let uses = 0;
  api = await startApi(({ url, headers }) => {
    if (url.pathname === '/token') {
      [tokens, uses] = [tokens + 1, 0];
      return json(200, { token: `t${tokens}` });
    }
    uses += 1;
    if (headers.authorization !== `t${tokens}` || uses > usesOfToken) return json(401, {});
    if (url.pathname === '/1') {
      const number = url.searchParams.get('list') ?? '';
      return json(200, { total: list.length, items: list.map((one) => ({ ...one, id: `${number}${one.id}` })) });
    }
    return json(200, { town: `Town ${url.pathname}` });
  });
});
afterEach(() => api.close());

/** `aPagedConnector` with shared tokens and one request per listing. */
const WITH_DETAILS: Partial<PagedFetch> = {
  async prepare({ url }, client) {
    const token = await client.exchanged([url], async () => {
      const { token: value } = (await client.getJson({ url: `${url}/token` })) as { token: string };
      return { value, lifetimeMs: 3_600_000 };
    });
    const addresses = Array.from({ length: lists }, (_, at) => (at === 0 ? `${url}/1` : `${url}/1?list=${at + 1}`));
    return { walks: addresses.map((address) => ({ url: address, headers: { authorization: token } })), feed: {} };
  },
  details: {
    request: (summary, page) => ({
      ...page,
      url: new URL(`/detail/${(summary as Summary).id}`, elsewhere ?? page.url).href,
    }),
    idOf: (summary) => (summary as Summary).id,
    record(summary, answer) {
      if (!answer.includes('town')) throw new BadFeed('the answer is no listing');
      return Buffer.from(JSON.stringify({ ...JSON.parse(summary.toString()), ...JSON.parse(answer.toString()) }));
    },
  },
};

/** Stores in memory the values that the real implementation stores in the database. */
function aMemory(): SourceMemory & { details: Map<string, Buffer> } {
  const details = new Map<string, Buffer>();
  let credential: string | undefined;
  return {
    details,
    async exchanged(_account, { refused, exchange }) {
      if (credential === undefined || credential === refused) credential = (await exchange()).value;
      return credential;
    },
    findDetail: (hash) => Promise.resolve(details.get(hash)),
    keepDetail: (hash, record) => {
      details.set(hash, Buffer.from(record));
      return Promise.resolve();
    },
  };
}

interface Read {
  towns: unknown[];
  outcomes: RecordOutcome[];
  summary: FeedSummary;
}

/** Parses a record, and throws a `RecordError` like real formats. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new RecordError('malformed', 'no JSON');
  }
}

async function read(changes: Partial<FeedRequest> = {}, limits: Partial<FeedRequest['outbound']> = {}): Promise<Read> {
  const base = aPagedConnector({ ...WITH_DETAILS, ...(whenRefused !== undefined && { whenRefused }) });
  const connector: Connector = {
    ...base,
    format: { ...base.format, parse: parsed },
    map: (record, { crm }) => {
      const { id, town } = record as { id: string; town: string };
      return { kind: 'listing', listing: { affId: id, passerelleName: crm, ville: town, photos: [] } };
    },
  };
  const reading = openFeed(connector, {
    source: { url: `http://${api.host}`, credentials: {}, settings: {} },
    previous: {},
    isKnown: () => false,
    outbound: {
      ...{ allowPrivate: new Set([api.host]), inboxDir: '/', maxBytes: 1_000_000, timeoutMs: 300_000 },
      ...{ idleTimeoutMs: 60_000, pagePauseMs: 0, ...limits },
    },
    signal: new AbortController().signal,
    ...changes,
  });
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  const towns = outcomes.flatMap((outcome) =>
    outcome.kind === 'listing' ? [(JSON.parse(outcome.normalized.toString()) as { ville: string }).ville] : [],
  );
  return { towns, outcomes, summary: reading.summary() };
}

const hashes = ({ outcomes }: Read): string[] => outcomes.flatMap((one) => ('hash' in one ? [one.hash] : []));
const asked = (): number => api.requests.filter(({ url }) => url.pathname.startsWith('/detail')).length;

describe('list of summaries', () => {
  it('is read with one request per listing, in the order of the list', async () => {
    const { towns, summary } = await read();
    expect(towns).toEqual([1, 2, 3, 4].map((id) => `Town /detail/${id}`));
    expect(summary).toMatchObject({ records: 4, incomplete: null });
  });

  it('causes requests only for listings whose summary has changed', async () => {
    const before = new Set(hashes(await read()));
    list[2]!.changed = 2;
    const { outcomes } = await read({ isKnown: (hash) => before.has(hash) });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged', 'listing', 'unchanged']);
    expect(asked()).toBe(5);
  });

  it('is continued by the next run after an interruption, with one request per listing in total', async () => {
    const memory = aMemory();
    api.fault = ({ url }) =>
      url.pathname === '/detail/3' ? { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } : undefined;
    await expect(read({ memory })).rejects.toThrow(RetryLater);
    api.fault = undefined;
    const { towns, summary } = await read({ memory });
    expect([towns.length, summary.incomplete, asked()]).toEqual([4, null, 5]);
  });

  it('is incomplete when its time limit is reached, and reports how many listings are left', async () => {
    const { towns, summary } = await read({ memory: aMemory() }, { detailsMs: 0 });
    expect(towns).toEqual([]);
    expect(summary.incomplete).toBe('0 listings were requested, and 4 are left to the next run');
  });

  it('shares one time limit with the other lists, so that the second list gets only the remaining time', async () => {
    [lists, list] = [2, [{ id: '1', changed: 1 }]];
    const detailsMs = 1000;
    api.fault = ({ url }) => (url.pathname === '/detail/1' ? { kind: 'late', delayMs: detailsMs + 100 } : undefined);
    const { towns, summary } = await read({ memory: aMemory() }, { detailsMs });
    expect([towns, asked()]).toEqual([['Town /detail/1'], 1]);
    expect(summary.incomplete).toBe('0 listings were requested, and 1 are left to the next run');
  });

  it('is complete together with the other lists when the time is sufficient', async () => {
    lists = 2;
    const { towns, summary } = await read({ memory: aMemory() });
    expect([towns.length, asked(), summary.incomplete]).toEqual([8, 8, null]);
  });

  it('is incomplete when the answer for one listing is HTML, but still provides the other listings', async () => {
    api.fault = ({ url }) =>
      url.pathname === '/detail/2' ? { kind: 'body', contentType: 'text/html', body: '<html>' } : undefined;
    const { towns, summary } = await read();
    expect(towns).toHaveLength(3);
    expect(summary.incomplete).toBe('a listing could not be read: the answer is no listing');
  });

  it('causes no more requests after five HTML answers in a row', async () => {
    list = Array.from({ length: 40 }, (_, id) => ({ id: String(id), changed: 1 }));
    api.fault = ({ url }) =>
      url.pathname.startsWith('/detail') ? { kind: 'body', contentType: 'text/html', body: '<html>' } : undefined;
    const { summary } = await read();
    expect([summary.incomplete === null, asked()]).toEqual([false, 5]);
  });

  it('is read to its end despite many invalid answers that are not consecutive', async () => {
    list = Array.from({ length: 18 }, (_, id) => ({ id: String(id), changed: 1 }));
    api.fault = ({ url }) =>
      /detail\/\d*[02468]$/.test(url.pathname) ? { kind: 'body', contentType: 'text/html', body: '<html>' } : undefined;
    const { towns } = await read();
    expect([towns.length, asked()]).toEqual([9, 18]);
  });

  it('causes a rejection for a summary that cannot be parsed', async () => {
    const items = '{"id":"1","changed":1},{"id":tru},{"id":"3","changed":1}';
    api.fault = ({ url }) =>
      url.pathname === '/1'
        ? { kind: 'body', contentType: 'application/json', body: `{"total":3,"items":[${items}]}` }
        : undefined;
    const { outcomes, towns } = await read();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['listing', 'rejected', 'listing']);
    expect(towns).toHaveLength(2);
  });
});

describe('token that expires while listings are requested', () => {
  it('is renewed once, and the run is complete', async () => {
    usesOfToken = 3;
    const { towns, summary } = await read({ memory: aMemory() });
    expect([towns.length, summary.incomplete, tokens]).toEqual([4, null, 2]);
  });

  it('ends the run with a clear error after few requests when the API refuses the new token immediately', async () => {
    usesOfToken = 0;
    const memory = aMemory();
    await expect(read({ memory })).rejects.toThrow(AccessRefused);
    expect(api.requests.length).toBeLessThan(6);
  });

  it('is renewed before the first page when an earlier run stored the expired token', async () => {
    const memory = aMemory();
    await read({ memory });
    const good = usesOfToken;
    usesOfToken = 0;
    const reading = read({ memory });
    api.fault = ({ url }) => {
      if (url.pathname === '/token') usesOfToken = good;
      return undefined;
    };
    const { towns, summary } = await reading;
    expect([towns.length, summary.incomplete, tokens]).toEqual([4, null, 2]);
  });

  it('is not sent when a listing is on another host', async () => {
    const other = await startApi(() => json(401, {}));
    elsewhere = `http://${other.host}`;
    await expect(read({ memory: aMemory() }, { allowPrivate: new Set([api.host, other.host]) })).rejects.toThrow(
      AccessRefused,
    );
    await other.close();
    expect(other.requests.map(({ headers }) => headers.authorization)).not.toContain('t2');
  });

  it('causes an error that says what an operator can do', async () => {
    usesOfToken = 0;
    whenRefused = 'ask the vendor for the right to read';
    await expect(read({ memory: aMemory() })).rejects.toThrow(/401.*: ask the vendor for the right to read$/);
  });

  it('is reused by the next run', async () => {
    const memory = aMemory();
    await read({ memory });
    await read({ memory });
    expect(tokens).toBe(1);
  });
});
