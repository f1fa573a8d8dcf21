import { KeyHashes, openSource, SecretBox } from '@passerelle/domain';
import { FakeWorker } from '../ops/fake-worker';
import { SECRETS_KEY } from './console-under-test';
import { type GatewaysOnPages, HELD, startWithGateways } from './gateways-on-pages';

describe('console forms', () => {
  let console: GatewaysOnPages['console'];
  let viewer: GatewaysOnPages['viewer'];
  let operator: GatewaysOnPages['operator'];
  let heldRun: number;
  let add: GatewaysOnPages['add'];

  beforeAll(async () => {
    ({ console, viewer, operator, heldRun, add } = await startWithGateways());
  });
  afterAll(() => console.close());

  it('save a named search for all operators, and remove it', async () => {
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

  it("show the first operator's decision to an operator who decides second", async () => {
    const [first, second] = [operator, await console.signedIn('admin')];
    const page = `/runs/${heldRun}`;
    const token = /name="_csrf" value="([^"]+)"/.exec((await second.get(page)).text)![1]!;
    const missing = await first.post(`${page}/decide`, { verdict: 'publish', reason: ' ' }, page);
    expect(missing).toMatchObject({ status: 422 });
    expect(missing.text).toContain('The reason is missing');
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

  it('publish all runs that are held only for a changed mapping, up to the last one on the page', async () => {
    const changed = {
      state: 'held' as const,
      verdict: [{ code: 'mapping_changed' as const, message: 'sold', figures: {} }],
    };
    const worker = new FakeWorker(console.db);
    const hold = async (client: string, outcome: object = changed): Promise<number> => {
      const gateway = await add(client);
      await worker.run(gateway, { listings: ['A', 'B'] });
      return worker.run(gateway, { listings: ['A'] }, outcome as never);
    };
    const [first, second, other] = [await hold('sold-1'), await hold('sold-2'), await hold('lost', HELD)];
    const list = '/runs?state=held';
    console.wait(11);
    expect((await viewer.get(list)).text).not.toContain('publish-all');
    const { text } = await operator.get(list);
    expect(text).toContain('2 runs are held only because a new version of the connector removes');
    const upTo = /name="upTo" value="(\d+)"/.exec(text)![1]!;
    expect(upTo).toBe(String(second));
    const later = await hold('sold-3');

    const missing = await operator.post('/runs/publish-all', { reason: ' ', upTo }, list);
    expect(missing).toMatchObject({ status: 422 });
    expect(wrongIn(missing.text)).toEqual(['reason']);
    const done = await operator.post('/runs/publish-all', { reason: 'version 1.0', upTo }, list);
    expect(done).toMatchObject({ status: 303, location: list });
    const states = await Promise.all(
      [first, second, other, later].map(async (id) => (await console.db.database.runHistory.find(id))?.state),
    );
    expect(states).toEqual(['published', 'published', 'held', 'held']);
    const { audit } = console.db.database;
    const entry = { who: 'operator', through: 'console', act: 'run publish', reason: 'version 1.0' };
    const [whole] = await audit.list({ limit: 1 });
    expect(whole).toMatchObject({ ...entry, runId: null, after: { gateways: 2 }, hasParts: true });
    expect(await audit.list({ partOf: whole!.id, limit: 9 })).toMatchObject(
      [second, first].map((runId) => ({ ...entry, runId })),
    );
  });

  it("discard a held run, although the console's role has no right to remove listings", async () => {
    const gateway = await add('half');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    const run = await worker.run(gateway, { listings: ['A'] }, HELD);
    const page = `/runs/${run}`;
    const answer = await operator.post(`${page}/decide`, { verdict: 'discard', reason: 'half a feed' }, page);
    expect(answer.status).toBe(303);
    expect((await viewer.get(page)).text).toContain('half a feed');
    // The next run removes the held run's snapshot.
    await worker.run(gateway, { listings: ['A', 'B'] });
    await console.db.database.snapshots.prune(gateway);
    expect(
      await console.db.query('SELECT 1 FROM snapshot WHERE published_at IS NULL AND gateway_id = $1', [gateway]),
    ).toEqual([]);
  });

  it('let only operators revert to a kept list, with a reason, and end the guard', async () => {
    const gateway = await add('back');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    await worker.run(gateway, { listings: ['A'] });
    console.wait(11);
    const path = '/gateways/kyero/back';
    const [, earlier] = await console.db.database.keptSnapshots.list(gateway);
    const fields = { to: earlier!.token, reason: 'half an export' };
    expect((await viewer.get(path)).text).not.toContain(`action="${path}/revert"`);
    expect((await operator.get(path)).text).toContain(`<option value="${earlier!.token}">`);
    const preview = `${path}/revert?to=${earlier!.token}`;
    expect((await viewer.get(preview)).status).toBe(403);
    const { text: effect } = await operator.get(preview);
    expect(effect).toContain('0 listings go, 1 come back, 0 change');
    expect(effect).toContain('listings/B"');
    expect(effect).not.toContain('listings/A"');
    expect((await operator.get(`${path}/revert?to=unknown`)).status).toBe(404);
    expect((await operator.post(`${path}/revert`, { ...fields, reason: ' ' }, path)).status).toBe(409);
    const asked = await operator.post(`${path}/revert`, fields, path);
    const [run] = await console.db.database.runHistory.list({ gatewayId: gateway, limit: 1 });
    expect(asked).toMatchObject({ status: 303, location: `/runs/${run!.id}` });
    expect(run).toMatchObject({ trigger: 'revert', state: 'queued' });
    expect((await console.db.database.audit.list({ limit: 1 }))[0]).toMatchObject({
      ...{ act: 'gateway revert', who: 'operator', through: 'console', reason: 'half an export' },
    });

    await console.db.query('INSERT INTO revert_guard (gateway_id, snapshot_id) VALUES ($1, 1)', [gateway]);
    expect((await viewer.get(path)).text).toContain('went back to an earlier list');
    const released = await operator.post(`${path}/release`, { reason: '' }, path);
    expect(released).toMatchObject({ status: 303, location: path });
    expect((await operator.post(`${path}/release`, { reason: '' }, path)).status).toBe(409);
    await console.db.database.runRequests.requestCancel(run!.id);
  });

  it('apply to the confirmed gateways, and name the gateways whose state has changed', async () => {
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

    // Meanwhile one gateway publishes, one is removed, and a new one matches the search.
    await new FakeWorker(console.db).run(ids[0]!, { listings: ['A'] });
    await console.db.database.gateways.remove(ids[1]!);
    const other = await add('bulk-4');
    const done = await operator.post(
      '/gateways/act',
      { act: 'disable', ids: [...ids, 999_999].join(','), shown: shownIn(confirm.text), reason: 'they left' },
      list,
    );
    expect(done.text).toContain('Done for 1 gateway.');
    expect(done.text).toContain('3 skipped');
    expect(done.text).toContain('was never published, is now fresh');
    expect(done.text).toContain('was removed');
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

  it('mark their page in the menu of the answer, and link to that page in the other language', async () => {
    const chosen = await operator.post('/gateways/choose', { act: 'pause', scope: 'all', q: 'held' }, '/gateways');
    const wrong = await operator.post('/gateways/kyero/held/act', { act: 'pause', reason: '' }, '/gateways/kyero/held');
    for (const { text } of [chosen, wrong]) {
      expect([...text.matchAll(/<a href="([^"]+)" aria-current/g)].map(([, place]) => place)).toEqual(['/gateways']);
      expect(text).toContain('href="/language?to=%2Fgateways&amp;code=fr"');
    }
  });

  it('skip gateways that have changed since the confirmation page, even after a search by name', async () => {
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
    const fields = { act: 'disable', ids: ids.join(','), shown: shownIn(confirm.text), reason: 'they left' };
    const { text } = await operator.post('/gateways/act', fields, '/gateways');
    expect(text).toContain('Done for 1 gateway.');
    expect(text).toMatch(/named-1<\/a>: was fresh, is now paused/);
    expect(text).toMatch(/named-2<\/a>: was paused by another operator meanwhile/);
    const off = await console.db.query(`SELECT client FROM gateway WHERE client LIKE 'named-%' AND NOT enabled`);
    expect(off).toEqual([{ client: 'named-3' }]);
    for (const client of ['named-1', 'named-2'])
      await operator.post(`/gateways/kyero/${client}/act`, { act: 'resume' }, `/gateways/kyero/${client}`);
  });

  it('refuse to change a gateway that has changed since the page was shown, state the reason, and keep the input', async () => {
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
      expect(late.text).toContain('It was shown as fresh, and is paused now: nothing was changed.');
      if (typed !== '') expect(late.text).toContain(`value="${typed}"`);
    }
    await other.post(`${page}/act`, { act: 'pause', reason: 'until May', shown: pausedBefore }, page);
    const late = await operator.post(`${page}/act`, { act: 'resume', shown: pausedBefore }, page);
    expect(late.text).toContain('Another operator has paused it meanwhile: nothing was changed.');
    const acts = await console.db.database.audit.list({ crm: 'kyero', client: 'shared', limit: 9 });
    expect(acts.map(({ act, who }) => `${act} by ${who}`)).toEqual(['pause by admin', 'pause by admin']);
    expect((await operator.post(`${page}/act`, { act: 'resume', shown: await shown() }, page)).status).toBe(303);
  });

  it('retry only failing gateways, and refresh the page until the run is over', async () => {
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
    expect(done.text).toContain('Done for 1 gateway.');
    expect(done.text).toContain('1 skipped');
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

  it('pause a gateway with a reason, keep invalid input, and resume the gateway', async () => {
    await add('moving');
    const page = '/gateways/kyero/moving';
    const post = (fields: Record<string, string>) => operator.post(`${page}/act`, fields, page);
    const wrong = await post({ act: 'pause', reason: 'they <move>', until: '2020-01-01T08:00' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The end of the pause must be in the future.');
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
    expect(text).toContain('It is paused: its source is not read');
    expect(text).toContain('<time datetime="2099-01-01T08:00:00+00:00"');
    expect(text).toContain('by operator: they &lt;move&gt;');
    expect((await operator.get(page)).text).not.toContain('value="ingest"');
    expect((await post({ act: 'ingest' })).text).toContain('does not run: it is paused until 2099-01-01 08:00 UTC');
    expect((await post({ act: 'dry-run' })).status).toBe(303);
    expect((await viewer.get('/gateways?state=paused')).text).toContain('1 gateway');
    expect((await viewer.get('/')).text).toMatch(/<strong>1<\/strong>\s+paused/);
    await post({ act: 'resume' });
    expect((await viewer.get(page)).text).toContain('Nothing was published yet');
    const acts = (await console.db.database.audit.list({ client: 'moving', limit: 9 })).map(({ act }) => act);
    expect(acts).toEqual(['resume', 'ingest', 'pause']);
  });

  it('pause a connector and a host, and show for each gateway which pause applies', async () => {
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

  it('refuse to replace or end a pause that the operator has not seen', async () => {
    const page = '/connectors';
    await add('shared-pause');
    const shownIn = (text: string, action: string): string =>
      new RegExp(`action="${action}">[^]*?name="shown" value="(\\w+)"`).exec(text)![1]!;
    const before = shownIn((await operator.get(page)).text, '/connectors/pause');
    const mine = { crm: 'kyero', host: '', reason: 'mine', shown: before };
    await operator.post('/connectors/pause', { ...mine, reason: 'a colleague’s' }, page);

    const refused = await operator.post('/connectors/pause', mine, page);
    expect(refused.status).toBe(409);
    for (const text of ['Another operator has paused it', 'value="mine"', 'by operator: a colleague’s']) {
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

  it('add a gateway with sealed secrets, and show its key once', async () => {
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
  ])('refuse to add %j, name the field, and keep the input', async (bad, id, problem) => {
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

  it('offer only the actions that are possible', async () => {
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
});

/** The fields that the page marks as invalid. */
function wrongIn(text: string): string[] {
  return [...text.matchAll(/<(?:input|textarea)\b[^>]*aria-invalid="true"/g)].map(
    ([field]) => /id="([^"]+)"/.exec(field)?.[1] ?? '',
  );
}

/** The state of the gateways when the page with this form was made. */
function shownIn(text: string): string {
  return /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
