import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector, PagedFetch, PushedFetch } from '../kit/contracts';
import type { FeedMemory, FeedRequest, PhotoIntake, RecordOutcome } from './contracts';
import { SpoolBudget } from './fetch/spool-budget';
import { openFeed } from './read-feed';
import { aPagedConnector } from '../../../../test/support/connectors/fake-connectors';

/** A local CRM that returns each requested listing. */
let server: Server;
let origin: string;
let asked: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    response.end(JSON.stringify({ items: [{ id: path.slice(1) }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function aCallingConnector(changes: Partial<PushedFetch> = {}): Connector {
  return {
    ...aPagedConnector(),
    fetch: {
      kind: 'pushed',
      webhook: { proof: { kind: 'path' }, event: 'event', about: [''], ids: ['id'] },
      compareEverySeconds: 3600,
      prepare: ({ url }) => Promise.resolve({ base: url, headers: {}, feed: { agency: 'Démo' } }),
      record: (id, { base }) => ({ url: `${base}/${id}` }),
      ...changes,
    },
  };
}

async function read(
  connector: Connector,
  named: readonly string[],
  {
    outbound,
    ...changes
  }: Partial<Omit<FeedRequest, 'outbound'>> & { outbound?: Partial<FeedRequest['outbound']> } = {},
): Promise<{ outcomes: RecordOutcome[]; memory: FeedMemory }> {
  const limits = { maxBytes: 1_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000, pagePauseMs: 0 };
  const reading = openFeed(connector, {
    source: { url: `http://${origin}`, credentials: {}, settings: {} },
    previous: {},
    pending: { named, isEverything: false, unconfirmed: () => Promise.resolve([]) },
    isKnown: () => false,
    outbound: { allowPrivate: new Set([origin]), inboxDir: '/', ...limits, ...outbound },
    signal: new AbortController().signal,
    ...changes,
  });
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  return { outcomes, memory: reading.summary().memory };
}

describe('fetch of listings that webhooks have named', () => {
  it('requests several listings at the same time, and leaves none pending when one fails unexpectedly', async () => {
    const spoolBudget = new SpoolBudget();
    const surprised = aCallingConnector({
      document(answer, id) {
        if (id === '1') throw new TypeError('by surprise');
        return answer;
      },
    });
    // The first request is sent immediately; the others wait for their slot.
    const places = { taken: 0, left: 0 };
    const admit = async (): Promise<() => void> => {
      places.taken += 1;
      if (places.taken > 1) await sleep(100);
      return () => (places.left += 1);
    };
    await expect(read(surprised, ['1', '2', '3'], { outbound: { spoolBudget, admit } })).rejects.toThrow('by surprise');
    expect([places, spoolBudget.bytesInMemory]).toEqual([{ taken: 3, left: 3 }, 0]);
    expect(asked.sort()).toEqual(['/1', '/2', '/3']);
  });
});

describe('full list of a source with webhooks', () => {
  const listed = aCallingConnector({ list: aPagedConnector().fetch as PagedFetch });

  it.each<[string, string | undefined, boolean]>([
    ['never', undefined, true],
    ['a minute ago', new Date(Date.now() - 60_000).toISOString(), false],
    ['an hour ago', new Date(Date.now() - 3_600_000).toISOString(), true],
    ['in the future, because a clock was ahead', new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(), true],
    ['at an invalid time', 'yesterday', true],
  ])('is read again or skipped, depending on when it was last read: %s', async (_when, comparedAt, isRead) => {
    const { mappingKey } = (await read(listed, [])).memory;
    asked = [];
    const previous = { mappingKey: mappingKey!, ...(comparedAt !== undefined && { comparedAt }) };
    const { memory } = await read(listed, [], { previous });
    expect(asked).toEqual(isRead ? ['/token', '/1'] : []);
    expect(Date.parse(memory.comparedAt!)).toBeLessThanOrEqual(Date.now());
  });
});

it('openFeed takes its processing slot again for the record that follows a photo download', async () => {
  let isAtWork = false;
  const log: string[] = [];
  const work = {
    enter: async () => {
      await Promise.resolve();
      isAtWork = true;
    },
    leave: () => {
      isAtWork = false;
    },
  };
  const store: PhotoIntake['store'] = async ([photo]) => {
    for await (const chunk of photo!.file!.open()) log.push(`photo of ${chunk.length} bytes ${isAtWork}`);
    return [{ name: photo!.name, folder: '', sizeBytes: null, crc32: null, outcome: { kind: 'missing' } }];
  };
  const connector: Connector = {
    ...aCallingConnector({ document: () => Buffer.from('{"items": [{"id": "1"}, {"id": "2"}]}') }),
    copiesPhotos: true,
    map: (record, { crm }) => {
      const { id } = record as { id: string };
      const photos = [{ file: `${id}.jpg`, field: 'photos', dying: `http://${origin}/${id}.jpg` }];
      return { kind: 'listing', listing: { affId: id, passerelleName: crm, photos } };
    },
  };
  const isKnown = (): boolean => (log.push(`record ${isAtWork}`), false);
  await read(connector, ['1'], { work, isKnown, photos: { key: '', store } });
  expect(log).toEqual([
    'record true',
    expect.stringMatching(/^photo .* false$/),
    'record true',
    expect.stringMatching(/^photo .* false$/),
  ]);
  expect(isAtWork).toBe(true);
});
