import { OutboundPosts } from '@passerelle/connectors';
import { SecretBox, storeSource } from '@passerelle/domain';
import { pino } from 'pino';
import { SourceSecrets } from '../../../apps/ingestor/src/ingest/source-secrets';
import { feedbackDelivery } from '../../../apps/ingestor/src/outbox/feedback/feedback-delivery';
import { OutboxWorker } from '../../../apps/ingestor/src/outbox/outbox-worker';
import { connector as skarabee } from '../../../libs/connectors/src/sources/skarabee/connector';
import type { ApiServer } from '../../simulated/apis/api-server';
import {
  operationOf,
  simulateSkarabee,
  SKARABEE_CREDENTIALS,
  SKARABEE_PATH,
  type SkarabeeState,
  type ReportedPublication,
} from '../../simulated/apis/skarabee';
import { runWaiting } from '../../support/gateway-runner';
import { until } from '../../support/waiting';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SECRETS_KEY = 'the-key-of-the-feedback-of-this-test-run';
const box = new SecretBox(SECRETS_KEY);
const WANTED = { retour: 'oui', 'page-annonce': 'https://agence.example/bien/{affId}/' };

const list = (...ids: number[]) => ids.map((id) => ({ id: String(id) }));
const aState = (): SkarabeeState => ({
  publications: () => list(1, 2, 3),
  ...{ errorOf: () => undefined, movesPhotos: false, offices: ['Immo Exemple'], feedback: [] },
  beforePublication: () => undefined,
});

const registry = { list: () => [skarabee], get: () => skarabee };
const log = pino({ level: 'silent' });

// Real: PostgreSQL, the run, HTTP. Fake: Weblink, which is a simulator.
describe('feedback to Weblink about publications', () => {
  const state = aState();
  let api: ApiServer;
  let posts: OutboundPosts;
  let db: TestDatabase;
  let gatewayId: number;
  let gateways = 0;

  beforeAll(async () => {
    api = await simulateSkarabee(state);
    posts = new OutboundPosts({ allowPrivate: new Set([api.host]), timeoutMs: 10_000, maxCharacters: 100_000 });
    db = await createTestDatabase();
  });
  beforeEach(async () => {
    Object.assign(state, { remembers: [] }, aState());
    api.fault = undefined;
    gatewayId = await addGateway(WANTED);
  });
  afterAll(async () => {
    posts.close();
    await api.close();
    await db.drop();
  });

  async function addGateway(settings: Record<string, string>): Promise<number> {
    gateways += 1;
    const id = await db.database.gateways.add(
      {
        ...{ crm: 'skarabee', client: `client-${gateways}`, sourceUrl: 'https://weblink.example', settings: {} },
        ...{ credentials: null, everySeconds: 3600, contractEnd: null },
      },
      { hash: Buffer.from(`hash ${gateways}`), prefix: 'psr_x' },
    );
    await setSettings(id, settings);
    return id;
  }
  const setSettings = (id: number, settings: Record<string, string>) =>
    db.database.gateways.setSource(id, {
      ...storeSource(
        { url: `http://${api.host}${SKARABEE_PATH}`, settings: { 'requests-per-second': '500', ...settings } },
        box,
      ),
      credentials: box.seal(JSON.stringify(SKARABEE_CREDENTIALS)),
    });
  /** Carries out a run to its end. @returns its state */
  async function run(): Promise<string> {
    const { runRequests, runHistory } = db.database;
    const runId = await runRequests.request({ gatewayId, trigger: 'ops', forced: true });
    const outbound = { allowPrivate: new Set([api.host]), pagePauseMs: 0 };
    await runWaiting(db.database, gatewayId, { registry, secretsKey: SECRETS_KEY, outbound });
    const { state: ended = '', reason = '' } = (await runHistory.find(runId)) ?? {};
    return ended === 'failed' ? `failed: ${reason ?? ''}` : ended;
  }
  /** Lets the ingestor's worker send until nothing is due. */
  async function tell(): Promise<void> {
    const { connection, outbox, sourceFeedback, hostBudgets } = db.database;
    const parts = {
      feedback: sourceFeedback,
      budgets: hostBudgets,
      secrets: new SourceSecrets(box),
      posts,
      registry,
      log,
    };
    const worker = new OutboxWorker(connection, outbox, [feedbackDelivery(parts)], log);
    await worker.start();
    await until(async () => {
      const due = await db.query(
        `SELECT FROM outbox WHERE state = 'pending' AND (next_try_at <= now() OR taken_until > now())`,
      );
      return due.length === 0;
    });
    await worker.stop();
  }
  const told = (): ReportedPublication[] => state.feedback.flat();
  const row = async () =>
    (
      await db.query<{ tries: number; error: string | null; pause: number }>(
        `SELECT tries, error, extract(epoch FROM next_try_at - now())::float8 AS pause FROM outbox WHERE gateway_id = $1 AND state = 'pending'`,
        [gatewayId],
      )
    )[0];
  async function tellAll(): Promise<void> {
    await tell();
    expect(await row()).toBeUndefined();
  }
  const shown = (...ids: number[]) =>
    ids.map((id) => ({ id: String(id), status: 'AVAILABLE', url: `https://agence.example/bien/${id}/` }));

  it('is sent once for each publication, and then only for changes', async () => {
    expect(await run()).toBe('published');
    await tellAll();
    expect(told()).toEqual(shown(1, 2, 3));
    expect(await run()).toBe('unchanged');
    await tellAll();
    expect(told()).toHaveLength(3);

    state.feedback = [];
    state.remembers = ['3'];
    state.publications = () => [
      { id: '1' },
      { id: '2', changed: '2026-11-02 10:00:00', property: '<ConstructionYear>1950</ConstructionYear>' },
      { id: '4' },
    ];
    expect(await run()).toBe('published');
    await tellAll();
    expect(told()).toEqual([shown(2)[0], { id: '3', status: 'DELETED' }, shown(4)[0]]);
  });

  it('gives the reason once when a publication becomes no listing, and reports when the publication is a listing again', async () => {
    const odd = { id: '2', property: '<Price>0</Price>' };
    state.publications = () => [{ id: '1' }, odd];
    expect(await run()).toBe('published');
    await tellAll();
    state.feedback = [];
    await db.query(
      `INSERT INTO rejection (run_id, position, record_id, field, code, message)
       SELECT max(id), 2, '9', 'Property.Address', 'invalid_value', 'it is no address' FROM run WHERE gateway_id = $1`,
      [gatewayId],
    );
    const [{ id: runId } = { id: 0 }] = await db.query<{ id: number }>(
      'SELECT max(id)::int AS id FROM run WHERE gateway_id = $1',
      [gatewayId],
    );
    state.remembers = ['9'];
    await db.database.sourceFeedback.note(gatewayId, runId);
    await tellAll();
    await db.database.sourceFeedback.note(gatewayId, runId);
    await db.database.sourceFeedback.note(gatewayId, null);
    await tellAll();
    expect(told()).toEqual([{ id: '9', status: 'ERROR', reason: 'Property.Address: it is no address' }]);
    state.feedback = [];
    state.publications = () => [{ id: '1' }, odd, { id: '9' }];
    await run();
    await tellAll();
    expect(told()).toEqual(shown(9));
  });

  it('is sent only with the setting, and then for all publications', async () => {
    await setSettings(gatewayId, {});
    expect(await run()).toBe('published');
    expect(await row()).toBeUndefined();
    await setSettings(gatewayId, WANTED);
    expect(await run()).toBe('unchanged');
    await tellAll();
    expect(told()).toHaveLength(3);
  });

  it('continues for other publications when Weblink no longer knows one', async () => {
    await run();
    await tellAll();
    state.feedback = [];
    state.publications = () => list(1, 2, 4, 5, 6);
    await run();
    await tellAll();
    expect(told()).toEqual(shown(4, 5, 6));
  });

  it.each([
    ['status 503', { kind: 'status', status: 503 } as const, 'the API of the CRM answered 503', 30],
    [
      'status 429 with a Retry-After of one hour',
      { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const,
      'the API of the CRM answered 429',
      3600,
    ],
    ['an HTML page', { kind: 'body', contentType: 'text/html', body: '<html></html>' } as const, 'no XML document', 30],
    ['a truncated answer', { kind: 'dropped', afterBytes: 0 } as const, 'no XML document', 30],
  ])('is tried again later after %s, while the run is published', async (_what, fault, error, pause) => {
    api.fault = (request) => (operationOf(request) === 'Feedback' ? fault : undefined);
    expect(await run()).toBe('published');
    await tell();
    const failed = await row();
    expect(failed?.tries).toBe(1);
    expect(failed?.error).toContain(error);
    expect(failed?.pause).toBeGreaterThan(pause - 15);
    const { sourceFeedback, figures } = db.database;
    expect(await sourceFeedback.waitingFor(gatewayId)).toMatchObject({ listings: 3, tries: 1, error: failed?.error });
    const counted = await figures.load({ everySeconds: 3600, overduePeriods: 3 });
    expect(counted.find(({ connector }) => connector === 'skarabee')?.feedback.waiting).toBeGreaterThanOrEqual(3);
    // The simulator has received the feedback although it answered with an error.
    state.feedback = [];
    api.fault = undefined;
    await db.query(`UPDATE outbox SET next_try_at = '-infinity'`);
    await tellAll();
    expect(told()).toEqual(shown(1, 2, 3));
    expect(await sourceFeedback.waitingFor(gatewayId)).toBeNull();
  });

  it('is sent in requests for a hundred publications each', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => index + 1);
    state.publications = () => list(...ids);
    expect(await run()).toBe('published');
    // On a slow machine, one run does not handle all publications.
    for (let runs = 0; runs < 20 && (await run()) !== 'unchanged'; runs += 1);
    await tellAll();
    expect(state.feedback.map(({ length }) => length)).toEqual([100, 100, 30]);
    expect(new Set(told().map(({ id }) => Number(id)))).toEqual(new Set(ids));
  });
});
