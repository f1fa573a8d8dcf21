import { addExportedPlacement } from '../../support/exports/placements';
import { FakeWorker } from '../ops/fake-worker';
import { type ConsoleUnderTest, startConsole } from './console-under-test';

const HELD = {
  ...{ state: 'held', reasonCode: 'vanished', reason: '2 of 3 listings (66.7 %) would vanish; at most 20 % may' },
  verdict: [{ code: 'vanished', message: '2 of 3 listings (66.7 %) would vanish; at most 20 % may', figures: {} }],
} as const;
const FAILED = {
  state: 'failed',
  reasonCode: 'retry',
  reason: 'feeds.example.org did not answer (ETIMEDOUT)',
} as const;
/** Elements that are marked as English: words of vendors and of the log. */
const MARKED = /<(\w+)(?: [^<>]*)? lang="en"[^<>]*>[^]*?<\/\1>/g;
/** Typical words of the library's English sentences. */
const ENGLISH =
  /\b(would vanish|did not answer|has no identifier|of the \d+ that are served|rejected its record|found it, and is held|is not paused|takes an? |is held, and marks it as|cannot be done|at most \d+ %? may|would disappear|is required|gave no reason)\b/;

// Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor.
describe('French console pages', () => {
  let console: ConsoleUnderTest;
  let run: number;

  beforeAll(async () => {
    console = await startConsole();
    const { db } = console;
    await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: 'where the feed is' }]);
    const add = (client: string): Promise<number> =>
      db.database.gateways.add(
        {
          ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(client.padEnd(32)), prefix: 'psr_abcd' },
      );
    const worker = new FakeWorker(db);
    const held = await add('retenue');
    await worker.run(held, { listings: ['A', 'B', 'C'] });
    const rejection = {
      position: 2,
      recordId: '1042',
      field: 'id',
      code: 'missing_id',
      message: 'the record has no identifier',
    };
    run = await worker.run(held, { listings: ['A', 'D'], rejections: [rejection as never] }, HELD as never);
    await worker.run(await add('muette'), { listings: [] }, FAILED);
    await addExportedPlacement(db, held);
    await db.query(
      `UPDATE gateway_schedule SET failures = 3, failing_since = now() FROM gateway g WHERE g.id = gateway_id AND client = 'muette'`,
    );
  });
  afterAll(() => console.close());

  it('contain no English sentence from the library', async () => {
    const admin = await console.signedIn('admin');
    await admin.get('/language?code=fr&to=%2F');
    const listing = (id: string): string => `/gateways/kyero/retenue/listings/${id}`;
    const paths = [
      ...[
        '/',
        '/gateways',
        '/gateways?state=held',
        '/gateways/kyero/retenue',
        '/gateways/kyero/muette',
        '/runs',
        `/runs/${run}`,
      ],
      ...[
        listing('A'),
        listing('B'),
        listing('D'),
        listing('1042'),
        listing('nothing'),
        '/listings?id=nothing',
        '/problems',
      ],
      ...['/connectors', '/connectors/kyero', '/gateways/new', '/connectors/kyero/add', '/gateways/kyero/retenue/push'],
      ...[
        '/leads',
        '/notifications',
        '/exports',
        '/exports/1',
        '/gateways/kyero/retenue/adverts',
        '/gateways/kyero/retenue/edit',
        '/gateways/kyero/retenue/keys',
        '/gateways/kyero/retenue/remove',
        '/deliveries?kind=webhook',
        '/deliveries?kind=feedback',
        '/audit',
        '/operators',
        '/about',
      ],
    ];
    let french = 0;
    for (const path of paths) {
      const { text } = await admin.get(path);
      expect(text).toContain('<html lang="fr">');
      const plain = text.replace(MARKED, '');
      // A connector's descriptions of its settings stay in English, and are marked as English.
      const judged = /^\/connectors\/|\/edit$/.test(path) ? plain : text;
      expect({ path, english: ENGLISH.exec(plain)?.[0] ?? null, marked: ENGLISH.exec(judged)?.[0] ?? null }).toEqual({
        ...{ path, english: null, marked: null },
      });
      // No line begins with a punctuation mark of the previous word.
      const words = plain.replace(/<(style|script)[^]*?<\/\1>/g, '').replace(/<[^<>]*>/g, '');
      expect({ path, loose: /\S{0,30} [:;!?»%€]\S*/.exec(words)?.[0] ?? null }).toEqual({ path, loose: null });
      if (/disparaîtraient|n’a pas répondu|n’a pas d’identifiant/.test(text)) french += 1;
    }
    expect(french).toBeGreaterThan(5);
  });

  it('explain in French why an action is impossible, and which field is invalid', async () => {
    const admin = await console.signedIn('admin');
    await admin.get('/language?code=fr&to=%2F');
    const page = '/connectors/kyero/add';
    const wrong = await admin.post(page, { client: 'retenue', source: 'gopher://x' }, page);
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('demande une URL http:');
    expect(wrong.text).toContain('value="gopher://x"');
    const taken = await admin.post('/operators/change', { name: 'admin', act: 'disable' }, '/operators');
    expect(taken.text).toContain('un opérateur ne peut pas se désactiver lui-même');
  });
});
