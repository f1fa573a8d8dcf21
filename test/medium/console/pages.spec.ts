import { GatewaySummaries, LeadList, RunHistory, SavedViews } from '@passerelle/database';
import { FakeWorker } from '../ops/fake-worker';
import { RELEASE, type Setting, SETTINGS } from '@passerelle/settings';
import { KeyHashes, openSource, SecretBox } from '@passerelle/domain';
import { type ConsoleUnderTest, SECRETS_KEY, startConsole, type Visitor } from './console-under-test';

const HELD = { state: 'held', reasonCode: 'vanished', reason: 'half of it went' } as const;

// Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor.
describe('the pages of the console', () => {
  let console: ConsoleUnderTest;
  let viewer: Visitor;
  let operator: Visitor;
  let heldRun: number;

  const add = (client: string): Promise<number> =>
    console.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32)), prefix: `psr_${client}` },
    );

  beforeAll(async () => {
    console = await startConsole();
    const { db } = console;
    const worker = new FakeWorker(db);
    await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    const held = await add('held');
    await worker.run(held, { listings: ['A', 'B', 'C'] });
    heldRun = await worker.run(held, { listings: ['A'] }, HELD);
    const failing = await add('failing');
    await worker.run(
      failing,
      { listings: [] },
      { state: 'failed', reasonCode: 'timeout', reason: 'it did not answer' },
    );
    await db.query(`UPDATE gateway_schedule SET failures = 1, failing_since = now() WHERE gateway_id = $1`, [failing]);
    await worker.run(await add('fresh'), { listings: ['A', 'B'] });
    await db.query(
      `INSERT INTO lead (gateway_id, token, aff_id, sealed, error, tries, next_try_at)
       VALUES ($1, gen_random_uuid(), 'A', '\\x00', 'the mail server does not answer (ECONNREFUSED)', 3, now() + interval '26 hours')`,
      [failing],
    );
    await db.query(`INSERT INTO source_feedback (gateway_id, listing, status) VALUES ($1, 'A', 'shown')`, [failing]);
    await db.query(
      `INSERT INTO source_feedback_due (gateway_id, tries, error) VALUES ($1, 2, 'the API of the CRM answered 503')`,
      [failing],
    );
    viewer = await console.signedIn('viewer');
    operator = await console.signedIn('operator');
  });
  afterAll(() => console.close());

  it.each([
    ['/', ['1 enquiry waits', 'half of it went', 'it did not answer', 'Gateways by state']],
    ['/gateways', ['kyero/held', 'kyero/failing', 'kyero/fresh', '3 gateways']],
    ['/gateways?state=held', ['kyero/held', '1 gateway']],
    ['/gateways?q=example.org', ['0 gateways']],
    ['/gateways/kyero/held', ['waits for a decision', 'psr_held', 'reading and reporting']],
    [
      '/gateways/kyero/failing',
      ['still to be told what became of one listing', 'tried 2 times in vain', 'the API of the CRM answered 503'],
    ],
    ['/gateways/kyero/fresh/push', ['Webhooks and calls', 'No call waits for a run.']],
    ['/gateways/kyero/fresh/listings/A', ['listed', 'number 1 of the 2']],
    ['/gateways/kyero/held/listings/C', ['listed']],
    ['/gateways/kyero/held/listings/nothing', ['unknown']],
    [`/gateways/kyero/held/listings/${'x'.repeat(300)}`, ['unknown', 'x'.repeat(300)]],
    ['/connectors', ['Kyero', '1 held', '1 failing', '1 fresh', '25% of 4', 'Nothing is paused.']],
    ['/connectors/kyero', ['agence-nom', 'max-vanished-share', 'sftp:']],
    ['/runs', ['kyero/failing']],
    ['/runs?state=held', ['kyero/held']],
    ['/runs?gateway=kyero/fresh', ['kyero/fresh', 'value="kyero/fresh"']],
    ['/runs?until=2026-02-31', ['kyero/failing']],
    ['/audit?until=2026-02-31', ['Audit']],
    ['/leads', ['1 enquiry waits', 'kyero/failing', 'ECONNREFUSED', 'tomorrow']],
    ['/problems', ['Problems']],
    ['/audit', ['Audit']],
    ['/operators', ['viewer', 'operator']],
    [
      '/about',
      ['Kyero', RELEASE, 'PostgreSQL 18', '<code>listing_version</code>', 'In the last day', ...aboutSettings()],
    ],
  ])('%s shows what there is', async (path, texts) => {
    const { status, text, headers } = await viewer.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const expected of texts) expect(text).toContain(expected);
  });

  it('shows its settings, and of secrets only that they are there', async () => {
    const { text } = await viewer.get('/about');
    expect(text).toMatch(/SECRETS_KEY<\/code>[^]{0,80}set, and secret/);
    expect(text).not.toContain(SECRETS_KEY);
    expect(text).not.toMatch(/postgres(ql)?:\/\//);
    expect(text).toMatch(/<span lang="en">[^<]*<code>[^<]+<\/code>/);
    expect(text).not.toContain('`');
  });

  it('a listing shows what came beside what it became, its history with differences, and a sentence for the agency', async () => {
    const gateway = await add('compared');
    await new FakeWorker(console.db).run(gateway, { listings: ['A'] });
    const first = await console.db.query<{ id: number }>(
      `SELECT id FROM listing_version WHERE gateway_id = ${gateway}`,
    );
    const version = first[0]!.id;
    const raw = JSON.stringify({ id: 'A', price: '450000.00', type: 'finca', note: '<script>alert(1)</script>' });
    await console.db.query('UPDATE listing_raw SET body = $2 WHERE version_id = $1', [version, raw]);
    await console.db.query('UPDATE listing_normalized SET body = $2 WHERE version_id = $1', [
      version,
      JSON.stringify({ affId: 'A', prix: 450000, typeCode: 'autre' }),
    ]);
    await console.db.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples)
       SELECT max(id), 'unknown_word', 'type', 'finca', 1, '{A}' FROM run WHERE gateway_id = $1`,
      [gateway],
    );
    const { text } = await viewer.get('/gateways/kyero/compared/listings/A');
    const rows = text.split('<tr>').map((row) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(rows).toContain('price 450000.00 prix');
    expect(rows).toContain('type finca decides on intitule typeCode typeCodeSource a word that we do not know');
    const unused =
      'note &lt;script&gt;alert(1)&lt;/script&gt; not used, unless together with what is not shown here, for typeCode';
    expect(rows.some((row) => row.startsWith(unused))).toBe(true);
    expect(rows.some((row) => row.startsWith('typeCode autre'))).toBe(true);
    expect(text).toContain('Your listing A is online');
    expect(text).not.toContain('<script>alert');
    const unknown = await viewer.get('/gateways/kyero/compared/listings/Z', { 'accept-language': 'fr' });
    expect(unknown.text).toContain('Votre logiciel n’a jamais envoyé d’annonce Z');
  });

  it('go to a day: the runs and changes of it and before, and on from there, of all gateways or of one', async () => {
    const gateway = await add('dated');
    const worker = new FakeWorker(console.db);
    const [old, late] = [
      await worker.run(gateway, { listings: ['A'] }),
      await worker.run(gateway, { listings: ['A'] }),
    ];
    await console.db.query(`UPDATE run SET requested_at = '2024-02-29T23:59:59Z' WHERE id <= $1`, [old]);
    const has = async (path: string): Promise<boolean[]> => {
      const { text } = await viewer.get(path);
      return [old, late].map((run) => text.includes(`href="/runs/${run}"`));
    };
    console.wait(11);
    expect(await has('/runs')).toEqual([true, true]);
    expect(await has('/runs?until=2024-02-29')).toEqual([true, false]);
    expect(await has('/runs?until=2024-02-28')).toEqual([false, false]);
    expect(await has('/runs?until=2999-01-01')).toEqual([true, true]);
    expect(await has('/runs?until=2024-02-29&gateway=kyero/fresh')).toEqual([false, false]);
    expect(await has(`/runs?gateway=kyero/dated&before=${late}`)).toEqual([true, false]);
    expect((await viewer.get('/gateways/kyero/dated')).text).toContain('href="/runs?gateway=kyero%2Fdated"');
    await console.db.query(`UPDATE run SET requested_at = now() WHERE id <= $1`, [old]);
  });

  it('say why a list is old, though no run of it has failed', async () => {
    const gateway = await add('overdue');
    await new FakeWorker(console.db).run(gateway, { listings: ['A'] });
    await console.db.query(`UPDATE gateway SET confirmed_at = now() - interval '3 days' WHERE id = $1`, [gateway]);
    const next = (when: string): Promise<unknown> =>
      console.db.query(`UPDATE gateway_schedule SET next_run_at = now() + $2::interval WHERE gateway_id = $1`, [
        gateway,
        when,
      ]);
    const expectReason = async (reason: RegExp): Promise<void> => {
      console.wait(11);
      for (const path of ['/gateways?q=overdue', '/gateways/kyero/overdue'])
        expect((await viewer.get(path)).text).toMatch(reason);
    };
    await next('-2 hours');
    await expectReason(/Its run is due \(2 hours ago\), and no ingestor has asked for it\./);
    await next('1 day');
    await expectReason(/Its last run was stopped, or put aside, or confirmed nothing\./);
    await operator.post('/gateways/kyero/overdue/act', { act: 'ingest' }, '/gateways/kyero/overdue');
    await expectReason(/A run of it waits for an ingestor \(/);
    await console.db.query(
      `UPDATE run SET state = 'running', started_at = now() WHERE gateway_id = $1 AND state = 'queued'`,
      [gateway],
    );
    await expectReason(/A run of it is under way\./);
    await console.db.query(`DELETE FROM run WHERE gateway_id = $1 AND state = 'running'`, [gateway]);
    await console.db.query(`UPDATE gateway SET confirmed_at = now() WHERE id = $1`, [gateway]);
  });

  it('say when each gateway ran last, also where that run failed or is held', async () => {
    const lastRunOf = async (client: string): Promise<string> => {
      const { text } = await viewer.get(`/gateways?q=${client}`);
      const cells = text
        .slice(text.indexOf('<tbody'))
        .split('<td')
        .map((cell) => /datetime="([^"]+)"/.exec(cell)?.[1] ?? '');
      const titles = text.slice(text.indexOf('<thead'), text.indexOf('</thead')).split('<th').slice(2);
      return cells[1 + titles.findIndex((title) => title.includes('Last run'))] ?? '';
    };
    const endOf = async (client: string, state: string): Promise<string> => {
      const [run] = await console.db.query<{ at: string }>(
        `SELECT to_json(max(ended_at)) #>> '{}' AS at FROM run r JOIN gateway g ON g.id = r.gateway_id WHERE client = $1 AND state = $2`,
        [client, state],
      );
      return run!.at;
    };
    expect(await lastRunOf('failing')).toBe(await endOf('failing', 'failed'));
    expect(await lastRunOf('held')).toBe(await endOf('held', 'held'));
    expect(Math.abs(Date.parse(await lastRunOf('fresh')) - Date.parse(await endOf('fresh', 'published')))).toBeLessThan(
      60_000,
    );
  });

  it('say in words what a run has rejected and warned of, beside the code', async () => {
    const gateway = await add('warned');
    const rejection = {
      position: 1,
      recordId: 'nameless',
      field: 'id',
      code: 'missing_id',
      message: 'it has no id',
      excerpt: null,
    };
    const run = await new FakeWorker(console.db).run(gateway, { listings: ['A'], rejections: [rejection as never] });
    await console.db.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples) VALUES ($1, 'unknown_word', 'type', 'yurt', 1, '{A}')`,
      [run],
    );
    console.wait(61);
    for (const path of [`/runs/${run}`, '/problems']) {
      const { text } = await viewer.get(path);
      expect(text).toMatch(/a word that we do not know <code class="faint">unknown_word<\/code>/);
      expect(text).toMatch(/has no identifier <code class="faint">missing_id<\/code>/);
    }
  });

  it('list what the site of each gateway reported last', async () => {
    const gateway = await add('reporting');
    await new FakeWorker(console.db).run(gateway, { listings: ['A', 'B'] });
    // One that was put aside comes in behind a newer one.
    await console.db.query(
      `INSERT INTO report (gateway_id, status, count, received_at)
       VALUES ($1, 'success', 17, now()), ($1, 'error', 5, now() - interval '1 hour')`,
      [gateway],
    );
    console.wait(61);
    const { text } = await viewer.get('/gateways?q=reporting');
    expect(text).toMatch(/imported<\/span>\s*shows 17/);
    expect((await viewer.get('/gateways?q=fresh')).text).not.toMatch(/shows \d/);
  });

  it('a run groups its rejections by reason and field, with examples', async () => {
    const gateway = await add('rejecting');
    const rejections = ['A', 'B', 'C', 'D'].map((recordId, index) => ({
      ...{ position: index + 1, recordId, field: recordId === 'D' ? 'id' : 'price', code: 'invalid_value' },
      ...{ message: 'the price is no number', excerpt: null },
    }));
    const run = await new FakeWorker(console.db).run(gateway, { listings: ['Z'], rejections: rejections as never });
    const { text } = await viewer.get(`/runs/${run}`);
    const rows = text.split('<tr>').map((row) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(rows).toContain('a value that cannot be invalid_value price 3 the price is no number A, B, C');
    expect(
      rows.some((row) => row.startsWith('a value that cannot be invalid_value id 1 the price is no number D')),
    ).toBe(true);
  });

  it('a gateway shows how its lists grew, as a picture and in figures', async () => {
    const gateway = await add('grown');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    await console.db.query(`UPDATE snapshot SET published_at = now() - interval '3 days' WHERE gateway_id = $1`, [
      gateway,
    ]);
    await worker.run(gateway, { listings: ['A', 'B', 'C'] });
    const { text } = await viewer.get('/gateways/kyero/grown');
    expect(text).toContain('aria-label="From 2 to 3 listings in 4 days');
    expect(text.match(/<rect/g)).toHaveLength(2);
  });

  it('a gateway shows what is remembered of its source, without the digest of its secrets', async () => {
    const gateway = await add('remembered');
    const factsOf = async (headers?: Record<string, string>): Promise<string> => {
      const { text } = await viewer.get('/gateways/kyero/remembered', headers);
      expect(text).not.toMatch(/digest-of-secrets|print-of-bytes/);
      const [, part = ''] = /(?:remembered|retenu) (?:of its|de sa) source<\/h2>([^]*?)<\/section>/.exec(text) ?? [];
      return part
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    };
    expect(await factsOf()).toBe('Nothing is published yet: the next run reads everything.');
    await new FakeWorker(console.db).run(gateway, { listings: ['A', 'B'] });
    const remember = (memory: object): Promise<unknown> =>
      console.db.query('UPDATE gateway SET feed_memory = $2 WHERE id = $1', [gateway, JSON.stringify(memory)]);
    const secret = { mappingKey: 'digest-of-secrets', fingerprint: 'print-of-bytes' };
    await remember({ ...secret, sizeBytes: 1_234_567, etag: '"<b>1"', lastModified: 'Wed, 01 May 2024 10:00:00 GMT' });
    expect(await factsOf()).toMatch(
      /^Its source says whether .* ETag &quot;&lt;b&gt;1&quot; Last-Modified .* ago Bytes of the feed 1,234,567 Known records 2$/,
    );
    await remember({
      mappingKey: 'digest-of-secrets',
      comparedAt: '2024-05-01T10:00:00Z',
      askedAt: '2024-05-02T10:00:00Z',
    });
    await console.db.query(`INSERT INTO source_detail (gateway_id, hash, sealed) VALUES ($1, '\\x01', '\\x02')`, [
      gateway,
    ]);
    expect(await factsOf()).toMatch(
      /^Each run compares its records .* Known records 2 Whole list read .* ago Asked what has changed .* ago Records kept until they are published 1, since /,
    );
    expect(await factsOf({ 'accept-language': 'fr' })).toMatch(
      /^Chaque exécution compare ses enregistrements .* Enregistrements connus 2 /,
    );
  });

  it('a search is kept under a name for everybody, and removed', async () => {
    const fields = { act: 'save', name: '<b>Held ones', state: 'held', q: 'kyero', page: '3' };
    const saved = await operator.post('/gateways/views', fields, '/gateways');
    expect([saved.status, saved.location]).toEqual([303, '/gateways?q=kyero&state=held']);
    const { text } = await viewer.get('/gateways?q=kyero&state=held');
    expect(text).toContain('href="/gateways?q=kyero&amp;state=held" aria-current="page">&lt;b&gt;Held ones</a>');
    expect(text).not.toContain('action="/gateways/views"');
    await operator.post('/gateways/views', { ...fields, act: 'remove' }, '/gateways');
    expect((await viewer.get('/gateways')).text).not.toContain('Held ones');
    expect((await operator.post('/gateways/views', { ...fields, act: 'remove' }, '/gateways')).status).toBe(409);
    expect((await console.db.database.audit.list({ act: 'view save', limit: 1 }))[0]).toMatchObject({
      who: 'operator',
    });
  });

  it('pages that refresh themselves keep no session alive, and ask the database once for all who look', async () => {
    const watcher = await console.signedIn('viewer');
    const { text, headers } = await watcher.get('/');
    const script = /<script src="([^"]+)" defer/.exec(text)?.[1] ?? '';
    const { text: code, headers: ofScript } = await console.visitor().get(script);
    expect([code.length < 40_000, ofScript['content-type']]).toEqual([true, 'text/javascript; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const asked = [
      jest.spyOn(GatewaySummaries.prototype, 'list'),
      jest.spyOn(RunHistory.prototype, 'list'),
      jest.spyOn(LeadList.prototype, 'countWaiting'),
      jest.spyOn(SavedViews.prototype, 'list'),
    ];
    console.wait(11);
    const startedMs = performance.now();
    for (let round = 0; round < 20; round += 1)
      for (const path of ['/', '/gateways']) await watcher.get(path, { 'x-live': '1' });
    // While somebody looks it is renewed by itself, at most once in six seconds.
    const renewals = Math.ceil((performance.now() - startedMs) / 6_000);
    for (const { mock } of asked) {
      expect(mock.calls.length).toBeGreaterThan(0);
      expect(mock.calls.length).toBeLessThanOrEqual(1 + renewals);
    }
    for (const spy of asked) spy.mockRestore();
    for (let minutes = 0; minutes < 30; minutes += 10) {
      console.wait(10 * 60);
      await watcher.get('/', { 'x-live': '1' });
    }
    expect((await watcher.get('/')).location).toBe('/sign-in');
    viewer = await console.signedIn('viewer');
    operator = await console.signedIn('operator');
  });

  it('a held run shows its verdict, its figures beside those of the run before, and what would go', async () => {
    const { text } = await viewer.get(`/runs/${heldRun}`);
    expect(text).toContain('half of it went');
    expect(text).toContain('2 would go');
    expect(text).toContain(`/runs/${heldRun - 1}`);
  });

  it.each([
    '/nothing',
    '/gateways/kyero/nobody',
    '/connectors/nobody',
    '/runs/999',
    '/runs/x',
    '/gateways/kyero/nobody/listings/1',
  ])('%s is not found', async (path) => {
    expect((await viewer.get(path)).status).toBe(404);
  });

  it('are French for who asks for it, and stay so', async () => {
    expect((await viewer.get('/', { 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.5' })).text).toContain(
      'Passerelles par état',
    );
    expect((await viewer.get('/', { 'accept-language': 'de' })).text).toContain('Gateways by state');
    const switched = console.visitor();
    const answer = await switched.get('/language?code=fr&to=%2Fsign-in');
    expect(answer).toMatchObject({ status: 303, location: '/' });
    expect((await switched.get('/sign-in')).text).toContain('<html lang="fr">');
  });

  it('show who has decided to the one who decides second', async () => {
    const [first, second] = [operator, await console.signedIn('admin')];
    const page = `/runs/${heldRun}`;
    const token = /name="_csrf" value="([^"]+)"/.exec((await second.get(page)).text)![1]!;
    const missing = await first.post(`${page}/decide`, { verdict: 'publish', reason: ' ' }, page);
    expect(missing).toMatchObject({ status: 422 });
    expect(missing.text).toContain('A reason is missing');
    expect(wrongIn(missing.text)).toEqual(['reason']);

    const decided = await first.post(`${page}/decide`, { verdict: 'publish', reason: 'they closed' }, page);
    expect(decided).toMatchObject({ status: 303, location: page });
    const late = await second.send(`${page}/decide`, { _csrf: token, verdict: 'discard', reason: 'half a feed' });
    expect(late.status).toBe(409);
    expect(late.text).toContain(`run ${heldRun} is not held, it is published by operator (they closed)`);
    expect((await viewer.get(page)).text).toContain('operator decided');
    const [recorded] = await console.db.database.audit.list({ limit: 1 });
    expect(recorded).toMatchObject({ who: 'operator', through: 'console', act: 'run publish', runId: heldRun });
  });

  it('puts a held run aside, though it may not remove a listing', async () => {
    const gateway = await add('half');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    const run = await worker.run(gateway, { listings: ['A'] }, HELD);
    const page = `/runs/${run}`;
    const answer = await operator.post(`${page}/decide`, { verdict: 'discard', reason: 'half a feed' }, page);
    expect(answer.status).toBe(303);
    expect((await viewer.get(page)).text).toContain('half a feed');
    // Its snapshot goes with the next run.
    await worker.run(gateway, { listings: ['A', 'B'] });
    await console.db.database.snapshots.prune(gateway);
    expect(
      await console.db.query('SELECT 1 FROM snapshot WHERE published_at IS NULL AND gateway_id = $1', [gateway]),
    ).toEqual([]);
  });

  it('act on a frozen set, and name those that are no longer so', async () => {
    const ids = [await add('bulk-1'), await add('bulk-2'), await add('bulk-3')];
    console.wait(11);
    const list = '/gateways?q=bulk&state=never';
    const confirm = await operator.post(
      '/gateways/choose',
      { act: 'disable', scope: 'all', q: 'bulk', state: 'never' },
      list,
    );
    expect(confirm.text).toContain('These 3 gateways');
    expect(shownIn(confirm.text)).toBe('never,never,never');
    expect(confirm.text).toContain(`value="${ids.join(',')}"`);

    // Meanwhile one publishes, one goes, and another one comes that the search would find.
    await new FakeWorker(console.db).run(ids[0]!, { listings: ['A'] });
    await console.db.database.gateways.remove(ids[1]!);
    const other = await add('bulk-4');
    const done = await operator.post(
      '/gateways/act',
      { act: 'disable', ids: [...ids, 999_999].join(','), shown: shownIn(confirm.text), reason: 'they left' },
      list,
    );
    expect(done.text).toContain('It is done for 1 gateway.');
    expect(done.text).toContain('3 left alone');
    expect(done.text).toContain('was never published, is now fresh');
    expect(done.text).toContain('is there no more');
    const enabled = await console.db.query<{ id: number; enabled: boolean }>(
      'SELECT id, enabled FROM gateway WHERE id = ANY ($1::int[]) ORDER BY id',
      [[...ids, other]],
    );
    expect(enabled).toEqual([
      { id: ids[0], enabled: true },
      { id: ids[2], enabled: false },
      { id: other, enabled: true },
    ]);
    const rows = await console.db.database.audit.list({ limit: 5, act: 'gateway disable' });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ client: 'bulk-3', who: 'operator', through: 'console', reason: 'they left' });
  });

  it('that answer a form stand in their place, and lead to it in the other language', async () => {
    const chosen = await operator.post('/gateways/choose', { act: 'pause', scope: 'all', q: 'held' }, '/gateways');
    const wrong = await operator.post('/gateways/kyero/held/act', { act: 'pause', reason: '' }, '/gateways/kyero/held');
    for (const { text } of [chosen, wrong]) {
      expect([...text.matchAll(/<a href="([^"]+)" aria-current/g)].map(([, place]) => place)).toEqual(['/gateways']);
      expect(text).toContain('href="/language?to=%2Fgateways&amp;code=fr"');
    }
  });

  it('leave alone, of many, what has changed since they were named, whatever was searched for', async () => {
    const worker = new FakeWorker(console.db);
    const ids: number[] = [];
    for (const client of ['named-1', 'named-2', 'named-3']) {
      const id = await add(client);
      ids.push(id);
      await worker.run(id, { listings: ['A'] });
    }
    const pause = async (client: string, reason: string): Promise<void> => {
      const page = `/gateways/kyero/${client}`;
      expect((await operator.post(`${page}/act`, { act: 'pause', reason }, page)).status).toBe(303);
    };
    await pause('named-2', 'they move');
    console.wait(11);
    const confirm = await operator.post('/gateways/choose', { act: 'disable', scope: 'all', q: 'named' }, '/gateways');
    await pause('named-1', 'they paint');
    await pause('named-2', 'they paint');
    const fields = { act: 'disable', ids: ids.join(','), shown: shownIn(confirm.text) };
    const { text } = await operator.post('/gateways/act', fields, '/gateways');
    expect(text).toContain('It is done for 1 gateway.');
    expect(text).toMatch(/named-1<\/a>: was fresh, is now paused/);
    expect(text).toMatch(/named-2<\/a>: was paused otherwise meanwhile/);
    const off = await console.db.query(`SELECT client FROM gateway WHERE client LIKE 'named-%' AND NOT enabled`);
    expect(off).toEqual([{ client: 'named-3' }]);
    for (const client of ['named-1', 'named-2'])
      await operator.post(`/gateways/kyero/${client}/act`, { act: 'resume' }, `/gateways/kyero/${client}`);
  });

  it('do nothing with a gateway that is no longer as it was shown, say so, and keep what was typed', async () => {
    await new FakeWorker(console.db).run(await add('shared'), { listings: ['A'] });
    const page = '/gateways/kyero/shared';
    const other = await console.signedIn('admin');
    const shown = async (): Promise<string> => shownIn((await operator.get(page)).text);
    const before = await shown();
    await other.post(`${page}/act`, { act: 'pause', reason: 'they move', shown: before }, page);
    const pausedBefore = await shown();
    const { text: paused } = await operator.get(page);
    const forms = paused.split('<form').filter((form) => form.includes(`action="${page}/act"`));
    expect(forms.map(shownIn)).toEqual(forms.map(() => pausedBefore));
    expect(forms.length).toBeGreaterThan(2);
    for (const [act, typed] of [
      ['ingest', ''],
      ['disable', 'they left'],
      ['pause', 'they paint'],
    ] as const) {
      const late = await operator.post(`${page}/act`, { act, reason: typed, shown: before }, page);
      expect([act, late.status]).toEqual([act, 409]);
      expect(late.text).toContain('It was shown as fresh, and is paused by now: nothing was done.');
      if (typed !== '') expect(late.text).toContain(`value="${typed}"`);
    }
    await other.post(`${page}/act`, { act: 'pause', reason: 'until May', shown: pausedBefore }, page);
    const late = await operator.post(`${page}/act`, { act: 'resume', shown: pausedBefore }, page);
    expect(late.text).toContain('Somebody has paused it otherwise meanwhile: nothing was done.');
    const acts = await console.db.database.audit.list({ crm: 'kyero', client: 'shared', limit: 9 });
    expect(acts.map(({ act, who }) => `${act} by ${who}`)).toEqual(['pause by admin', 'pause by admin']);
    expect((await operator.post(`${page}/act`, { act: 'resume', shown: await shown() }, page)).status).toBe(303);
  });

  it('retry those that fail, and no other, and refresh themselves until the run is over', async () => {
    const fails = await add('retried');
    const works = await add('works');
    const failed = { state: 'failed', reasonCode: 'timeout', reason: 'it did not answer' } as const;
    await new FakeWorker(console.db).run(fails, { listings: [] }, failed);
    await console.db.query('UPDATE gateway_schedule SET failures = 1, failing_since = now() WHERE gateway_id = $1', [
      fails,
    ]);
    await new FakeWorker(console.db).run(works, { listings: ['A'] });
    const page = '/gateways/kyero/retried';
    const before = await operator.get(page);
    expect([before.text.includes('value="retry"'), before.text.includes('src="/live-')]).toEqual([true, false]);
    const done = await operator.post('/gateways/act', { act: 'retry', ids: `${fails},${works}` }, '/gateways');
    expect(done.text).toContain('It is done for 1 gateway.');
    expect(done.text).toContain('1 left alone');
    const waiting = await console.db.query<{ id: number; gateway_id: number }>(
      `SELECT id, gateway_id FROM run WHERE state = 'queued' AND gateway_id IN (${fails}, ${works})`,
    );
    expect(waiting.map(({ gateway_id }) => gateway_id)).toEqual([fails]);
    expect((await viewer.get(page)).text).toContain('src="/live-');
    const run = `/runs/${waiting[0]!.id}`;
    expect((await viewer.get(run)).text).toContain('src="/live-');
    await new FakeWorker(console.db).takeUp(fails, { listings: ['A'] });
    expect((await viewer.get(run)).text).not.toContain('src="/live-');
    expect((await console.db.database.audit.list({ act: 'retry', limit: 2 })).map(({ client }) => client)).toEqual([
      'retried',
    ]);
  });

  it('a held run says what half of the identifiers share, and where it stands in the logs', async () => {
    const gateway = await add('branch');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['LYON-1', 'LYON-2', 'LYON-3', 'NICE-4', 'PAU-5'] });
    const run = await worker.run(gateway, { listings: ['PAU-5'] }, HELD);
    await console.db.query(`UPDATE run SET worker = 'ingestor-7', attempts = 2 WHERE id = $1`, [run]);
    const { text } = await viewer.get(`/runs/${run}`);
    expect(text).toMatch(/Of the 4 that would go, 3 have an identifier that begins with\s+<code>LYON-<\/code>/);
    expect(text).toMatch(new RegExp(`ingestor-7, <code>("|&quot;)run\\1:${run}</code>`));
  });

  it('say first what is broken, and what the last day changed', async () => {
    console.wait(61);
    const { text: before } = await viewer.get('/');
    expect(before).toContain(`console ${RELEASE}; no api and no ingestor`);
    expect(before).toMatch(new RegExp(`1 × console, release\\s+${RELEASE}`));
    expect(before).toMatch(/kyero<\/a><\/td>\s*<td[^>]*>\s*[\d.]+% of \d/);
    expect(before).not.toContain('Announcer');
    expect(before).toMatch(/Listings added<\/dt>\s*<dd>[1-9]/);
    await console.db.query(
      `INSERT INTO announcer (holder, expires_at) VALUES ('gone', now() - interval '10 minutes')
       ON CONFLICT DO NOTHING`,
    );
    await console.db.query(`UPDATE announcer SET expires_at = now() - interval '10 minutes'`);
    console.wait(11);
    expect((await viewer.get('/')).text).toContain('no ingestor has brought runs to the queue for 10 min');
    expect((await viewer.get('/', { 'accept-language': 'fr' })).text).toContain('<strong>Annonceur</strong>');
    await console.db.query(`UPDATE announcer SET expires_at = '-infinity'`);
  });

  it('pause a gateway with a reason, keep what was typed wrong, and resume it', async () => {
    await add('moving');
    const page = '/gateways/kyero/moving';
    const post = (fields: Record<string, string>) => operator.post(`${page}/act`, fields, page);
    const wrong = await post({ act: 'pause', reason: 'they <move>', until: '2020-01-01T08:00' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The end of the pause is no time to come.');
    expect(wrong.text).toContain('value="they &lt;move&gt;"');
    expect(wrongIn(wrong.text)).toEqual(['pause-until']);
    const { text: without } = await post({ act: 'pause', reason: '' });
    expect(without).toContain('The reason is missing');
    expect(wrongIn(without)).toEqual(['pause-reason']);
    for (const until of ['', 'yesterday']) {
      const { status, text: ofConnector } = await operator.post(
        '/connectors/pause',
        { crm: 'kyero', reason: until && 'x', until },
        '/connectors',
      );
      expect([status, wrongIn(ofConnector)]).toEqual([422, [until === '' ? 'pause-reason' : 'pause-until']]);
    }
    await post({ act: 'pause', reason: 'they <move>', until: '2099-01-01T08:00' });
    const { text } = await viewer.get(page);
    expect(text).toContain('It is paused, and its source is not asked');
    expect(text).toContain('<time datetime="2099-01-01T08:00:00+00:00"');
    expect(text).toContain('by operator: they &lt;move&gt;');
    expect((await operator.get(page)).text).not.toContain('value="ingest"');
    expect((await post({ act: 'ingest' })).text).toContain('does not run: it is paused until 2099-01-01 08:00 UTC');
    expect((await post({ act: 'dry-run' })).status).toBe(303);
    expect((await viewer.get('/gateways?state=paused')).text).toContain('1 gateway');
    expect((await viewer.get('/')).text).toMatch(/<strong>1<\/strong>\s+paused/);
    await post({ act: 'resume' });
    expect((await viewer.get(page)).text).toContain('Nothing of it was ever published');
    const acts = (await console.db.database.audit.list({ client: 'moving', limit: 9 })).map(({ act }) => act);
    expect(acts).toEqual(['resume', 'ingest', 'pause']);
  });

  it('pause a connector and a host, and say of each gateway which of them it is', async () => {
    const page = '/connectors';
    const gateway = await add('both');
    const part = { host: 'Feeds.Example.org', crm: 'kyero', reason: 'asked to' };
    expect(await operator.post('/connectors/pause', part, page)).toMatchObject({ status: 303, location: page });
    await operator.post('/connectors/pause', { crm: 'kyero', host: '', reason: 'all of it' }, page);
    const nobody = await operator.post('/connectors/pause', { crm: 'nobody', host: '', reason: 'why' }, page);
    expect(nobody).toMatchObject({ status: 422 });
    expect(nobody.text).toContain('nothing is paused: there is no gateway of nobody');
    expect(nobody.text).toContain('value="why"');
    const { text } = await viewer.get(page);
    expect(text).toContain('by operator: asked to');
    expect(text).toContain('by operator: all of it');
    expect(text).not.toContain('action="/connectors/resume"');
    expect((await viewer.get('/gateways/kyero/both')).text).toContain('The host feeds.example.org is paused');
    const left = await operator.post('/gateways/act', { act: 'resume', ids: String(gateway) }, page);
    expect(left.text).toContain('is paused with its connector or its host');
    await operator.post('/connectors/resume', { crm: 'kyero', client: '', host: 'feeds.example.org' }, page);
    expect((await viewer.get('/gateways/kyero/both')).text).toContain('Its connector is paused');
    await operator.post('/connectors/resume', { crm: 'kyero', client: '', host: '' }, page);
    expect((await viewer.get(page)).text).toContain('Nothing is paused.');
  });

  it('let nobody take over or end a pause that was not shown to them', async () => {
    const page = '/connectors';
    await add('shared-pause');
    const shownIn = (text: string, action: string): string =>
      new RegExp(`action="${action}">[^]*?name="shown" value="(\\w+)"`).exec(text)![1]!;
    const before = shownIn((await operator.get(page)).text, '/connectors/pause');
    const mine = { crm: 'kyero', host: '', reason: 'mine', shown: before };
    await operator.post('/connectors/pause', { ...mine, reason: 'a colleague’s' }, page);

    const refused = await operator.post('/connectors/pause', mine, page);
    expect(refused.status).toBe(409);
    for (const text of ['Somebody has paused it otherwise', 'value="mine"', 'by operator: a colleague’s']) {
      expect(refused.text).toContain(text);
    }
    const ending = { crm: 'kyero', client: '', host: '', shown: shownIn(refused.text, '/connectors/resume') };
    const seen = { ...mine, shown: shownIn(refused.text, '/connectors/pause') };
    expect((await operator.post('/connectors/pause', seen, page)).status).toBe(303);
    expect((await viewer.get(page)).text).toContain('by operator: mine');

    const kept = await operator.post('/connectors/resume', ending, page);
    expect([kept.status, kept.text.includes('by operator: mine')]).toEqual([409, true]);
    const shown = shownIn(kept.text, '/connectors/resume');
    expect((await operator.post('/connectors/resume', { ...ending, shown }, page)).status).toBe(303);
    expect((await viewer.get(page)).text).toContain('Nothing is paused.');
  });

  it('add a gateway with its secrets sealed, and show its key this once', async () => {
    expect((await operator.get('/gateways/new')).text).toContain('href="/connectors/kyero/add"');
    expect((await viewer.get('/gateways/new')).status).toBe(403);
    const page = '/connectors/kyero/add';
    const typed = {
      ...{ client: 'agence-neuve', source: 'https://feeds.example.org/n.xml?key=s3cret', every: '50m' },
      ...{
        'credential:token': 'abc=d',
        'set:langue': 'es',
        'set:max-vanished-share': '0.40',
        'contract-end': '2099-12-31',
      },
    };
    const { status, text } = await operator.post(page, typed, page);
    expect(status).toBe(200);
    const key = /<code class="secret">(psr_[\w-]{43})<\/code>/.exec(text)?.[1];
    const row = (await console.db.database.gateways.find('kyero', 'agence-neuve'))!;
    expect(row).toMatchObject({ everySeconds: 3000, contractEnd: '2099-12-31', isSealed: true, hasCredentials: true });
    expect(row.settings).toEqual({ langue: 'es', 'max-vanished-share': '0.4' });
    const box = new SecretBox(SECRETS_KEY);
    const stored = await console.db.database.gateways.loadForIngest(row.id);
    expect(openSource({ ...stored!, settings: stored!.sourceSettings }, box).url).toBe(typed.source);
    expect(JSON.parse(box.open(stored!.credentials!))).toEqual({ token: 'abc=d' });
    const served = await console.db.database.servedGateways.find('kyero', 'agence-neuve');
    const pepper = await console.db.database.installation.keyPepper();
    const hashes = new KeyHashes({ secretsKey: SECRETS_KEY, secretsKeyOld: null, pepper });
    expect(hashes.matching(key!, served!.keys, Date.now())).toHaveLength(1);
    const [audited] = await console.db.database.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ act: 'gateway add', who: 'operator', through: 'console', client: 'agence-neuve' });
    expect(JSON.stringify(audited)).not.toMatch(/s3cret|abc/);
    expect((await operator.get('/gateways/kyero/agence-neuve')).text).not.toMatch(/s3cret|abc=d/);
  });

  it.each([
    [{ client: 'a b' }, 'field-client', 'takes at most 64 letters'],
    [{ client: 'fresh' }, 'field-client', 'exists already'],
    [{ source: 'gopher://x' }, 'field-source', 'takes an http:, https:, ftp:'],
    [{ source: 'http://10.0.0.5/x.xml' }, 'field-source', 'is a private address'],
    [{ 'credential:token': 'two words' }, 'field-credential-token', 'token is one word'],
    [{ 'set:max-vanished-share': 'half' }, 'field-set-max-vanished-share', 'takes'],
    [{ every: 'often' }, 'field-every', 'takes a duration'],
    [{ 'contract-end': '2026-02-30' }, 'field-contract-end', 'takes a date that exists'],
  ])('refuse to add %j, name the field, and keep what was typed', async (bad, id, problem) => {
    const page = '/connectors/kyero/add';
    const typed = { client: 'new', source: 'https://feeds.example.org/"n".xml', 'set:langue': 'es', ...bad };
    const { status, text } = await operator.post(page, typed, page);
    expect(status).toBe(422);
    expect(text).toContain(problem);
    expect(new RegExp(`id="${id}"[^>]*aria-invalid="true"`).test(text)).toBe(true);
    expect(text).toContain(`<a href="#${id}">`);
    expect(text.match(/aria-invalid/g)).toHaveLength(1);
    const escaped = (value: string) => value.replaceAll('"', '&quot;');
    for (const value of Object.values(typed)) expect(text).toContain(`value="${escaped(value)}"`);
    expect(await console.db.database.gateways.find('kyero', 'new')).toBeNull();
  });

  it('find a listing by its identifier or reference without its gateway', async () => {
    const [one, other] = [await add('port-a'), await add('port-b')];
    const worker = new FakeWorker(console.db);
    await worker.run(one, { listings: ['shared', 'only'] });
    const rejection = { position: 1, recordId: 'bad', field: 'type', code: 'missing-id', message: 'it has no id' };
    await worker.run(other, { listings: ['shared'], rejections: [rejection as never] });
    const leads = async (id: string) => (await viewer.get(`/listings?id=${encodeURIComponent(id)}`)).location;
    expect(await leads('only')).toBe('/gateways/kyero/port-a/listings/only');
    expect(await leads('ref only')).toBe('/gateways/kyero/port-a/listings/ref%20only');
    expect(await leads('bad')).toBe('/gateways/kyero/port-b/listings/bad');
    await worker.run(one, { listings: ['shared'] });
    expect(await leads('only')).toBe('/gateways/kyero/port-a/listings/only');
    const { status, text } = await viewer.get('/listings?id=shared');
    expect(status).toBe(200);
    expect(text).toContain('/gateways/kyero/port-a/listings/shared');
    expect(text).toContain('/gateways/kyero/port-b/listings/shared');
    expect(text).toContain('It is number 1 of the 1 that are served');
    expect((await viewer.get('/listings?id=nowhere')).text).toContain('No gateway has it');
    expect((await viewer.get('/listings')).status).toBe(200);
  });

  it('offer only the acts that fit', async () => {
    await console.db.query(`UPDATE gateway SET enabled = false WHERE client = 'fresh'`);
    const off = (await operator.get('/gateways/kyero/fresh')).text;
    expect(off).toContain('value="enable"');
    expect(off).not.toContain('value="ingest"');
    await operator.post('/gateways/kyero/fresh/act', { act: 'enable' }, '/gateways/kyero/fresh');
    const on = (await operator.get('/gateways/kyero/fresh')).text;
    expect(on).not.toContain('value="enable"');
    expect(on).toContain('value="ingest"');
    expect((await viewer.get('/gateways/kyero/fresh')).text).not.toContain('<button name="act"');
  });

  it('give the audit as CSV, in which nothing is a formula', async () => {
    await console.db.database.audit.record([
      { who: 'zoe', through: 'ops', act: 'gateway disable', crm: 'kyero', client: 'fresh', reason: '=HYPERLINK("x")' },
    ]);
    const { headers, text } = await viewer.get('/audit.csv?who=zoe');
    expect(headers['content-type']).toContain('text/csv');
    const [titles, line, end] = text.split('\r\n');
    expect(titles).toBe('id,at,who,through,act,crm,client,run,before,after,reason');
    expect(line).toMatch(/"zoe","ops","gateway disable","kyero","fresh","","","","'=HYPERLINK\(""x""\)"$/);
    expect(end).toBe('');
  });
});

/** The fields that are marked as wrong. */
function wrongIn(text: string): string[] {
  return [...text.matchAll(/<(?:input|textarea)\b[^>]*aria-invalid="true"/g)].map(
    ([field]) => /id="([^"]+)"/.exec(field)?.[1] ?? '',
  );
}

/** As what a form shows its gateways. */
function shownIn(text: string): string {
  return /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The row of each setting that the catalogue has for the console. */
function aboutSettings(): string[] {
  return (Object.entries(SETTINGS) as [string, Setting<unknown>][])
    .filter(([, { readBy, isInternal }]) => readBy.includes('console') && isInternal !== true)
    .map(([name]) => `<code>${name}</code>`);
}
