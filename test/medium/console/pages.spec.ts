import { GatewaySummaries, OutboxLog, RunHistory, SavedViews } from '@passerelle/database';
import { RELEASE, type Setting, SETTINGS } from '@passerelle/settings';
import { FakeWorker } from '../ops/fake-worker';
import { SECRETS_KEY } from './console-under-test';
import { type GatewaysOnPages, HELD, startWithGateways } from './gateways-on-pages';

describe('console pages', () => {
  let console: GatewaysOnPages['console'];
  let viewer: GatewaysOnPages['viewer'];
  let operator: GatewaysOnPages['operator'];
  let heldRun: number;
  let add: GatewaysOnPages['add'];

  beforeAll(async () => {
    ({ console, viewer, operator, heldRun, add } = await startWithGateways());
  });
  afterAll(() => console.close());

  it.each([
    ['/', ['1 enquiry waits', 'half of it went', 'it did not answer', 'Gateways by state']],
    ['/gateways', ['kyero/held', 'kyero/failing', 'kyero/fresh', '3 gateways']],
    ['/gateways?state=held', ['kyero/held', '1 gateway']],
    ['/gateways?q=example.org', ['0 gateways']],
    ['/gateways/kyero/held', ['waits for a decision', 'psr_held', 'read and report']],
    [
      '/gateways/kyero/failing',
      ['has not received the state of one listing', 'Tried 2 times without success', 'the API of the CRM answered 503'],
    ],
    ['/gateways/kyero/fresh/push', ['Webhooks to sites and from the CRM', 'No call waits for a run.']],
    ['/gateways/kyero/fresh/listings/A', ['listed', 'number 1 of the 2']],
    ['/gateways/kyero/held/listings/C', ['listed']],
    ['/gateways/kyero/held/listings/nothing', ['unknown']],
    [`/gateways/kyero/held/listings/${'x'.repeat(300)}`, ['unknown', 'x'.repeat(300)]],
    ['/connectors', ['Kyero', '1 held', '1 failing', '2 fresh', '25% of 4', 'Nothing is paused.']],
    ['/connectors/kyero', ['agence-nom', 'max-vanished-share', 'sftp:']],
    ['/runs', ['kyero/failing']],
    ['/runs?state=held', ['kyero/held']],
    ['/runs?gateway=kyero/fresh', ['kyero/fresh', 'value="kyero/fresh"']],
    ['/deliveries?kind=feedback', ['1 source waits', 'the API of the CRM answered 503']],
    ['/deliveries?kind=webhook', ['Messages to sites', 'Nothing']],
    ['/leads', ['1 enquiry waits', 'kyero/failing', 'ECONNREFUSED', 'tomorrow']],
    ['/problems', ['Problems']],
    ['/audit', ['Audit']],
    ['/operators', ['viewer', 'operator']],
    [
      '/about',
      ['Kyero', RELEASE, 'PostgreSQL 18', '<code>listing_version</code>', 'In the last day', ...aboutSettings()],
    ],
  ])('show the expected data: %s', async (path, texts) => {
    const { status, text, headers } = await viewer.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const expected of texts) expect(text).toContain(expected);
  });

  it('show the settings, but not the values of secrets', async () => {
    const { text } = await viewer.get('/about');
    expect(text).toMatch(/SECRETS_KEY<\/code>[^]{0,80}set, and secret/);
    expect(text).not.toContain(SECRETS_KEY);
    expect(text).not.toMatch(/postgres(ql)?:\/\//);
    expect(text).toMatch(/<span lang="en">[^<]*<code>[^<]+<\/code>/);
    expect(text).not.toContain('`');
  });

  it('show a listing with its record, its history with differences, and a sentence for the agency', async () => {
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
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(rows).toContain('price 450000.00 prix');
    expect(rows).toContain('type finca intitule typeCode typeCodeSource an unknown word');
    const unused =
      'note &lt;script&gt;alert(1)&lt;/script&gt; unused, except perhaps together with data that is not shown here, for typeCode';
    expect(rows.some((row) => row.startsWith(unused))).toBe(true);
    expect(text).toContain('Your listing A is online');
    expect(text).not.toContain('<script>alert');
    const unknown = await viewer.get('/gateways/kyero/compared/listings/Z', { 'accept-language': 'fr' });
    expect(unknown.text).toMatch(/La liste que votre logiciel a envoyée le \d+ \S+ \d{4} ne contient pas d’annonce Z/);
  });

  it('show the runs and changes up to a chosen day, with links to more, for all gateways or one', async () => {
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

  it('explain why a list is old although no run has failed', async () => {
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
    await expectReason(/Its run is due \(2 hours ago\), and no ingestor has queued it\./);
    await next('1 day');
    await expectReason(/Its last run was stopped, discarded, or confirmed nothing\./);
    await operator.post('/gateways/kyero/overdue/act', { act: 'ingest' }, '/gateways/kyero/overdue');
    await expectReason(/A run waits for an ingestor \(/);
    await console.db.query(
      `UPDATE run SET state = 'running', started_at = now() WHERE gateway_id = $1 AND state = 'queued'`,
      [gateway],
    );
    await expectReason(/A run is under way\./);
    await console.db.query(`DELETE FROM run WHERE gateway_id = $1 AND state = 'running'`, [gateway]);
    await console.db.query(`UPDATE gateway SET confirmed_at = now() WHERE id = $1`, [gateway]);
  });

  it('show the last run of each gateway, even if it failed or is held', async () => {
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

  it('show the rejections and warnings of a run in words, beside their codes', async () => {
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
      expect(text).toMatch(/an unknown word <code class="faint">unknown_word<\/code>/);
      expect(text).toMatch(/has no identifier <code class="faint">missing_id<\/code>/);
    }
  });

  it("list the newest report of each gateway's site", async () => {
    const gateway = await add('reporting');
    await new FakeWorker(console.db).run(gateway, { listings: ['A', 'B'] });
    // The test stores the older report after the newer one.
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

  it('group the rejections of a run by reason and field, with examples', async () => {
    const gateway = await add('rejecting');
    const rejections = ['A', 'B', 'C', 'D'].map((recordId, index) => ({
      ...{ position: index + 1, recordId, field: recordId === 'D' ? 'id' : 'price', code: 'invalid_value' },
      ...{ message: 'the price is no number', excerpt: null },
    }));
    const run = await new FakeWorker(console.db).run(gateway, { listings: ['Z'], rejections: rejections as never });
    const { text } = await viewer.get(`/runs/${run}`);
    const rows = text.split('<tr>').map((row) =>
      row
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(rows).toContain('an impossible value invalid_value price 3 the price is no number A, B, C');
    expect(rows.some((row) => row.startsWith('an impossible value invalid_value id 1 the price is no number D'))).toBe(
      true,
    );
  });

  it("show the size of a gateway's lists as a chart and as numbers", async () => {
    const gateway = await add('grown');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    await console.db.query(`UPDATE snapshot SET published_at = now() - interval '3 days' WHERE gateway_id = $1`, [
      gateway,
    ]);
    await worker.run(gateway, { listings: ['A', 'B', 'C'] });
    const { text } = await viewer.get('/gateways/kyero/grown');
    // The console's clock is ahead of the database's, so the console may count one day more.
    expect(text).toMatch(/From 2 to 3 listings in [45] days/);
    expect(text.match(/class="bar"/g)).toHaveLength(2);
  });

  it('show the stored memory of a source, without the digest of its secrets', async () => {
    const gateway = await add('remembered');
    const factsOf = async (headers?: Record<string, string>): Promise<string> => {
      const { text } = await viewer.get('/gateways/kyero/remembered', headers);
      expect(text).not.toMatch(/digest-of-secrets|print-of-bytes/);
      const [, part = ''] = /(?:Change detection|Détection des changements)<\/h2>([^]*?)<\/section>/.exec(text) ?? [];
      return part
        .replace(/<[^<>]*>/g, ' ')
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
      /^Each run compares the records .* Known records 2 Full list read .* ago Changes requested .* ago Records kept until they are published 1, since /,
    );
    expect(await factsOf({ 'accept-language': 'fr' })).toMatch(
      /^Chaque exécution compare ses fiches .* Fiches connues 2 /,
    );
  });

  it('refresh themselves without extending the session, with one query for all viewers', async () => {
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
      jest.spyOn(OutboxLog.prototype, 'countWaiting'),
      jest.spyOn(SavedViews.prototype, 'list'),
    ];
    console.wait(11);
    const startedMs = performance.now();
    for (let round = 0; round < 20; round += 1)
      for (const path of ['/', '/gateways']) await watcher.get(path, { 'x-live': '1' });
    // An open page renews its data at most once in six seconds.
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

  it("show a held run's verdict, its figures beside those of the previous run, and its removals", async () => {
    const { text } = await viewer.get(`/runs/${heldRun}`);
    expect(text).toContain('half of it went');
    expect(text).toContain('2 would be removed');
    expect(text).toContain(`/runs/${heldRun - 1}`);
  });

  it.each([
    '/nothing',
    '/gateways/kyero/nobody',
    '/connectors/nobody',
    '/runs/999',
    '/runs/x',
    '/gateways/kyero/nobody/listings/1',
  ])('answer 404 for %s', async (path) => {
    expect((await viewer.get(path)).status).toBe(404);
  });

  it("follow the browser's language, and stay French after the visitor has chosen French", async () => {
    expect((await viewer.get('/', { 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.5' })).text).toContain(
      'Passerelles par état',
    );
    expect((await viewer.get('/', { 'accept-language': 'de' })).text).toContain('Gateways by state');
    const switched = console.visitor();
    const answer = await switched.get('/language?code=fr&to=%2Fsign-in');
    expect(answer).toMatchObject({ status: 303, location: '/' });
    expect((await switched.get('/sign-in')).text).toContain('<html lang="fr">');
  });

  it('show the common beginning of most removed identifiers of a held run, and how to find the run in the logs', async () => {
    const gateway = await add('branch');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['LYON-1', 'LYON-2', 'LYON-3', 'NICE-4', 'PAU-5'] });
    const run = await worker.run(gateway, { listings: ['PAU-5'] }, HELD);
    await console.db.query(`UPDATE run SET worker = 'ingestor-7', attempts = 2 WHERE id = $1`, [run]);
    const { text } = await viewer.get(`/runs/${run}`);
    expect(text).toMatch(/Of the 4 that would be removed, 3 have an identifier that begins with\s+<code>LYON-<\/code>/);
    expect(text).toMatch(new RegExp(`ingestor-7, <code>("|&quot;)run\\1:${run}</code>`));
  });

  it('start with a summary of the programs, the problems and the changes of the last day', async () => {
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
    expect((await viewer.get('/')).text).toContain('no ingestor has added runs to the queue for 10 min');
    expect((await viewer.get('/', { 'accept-language': 'fr' })).text).toContain('<strong>Annonceur</strong>');
    await console.db.query(`UPDATE announcer SET expires_at = '-infinity'`);
  });

  it('find a listing by its identifier or reference, without the name of its gateway', async () => {
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

  it('export the audit as CSV in which no cell is a formula', async () => {
    await console.db.database.audit.record([
      { who: 'zoe', through: 'ops', act: 'gateway disable', crm: 'kyero', client: 'fresh', reason: '=HYPERLINK("x")' },
    ]);
    const { headers, text } = await viewer.get('/audit.csv?who=zoe');
    expect(headers['content-type']).toContain('text/csv');
    const [titles, line, end] = text.split('\r\n');
    expect(titles).toBe('id,at,who,through,act,crm,client,run,before,after,reason,part_of');
    expect(line).toMatch(/"zoe","ops","gateway disable","kyero","fresh","","","","'=HYPERLINK\(""x""\)",""$/);
    expect(end).toBe('');
  });
});

/** The name of each console setting in the catalogue, as the page shows it. */
function aboutSettings(): string[] {
  return (Object.entries(SETTINGS) as [string, Setting<unknown>][])
    .filter(([, { readBy, isInternal }]) => readBy.includes('console') && isInternal !== true)
    .map(([name]) => `<code>${name}</code>`);
}
