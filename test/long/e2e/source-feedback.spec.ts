import { SecretBox } from '@passerelle/domain';
import type { ApiServer } from '../../simulated/apis/api-server';
import {
  operationOf,
  simulateSkarabee,
  SKARABEE_CREDENTIALS,
  SKARABEE_PATH,
  type SkarabeeState,
} from '../../simulated/apis/skarabee';
import { type RestartedIngestor, restartIngestor } from '../../support/restarted-processes';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { eventually } from '../../support/waiting';

const SECRETS_KEY = 'the-key-of-the-sources-that-are-told-0123';
const idsOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

// Real: an ingestor as built, PostgreSQL, HTTP, kill -9. Fake: Weblink, which is a simulator.
describe('running ingestor', () => {
  let db: TestDatabase;
  let api: ApiServer;
  let ingestor: RestartedIngestor;
  let ids = idsOf(1, 30);
  const state: SkarabeeState = {
    publications: () => ids.map((id) => ({ id })),
    ...{ errorOf: () => undefined, movesPhotos: false, offices: ['Immo Exemple'], feedback: [] },
    remembers: ['1', '2'],
    beforePublication: () => undefined,
  };

  beforeAll(async () => {
    db = await createTestDatabase();
    api = await simulateSkarabee(state);
    const box = new SecretBox(SECRETS_KEY);
    await db.database.gateways.add(
      {
        ...{ crm: 'skarabee', client: 'agency', sourceUrl: `http://${api.host}${SKARABEE_PATH}`, everySeconds: 2 },
        settings: { retour: 'oui', 'page-annonce': 'https://agence.example/{affId}', 'requests-per-second': '100' },
        ...{ credentials: box.seal(JSON.stringify(SKARABEE_CREDENTIALS)), contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    await db.query('UPDATE gateway_schedule SET next_run_at = now()');
    const env = { DATABASE_URL: db.url, SECRETS_KEY, ALLOW_PRIVATE_SOURCES: api.host, LOG_LEVEL: 'warn' };
    ingestor = restartIngestor(env);
  });
  afterAll(async () => {
    await ingestor.end();
    await api.close();
    await db.drop();
  });

  /** The last status that the source received for each publication. */
  const heard = (): Record<string, string> =>
    Object.fromEntries(state.feedback.flat().map(({ id, status }) => [id, status]));
  const isSettled = async (): Promise<boolean> =>
    (await db.query(`SELECT FROM outbox WHERE kind = 'feedback' AND state = 'pending'`)).length === 0;

  it('notifies the source of the state of its publications, also after a kill during the notification', async () => {
    let tellings = 0;
    api.fault = (request) => {
      if (operationOf(request) !== 'Feedback') return undefined;
      tellings += 1;
      // The kill comes before the answer, so the delivery is not recorded.
      if (tellings === 1) ingestor.kill();
      return undefined;
    };
    await eventually(() => Promise.resolve(tellings > 0 || undefined));
    // No other ingestor takes the delivery before the lease of the killed ingestor ends, so the test ends the lease.
    await db.query(`UPDATE outbox SET taken_until = '-infinity'`);
    await eventually(async () => (tellings > 1 && (await isSettled()) ? true : undefined));
    const shown = heard();
    expect(Object.keys(shown).sort()).toEqual([...ids].sort());
    expect(new Set(Object.values(shown)).size).toBe(1);

    ids = idsOf(3, 32);
    await eventually(async () => {
      const { '1': first, '2': second, '3': third, '32': last } = heard();
      return first !== third && second !== third && last === third && (await isSettled()) ? true : undefined;
    });
    expect(await db.query('SELECT FROM source_feedback WHERE NOT told')).toEqual([]);
  });
});
