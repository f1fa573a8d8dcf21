import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/embedded/embedded-postgres';
import { addGateway, someListings } from '../medium/api/api-under-test';
import { type Program, startProgram, untilReady } from '../support/program';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Real: two API processes and PostgreSQL. Fake: the proxy in front of them, which sends requests to the processes that are ready.
describe('a rolling restart under load', () => {
  let db: TestDatabase;
  const ports: number[] = [];
  const apis: Program[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
    for (const at of [0, 1]) {
      ports.push(await freePort());
      apis.push(await start(at));
    }
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await db.drop();
  });

  const urlOf = (at: number): string => `http://127.0.0.1:${ports[at]}`;

  async function start(at: number): Promise<Program> {
    const env = { DATABASE_URL: db.url, PORT: String(ports[at]), DRAIN_SECONDS: '3' };
    const api = startProgram('apps/api/src/main.js', env);
    await untilReady(api, `${urlOf(at)}/health/ready`);
    return api;
  }

  it('fails not one request', async () => {
    const gateway = await addGateway(db.database, { listings: someListings(50) });
    const ready = new Set([0, 1]);
    const over = new AbortController();
    const answers: string[] = [];
    const look = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const isReady = await fetch(`${urlOf(at)}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(at);
        else ready.delete(at);
        await sleep(100);
      }
    };
    const read = async (): Promise<void> => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const [at] = [...ready].sort(() => (n % 2 === 0 ? 1 : -1));
        const answer = await fetch(`${urlOf(at ?? 0)}/v1/properties?${gateway.query}&per_page=50`, {
          headers: gateway.headers,
        }).then(
          async (response) => `${response.status} with ${((await response.json()) as { data: unknown[] }).data.length}`,
          (error: unknown) => String(error),
        );
        answers.push(answer);
        await sleep(5);
      }
    };
    const running = [look(0), look(1), read(), read(), read()];

    for (const at of [0, 1]) {
      apis[at]?.signal('SIGTERM');
      expect(await apis[at]?.ended).toBe(0);
      apis[at] = await start(at);
      while (!ready.has(at)) await sleep(50);
    }
    over.abort();
    await Promise.all(running);

    expect(answers.length).toBeGreaterThan(50);
    expect(new Set(answers)).toEqual(new Set(['200 with 50']));
  }, 60_000);
});
