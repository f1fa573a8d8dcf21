import { sizeOf } from '../../support/full-size';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Pool } from 'pg';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { API_DOCUMENTS } from '../../support/api-documents';
import { addGateway, type ApiUnderTest, publishListings, type SeededGateway, startApi } from './api-under-test';
import { seeded } from '../../support/seeded';
import { untilServed } from '../../support/until-served';
import { until } from '../../support/waiting';

/** Number of pagination sessions with random publications; before a release `WALKS=10000`. */
const WALKS = sizeOf('WALKS', { brief: 20, full: 80 });

// Real: PostgreSQL, and the applications of two API processes over it. Fake: the ingestor, which is a function.
let api: ApiUnderTest;
let other: NestFastifyApplication;
let urls: string[];
let gateway: SeededGateway;
let generation: number;

beforeAll(async () => {
  api = await startApi();
  other = await startOther();
  urls = [api.url, addressOf(other)];
});
afterAll(async () => {
  await other.close();
  await api.close();
});
beforeEach(async () => {
  generation = 0;
  gateway = await addGateway(api.database, { listings: listOf(generation) });
  await quiet();
});

async function startOther(): Promise<NestFastifyApplication> {
  const app = await createApp({
    config: parseConfig({ DATABASE_URL: api.testDatabase.url }),
    documents: API_DOCUMENTS,
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

function addressOf(app: NestFastifyApplication): string {
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

/**
 * Ten listings whose titles contain the number of their publication. Each publication removes one listing and adds one.
 */
function listOf(published: number) {
  return Array.from({ length: 10 }, (_, n) => ({ affId: `L${n + published}`, intitule: `generation ${published}` }));
}

async function publish(): Promise<void> {
  generation += 1;
  await publishListings(api.database, gateway.id, listOf(generation));
  await heard();
}

/** Makes every publication older than the longest pagination session. */
function quiet(): Promise<void> {
  return publishedAgo('1 hour');
}

async function publishedAgo(interval: string): Promise<void> {
  const { testDatabase } = api;
  await testDatabase.query(`UPDATE snapshot SET published_at = published_at - $2::interval WHERE gateway_id = $1`, [
    gateway.id,
    interval,
  ]);
  await testDatabase.query('UPDATE gateway SET confirmed_at = clock_timestamp() WHERE id = $1', [gateway.id]);
  await heard();
}

/**
 * Waits until both processes serve the current list and have stored the sessions that they have seen. Each process does
 * both before it answers a page.
 */
async function heard(): Promise<void> {
  await untilServed(api.testDatabase, gateway, urls);
  await Promise.all([read(2, { at: 0, agent: 'Watcher/1.0' }), read(2, { at: 1, agent: 'Watcher/2.0' })]);
}

/** Processes order pages by PostgreSQL's clock. The time of its fastest answer limits their accuracy. */
const longerThanAnAnswer = (): Promise<void> => sleep(100);

/** The stored sessions that are over. */
function finishedWalks(): Promise<object[]> {
  return api.testDatabase.query('SELECT 1 FROM walk WHERE gateway_id = $1 AND finished_at IS NOT NULL', [gateway.id]);
}

interface Page {
  generation: number;
  affIds: string[];
  token: string;
  cache: string;
}

interface ReadOptions {
  /** The index of the process that answers. */
  at?: number;
  agent?: string;
  per_page?: number;
  snapshot?: string;
}

async function read(
  page: number,
  { at = 0, agent = 'Plugin/1.0', per_page = 3, snapshot }: ReadOptions = {},
): Promise<Page> {
  const pinned = snapshot === undefined ? '' : `&snapshot=${snapshot}`;
  const url = `${urls[at]}/v1/properties?${gateway.query}&per_page=${per_page}&page=${page}${pinned}`;
  const response = await fetch(url, { headers: { ...gateway.headers, 'user-agent': agent } });
  const body = (await response.json()) as { data: { affId: string; intitule: string }[] };
  expect(response.status).toBe(200);
  return {
    generation: Number(body.data[0]?.intitule.split(' ')[1] ?? NaN),
    affIds: body.data.map(({ affId }) => affId),
    token: response.headers.get('x-snapshot') ?? '',
    cache: response.headers.get('x-cache') ?? '',
  };
}

const generations = async (...pages: Promise<Page>[]): Promise<number[]> =>
  (await Promise.all(pages)).map((page) => page.generation);

describe('pagination session without a token', () => {
  it('continues in the list of its first page, and names that snapshot', async () => {
    const first = await read(1);
    await publish();
    const second = await read(2);
    expect([second.generation, second.token, second.cache]).toEqual([0, first.token, 'MISS']);
    expect(first.cache).toBe('HIT');
  });

  it('continues in its list on a process that has not seen its first page', async () => {
    await read(1);
    await publish();
    expect(await generations(read(2, { at: 1 }), read(3, { at: 1 }))).toEqual([0, 0]);
    expect((await read(4)).generation).toBe(0);
  });

  it('continues in its list on a process that started later', async () => {
    await read(1);
    await publish();
    await other.close();
    other = await startOther();
    urls = [api.url, addressOf(other)];
    expect((await read(2, { at: 1 })).generation).toBe(0);
    await publish();
    expect((await read(3, { at: 1 })).generation).toBe(0);
  });

  it('reads its last page again from the same list', async () => {
    await read(1);
    await publish();
    expect((await read(4)).generation).toBe(0);
    expect((await read(4, { at: 1 })).generation).toBe(0);
  });

  it('is followed by a session in the newest list', async () => {
    await read(1);
    await publish();
    for (const page of [2, 3, 4]) await read(page);
    const next = await read(1, { at: 1 });
    expect([next.generation, next.cache]).toEqual([1, 'HIT']);
    expect((await read(2)).generation).toBe(1);
  });

  it('is followed by a session in the newest list even if another process served its last page before the publication', async () => {
    await read(1);
    await longerThanAnAnswer();
    await read(4, { at: 1 });
    await publish();
    // A page waits a tenth of a second for the other process. On a busy machine, that process takes longer to store the
    // session.
    await until(async () => (await finishedWalks()).length === 1);
    expect((await read(1)).generation).toBe(1);
  });

  it('ends even when the process of its first page stores the session slowly', async () => {
    await read(1);
    await longerThanAnAnswer();
    await read(4, { at: 1 });
    const pool = api.app.get(Pool);
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    const slow = jest.spyOn(pool, 'query') as unknown as jest.SpyInstance<Promise<unknown>, unknown[]>;
    slow.mockImplementation(async (...args) => {
      if (typeof args[0] === 'string' && args[0].includes('INSERT INTO walk AS w')) await sleep(600);
      return query(...args);
    });
    try {
      await publish();
      expect((await read(1)).generation).toBe(1);
    } finally {
      slow.mockRestore();
    }
  });

  it('stays in its list when a second run of the same plugin starts', async () => {
    await read(1);
    await read(2);
    await publish();
    expect((await read(1, { at: 1 })).generation).toBe(0);
    expect(await generations(read(3), read(2, { at: 1 }))).toEqual([0, 0]);
  });

  it('continues in its list after more readers than a process remembers; only its next page 1 shows the newest list', async () => {
    await read(1);
    await Promise.all(Array.from({ length: 200 }, (_, n) => read(1, { agent: `Other/${n}` })));
    await publish();
    expect(await generations(read(2), read(3))).toEqual([0, 0]);
    expect([(await read(4)).generation, (await read(4)).generation]).toEqual([0, 0]);
    expect((await read(2, { agent: 'Other/199' })).generation).toBe(0);
    // A reader that the process remembers gets the first page of the old list again, as in the previous test.
    expect(await generations(read(1, { agent: 'Other/199' }), read(1))).toEqual([0, 1]);
  });

  it('does not affect other readers, which get the newest list', async () => {
    await read(1);
    await publish();
    expect((await read(1, { agent: 'Other/2.0' })).generation).toBe(1);
    expect((await read(1, { per_page: 4, at: 1 })).generation).toBe(1);
    expect((await read(2)).generation).toBe(0);
  });

  it('continues over several publications', async () => {
    await read(1);
    for (let n = 0; n < 3; n += 1) await publish();
    expect((await read(2, { at: 1 })).generation).toBe(0);
    expect((await read(1, { agent: 'Other/2.0' })).generation).toBe(3);
    await publish();
    expect((await read(2, { agent: 'Other/2.0', at: 1 })).generation).toBe(3);
  });

  it('expires, so that a reader that stopped halfway starts again with the newest list', async () => {
    await read(1);
    await publish();
    await read(2);
    await api.testDatabase.query(`UPDATE walk SET first_at = first_at - interval '901 seconds'`);
    expect((await read(1)).generation).toBe(1);
  });

  it('reaches the newest list even if its reader reads only page 2', async () => {
    await publish();
    expect((await read(2)).generation).toBe(0);
    await quiet();
    expect((await read(2)).generation).toBe(1);
  });

  it('is stored when a publication is announced, before the publication', async () => {
    const written = async (agent: string): Promise<boolean> => {
      const before = await api.testDatabase.query('SELECT 1 FROM walk WHERE gateway_id = $1', [gateway.id]);
      await read(1, { agent, at: 1 });
      const after = await api.testDatabase.query('SELECT 1 FROM walk WHERE gateway_id = $1', [gateway.id]);
      return after.length > before.length;
    };
    expect(await written('Early/1.0')).toBe(false);
    await api.database.snapshots.announce(gateway.id);
    // A new reader for each try: the process has not stored a session that started before it received the announcement.
    let tries = 0;
    const late = (): string => `Late/${tries}.0`;
    await until(async () => {
      tries += 1;
      return written(late());
    });
    await publish();
    expect(await generations(read(2, { agent: late() }), read(3, { agent: 'Early/1.0' }))).toEqual([0, 0]);
  });

  it.each([0, 1])('ends when its reader continues with the snapshot token, on process %i', async (at) => {
    const { token } = await read(1);
    await longerThanAnAnswer();
    await read(2, { at, snapshot: token });
    await publish();
    expect((await read(1)).generation).toBe(1);
    expect((await read(1, { at: 1 })).generation).toBe(1);
  });

  it.each([0, 1])(
    'ends when its reader continues with the token of a list that was replaced, on process %i',
    async (at) => {
      await publish();
      const { token, generation: begun } = await read(1);
      await publish();
      await read(2, { at, snapshot: token });
      expect([begun, (await read(1)).generation]).toEqual([1, 2]);
    },
  );

  it('continues when another reader uses its token, or when its own reader uses the token for page 1', async () => {
    const { token } = await read(1);
    await read(1, { snapshot: token });
    await read(2, { snapshot: token, agent: 'Other/2.0' });
    await publish();
    expect((await read(1)).generation).toBe(0);
  });

  it('ends immediately when it has only one page', async () => {
    await publish();
    expect((await read(1, { per_page: 20 })).generation).toBe(1);
    await publish();
    expect((await read(1, { per_page: 20, at: 1 })).generation).toBe(2);
    expect((await read(1, { per_page: 20 })).generation).toBe(2);
    await publish();
    expect((await read(1, { per_page: 20, at: 1 })).generation).toBe(3);
  });

  it('needs one query per page near a publication', async () => {
    await read(1, { at: 1 });
    await publish();
    await publishedAgo('1 minute');
    const asked = jest.spyOn(api.app.get(Pool), 'query');
    const counts: number[] = [];
    for (const page of [1, 2, 3, 4, 1]) {
      asked.mockClear();
      await read(page);
      counts.push(asked.mock.calls.filter(([query]) => / walk /.test(JSON.stringify(query))).length);
    }
    asked.mockRestore();
    expect(counts).toEqual([1, 1, 1, 1, 1]);
  });

  it('makes no query to the table of sessions when no publication is near', async () => {
    await api.testDatabase.query('ALTER TABLE walk RENAME TO walk_put_aside');
    try {
      for (const page of [1, 2, 3, 4, 1, 2]) await read(page);
    } finally {
      await api.testDatabase.query('ALTER TABLE walk_put_aside RENAME TO walk');
    }
  });

  it('gets all pages from one snapshot, whenever lists are published and whichever process answers', async () => {
    const random = seeded(7);
    const over = new AbortController();
    const publishing = (async () => {
      while (!over.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, random(120)));
        await publish();
      }
    })();
    const torn: Page[][] = [];
    const walker = async (agent: string, isPinned: boolean, walks: number) => {
      // If pages are read faster than lists are published, the loop continues until there are enough publications.
      for (let walk = 0; walk < walks || generation <= 5; walk += 1) {
        const pages: Page[] = [];
        for (const page of [1, 2, 3, 4]) {
          const snapshot = isPinned ? pages[0]?.token : undefined;
          pages.push(await read(page, { at: random(2), agent, ...(snapshot !== undefined && { snapshot }) }));
          if (random(3) === 0) await new Promise((resolve) => setTimeout(resolve, random(60)));
        }
        const whole = listOf(pages[0]?.generation ?? NaN).map(({ affId }) => affId);
        const isWhole = pages.flatMap(({ affIds }) => affIds).join() === whole.join();
        if (!isWhole || new Set(pages.map(({ token }) => token)).size > 1) torn.push(pages);
      }
    };
    const walkers = ['A', 'B', 'C', 'D', 'E'];
    await Promise.all(walkers.map((agent) => walker(agent, agent === 'E', Math.ceil(WALKS / walkers.length))));
    over.abort();
    await publishing;
    expect(torn).toEqual([]);
    expect(generation).toBeGreaterThan(5);
  });
});
