import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyHashes, openSource, SecretBox } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal, SECRETS_KEY } from './ops-terminal';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
const anyTime: unknown = expect.stringMatching(ISO);

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops gateway', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;

  beforeAll(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
  });
  afterAll(async () => {
    await db.drop();
  });

  const name = (client: string, crm = 'kyero'): string[] => ['--crm', crm, '--client', client];

  async function add(client: string, ...more: string[]): Promise<{ id: number; key: string }> {
    const source = ['--source', 'https://crm.example/feed.xml'];
    const { exitCode, value } = await terminal.json('gateway', 'add', ...name(client), ...source, ...more);
    if (exitCode !== 0) throw new Error(JSON.stringify(value));
    const gateway = await db.database.gateways.find('kyero', client);
    return { id: gateway!.id, key: (value as { key: string }).key };
  }

  /** Whether the API would let this key in. */
  async function opens(client: string, key: string): Promise<boolean> {
    const served = await db.database.servedGateways.find('kyero', client);
    const pepper = await db.database.installation.keyPepper();
    const hashes = new KeyHashes({ secretsKey: SECRETS_KEY, secretsKeyOld: null, pepper });
    return hashes.matching(key, served!.keys, Date.now()).length > 0;
  }

  it('add prints a key, this once, that the API knows', async () => {
    const source = ['--source', 'https://crm.example/feed.xml'];
    const { exitCode, value, err } = await terminal.json('gateway', 'add', ...name('first'), ...source);
    expect({ exitCode, value, err }).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'first', key: expect.stringMatching(/^psr_[\w-]{43}$/) },
      err: '',
    });
    expect(await opens('first', (value as { key: string }).key)).toBe(true);
  });

  it('add stores everything it is given, and credentials sealed', async () => {
    const { exitCode, value } = await terminal.json(
      ...['gateway', 'add', ...name('full', 'apimo'), '--source', 'https://u:p@api.example/properties?token=t&limit=5'],
      ...['--credential', 'provider=12', '--credential', 'token=a=b', '--set', 'max-vanished-share=0.50'],
      ...['--key', 'demo-key-full-of-24-chars', '--every', '12h', '--contract-end', '2099-12-31'],
    );
    expect({ exitCode, value }).toEqual({
      exitCode: 0,
      value: { crm: 'apimo', client: 'full', key: 'demo-key-full-of-24-chars' },
    });
    const stored = await db.database.gateways.find('apimo', 'full');
    const { credentials } = (await db.database.gateways.loadForIngest(stored!.id))!;
    expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"provider":"12","token":"a=b"}');
    const shown = await terminal.json('gateway', 'show', ...name('full', 'apimo'));
    expect(shown).toEqual({
      exitCode: 0,
      err: '',
      value: {
        ...{ id: stored!.id, crm: 'apimo', client: 'full', active: true, enabled: true, contract_end: '2099-12-31' },
        source_url: 'https://***@api.example/properties?token=***&limit=5',
        ...{ settings: { 'max-vanished-share': '0.5' }, has_credentials: true, every_seconds: 43_200 },
        ...{ listings: null, snapshot: null, published_at: null, confirmed_at: null },
        ...{ next_run_at: anyTime, missed_runs: 0, failures: 0, failing_since: null, failing_reason: null },
        ...{ held_run: null, held_reason: null, overdue: false, paused: null },
        keys: [
          {
            ...{ prefix: 'demo-k', scope: 'both', networks: null },
            ...{ created_at: anyTime, expires_at: null, last_used_on: null },
          },
        ],
        ...{ last_run: null, feedback: null },
        memory: {
          ...{ unchanged_by: null, etag: null, last_modified: null, size_bytes: null, known_records: 0 },
          ...{ whole_list_read_at: null, changes_asked_at: null, newest_removal_at: null, asked_anew_since: null },
          ...{ kept_records: 0, kept_since: null },
        },
      },
    });
  });

  it('add refuses a gateway that is there', async () => {
    await add('twice');
    const source = ['--source', 'https://crm.example/feed.xml'];
    const again = await terminal.json('gateway', 'add', ...name('twice'), ...source);
    expect(again).toEqual({
      exitCode: 1,
      value: { error: 'the gateway kyero/twice exists already: "gateway set" changes it' },
      err: '',
    });
    expect(await terminal.ops('gateway', 'add', ...name('twice'), ...source)).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: the gateway kyero/twice exists already: "gateway set" changes it\n',
    });
  });

  it('add and set need a SECRETS_KEY for what is sealed', async () => {
    const without = opsTerminal(db.url, { env: { SECRETS_KEY: '' } });
    const refusal = (what: string) => ({
      exitCode: 1,
      value: { error: `${what} needs SECRETS_KEY, the same as the ingestor has` },
      err: '',
    });
    const [sealed, source] = [name('sealed', 'apimo'), ['--source', 'https://api.example']];
    expect(await without.json('gateway', 'add', ...sealed, ...source)).toEqual(refusal('--source'));
    expect((await terminal.json('gateway', 'add', ...sealed, ...source)).exitCode).toBe(0);
    expect(await without.json('gateway', 'set', ...sealed, ...source)).toEqual(refusal('--source'));
    expect(await without.json('gateway', 'set', ...sealed, '--credential', 'token=x')).toEqual(refusal('--credential'));
    expect(await without.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3')).toEqual({
      exitCode: 1,
      value: { error: 'the address of the source is sealed, and there is no SECRETS_KEY to read it' },
      err: '',
    });
    expect((await without.json('gateway', 'set', ...sealed, '--every', '20m')).exitCode).toBe(0);
    await terminal.json('gateway', 'remove', ...sealed, '--yes');
  });

  it('add and set seal the source: what can be read of it is what is shown', async () => {
    const secret = 'https://u:p@crm.example/export/5f2c-path-secret/feed.xml?token=query-secret';
    const sealed = name('source-sealed');
    await terminal.json('gateway', 'add', ...sealed, '--source', secret);
    const { id } = (await db.database.gateways.find('kyero', 'source-sealed'))!;
    const stored = async () => (await db.database.gateways.loadForIngest(id))!;
    const shown = 'https://***@crm.example/export/***/feed.xml?token=***';
    const box = new SecretBox(SECRETS_KEY);
    expect((await stored()).sourceUrl).toBe(shown);
    const open = async () => {
      const { sourceUrl, sourceSettings: settings, sealedSource } = await stored();
      return openSource({ sourceUrl, settings, sealedSource }, box);
    };
    expect(await open()).toEqual({ url: secret, settings: {} });

    await terminal.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3');
    expect(await open()).toEqual({ url: secret, settings: { 'max-fill-drop': '0.3' } });
    await terminal.json('gateway', 'set', ...sealed, '--source', `${secret}2`, '--unset', 'max-fill-drop');
    expect(await open()).toEqual({ url: `${secret}2`, settings: {} });
    const { value } = await terminal.json('gateway', 'show', ...sealed);
    expect(value).toMatchObject({ source_url: shown });

    // As a release before has stored it.
    await db.query('UPDATE gateway SET source_url = $2, sealed_source = NULL WHERE id = $1', [id, secret]);
    expect((await terminal.json('gateway', 'show', ...sealed)).value).toMatchObject({ source_url: shown });
    await terminal.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3');
    expect([(await stored()).sourceUrl, await open()]).toEqual([
      shown,
      { url: secret, settings: { 'max-fill-drop': '0.3' } },
    ]);
    await terminal.json('gateway', 'remove', ...sealed, '--yes');
  });

  it('rekey seals everything with a new SECRETS_KEY, and says which keys wait', async () => {
    const fresh = await createTestDatabase();
    try {
      const [before, after] = ['b'.repeat(32), 'a'.repeat(32)];
      const at = (env: Record<string, string>) => opsTerminal(fresh.url, { env: { SECRETS_KEY: '', ...env } });
      const source = 'https://crm.example/9d2f7c/feed?token=t';
      const waits = (client: string, prefix: unknown) => ({ crm: 'apimo', client, prefix, last_used_on: null });
      const add = ['gateway', 'add', '--crm', 'apimo', '--source', source, '--credential', 'token=c'];
      await at({ SECRETS_KEY: before }).json(...add, '--client', 'sealed');
      await fresh.database.gateways.add(
        {
          ...{ crm: 'apimo', client: 'plain', sourceUrl: source, settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.alloc(32, 1), prefix: 'psr_' },
      );
      expect(await at({}).json('rekey')).toMatchObject({
        exitCode: 1,
        value: { error: 'rekey needs SECRETS_KEY, the same as the ingestor has' },
      });
      const alone = await at({ SECRETS_KEY: after }).json('rekey');
      expect(alone).toMatchObject({
        exitCode: 1,
        value: { sealed: 1, unreadable: [{ crm: 'apimo', client: 'sealed' }], error: expect.anything() },
      });
      const { exitCode, value } = await at({ SECRETS_KEY: after, SECRETS_KEY_OLD: before }).json('rekey');
      expect({ exitCode, value }).toEqual({
        exitCode: 0,
        value: {
          sealed: 2,
          unreadable: [],
          keys: { current: 0, waiting: [waits('plain', 'psr_'), waits('sealed', expect.any(String))] },
          webhooks: { sealed: 0, unreadable: 0 },
          calls: { sealed: 0, unreadable: 0 },
          leads: { sealed: 0, unreadable: 0 },
        },
      });
      for (const client of ['sealed', 'plain']) {
        const { id } = (await fresh.database.gateways.find('apimo', client))!;
        const { sourceUrl, sourceSettings: settings, ...stored } = (await fresh.database.gateways.loadForIngest(id))!;
        const box = new SecretBox(after);
        expect(openSource({ sourceUrl, settings, sealedSource: stored.sealedSource }, box).url).toBe(source);
        expect(stored.credentials === null ? null : box.open(stored.credentials)).toBe(
          client === 'plain' ? null : '{"token":"c"}',
        );
      }
      const { out } = await at({ SECRETS_KEY: after }).ops('rekey');
      expect(out).toMatch(/^2 sources sealed with SECRETS_KEY; 0 keys hashed with it\. These wait for their next use/);
      expect(out).toContain('\n  apimo/plain  psr_…  never used\n');
      await fresh.query('DELETE FROM api_key');
      expect((await at({ SECRETS_KEY: after }).ops('rekey')).out).toContain('every key (0) is hashed with it');
    } finally {
      await fresh.drop();
    }
  });

  it('takes secrets from standard input and from files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ops-secrets-'));
    try {
      const token = join(folder, 'token');
      writeFileSync(token, 'from-a-file\n');
      const piped = opsTerminal(db.url, { input: 'a-key-from-standard-input\n' });
      const source = ['--source', 'https://api.example', '--credential-file', `token=${token}`];
      const { value } = await piped.json('gateway', 'add', ...name('piped', 'apimo'), ...source, '--key', '-');
      expect(value).toEqual({ crm: 'apimo', client: 'piped', key: 'a-key-from-standard-input' });
      const { id } = (await db.database.gateways.find('apimo', 'piped'))!;
      const { credentials } = (await db.database.gateways.loadForIngest(id))!;
      expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"token":"from-a-file"}');
      const rotated = await piped.json('gateway', 'rotate-key', ...name('piped', 'apimo'), '--key-file', '-');
      expect(rotated.value).toMatchObject({ key: 'a-key-from-standard-input' });
      const set = await piped.json('gateway', 'set', ...name('piped', 'apimo'), '--credential-file', 'token=-');
      expect(set.exitCode).toBe(0);
      const again = (await db.database.gateways.loadForIngest(id))!;
      expect(new SecretBox(SECRETS_KEY).open(again.credentials!)).toBe('{"token":"a-key-from-standard-input"}');
      await terminal.json('gateway', 'remove', ...name('piped', 'apimo'), '--yes');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a SECRETS_KEY that the ingestor would refuse', async () => {
    const withShort = opsTerminal(db.url, { env: { SECRETS_KEY: 'short' } });
    const error = 'SECRETS_KEY must have at least 32 characters';
    expect(await withShort.json('gateway', 'list')).toEqual({ exitCode: 1, value: { error }, err: '' });
  });

  it('remove leaves a gateway alone while leads of it wait, unless it is told to lose them', async () => {
    const { id } = await add('with-leads');
    const lead = { gatewayId: id, token: randomUUID(), affId: null, sealed: Buffer.from('sealed') };
    await db.database.receivedLeads.add(lead);
    expect(await terminal.json('gateway', 'remove', ...name('with-leads'), '--yes')).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringMatching(/^kyero\/with-leads is not removed: 1 lead of visitors would be lost/) },
    });
    const count = () => db.query('SELECT FROM lead WHERE gateway_id = $1', [id]).then((rows) => rows.length);
    expect(await count()).toBe(1);
    expect((await terminal.json('gateway', 'remove', ...name('with-leads'), '--yes', '--with-leads')).exitCode).toBe(0);
    expect([await count(), await db.database.gateways.find('kyero', 'with-leads')]).toEqual([0, null]);
  });

  it('show has the last run, and what it published', async () => {
    const { id } = await add('shown');
    const run = await new FakeWorker(db).run(id, { listings: ['A1', 'A2'] });
    const { value } = await terminal.json('gateway', 'show', ...name('shown'));
    expect(value).toMatchObject({
      ...{ listings: 2, snapshot: expect.any(Number), published_at: anyTime, confirmed_at: anyTime },
      last_run: {
        id: run,
        crm: 'kyero',
        client: 'shown',
        trigger: 'schedule',
        state: 'published',
        records: 2,
        added: 2,
      },
    });
    const { out } = await terminal.ops('gateway', 'show', ...name('shown'));
    expect(out).toMatch(/^kyero\/shown\n {2}state +active\n/);
    expect(out).toContain('https://crm.example/feed.xml');
  });

  it('show says what the source is still to be told, and why it was not', async () => {
    const { id } = await add('untold');
    await db.query(
      `INSERT INTO source_feedback (gateway_id, listing, status) VALUES ($1, 'A', 'shown'), ($1, 'B', 'removed')`,
      [id],
    );
    await db.query(`INSERT INTO source_feedback_due (gateway_id) VALUES ($1)`, [id]);
    const shown = async () => (await terminal.ops('gateway', 'show', ...name('untold'))).out;
    expect(await shown()).toMatch(/\n {2}to be told +the source, of 2 listings \((?:now|\d+ s ago)\)\n/);
    await db.query(
      `UPDATE source_feedback_due SET tries = 2, error = 'the API of the CRM answered 503', next_try_at = now() + interval '1 hour'
       WHERE gateway_id = $1`,
      [id],
    );
    expect(await shown()).toContain('failed 2 times: the API of the CRM answered 503; again in');
    const { value } = await terminal.json('gateway', 'show', ...name('untold'));
    expect(value).toMatchObject({
      feedback: {
        listings: 2,
        since: anyTime,
        tries: 2,
        error: 'the API of the CRM answered 503',
        next_try_at: anyTime,
      },
    });
  });

  it('show says what is remembered of the source, without the digest of its secrets', async () => {
    const { id } = await add('remembered');
    await new FakeWorker(db).run(id, { listings: ['A', 'B'] });
    const memory = {
      ...{ mappingKey: 'digest-of-secrets', fingerprint: 'print-of-bytes', sizeBytes: 1_234_567 },
      ...{ etag: '"v1"', lastModified: 'Wed, 01 May 2024 10:00:00 GMT' },
    };
    await db.query('UPDATE gateway SET feed_memory = $2 WHERE id = $1', [id, JSON.stringify(memory)]);
    await db.query(
      `INSERT INTO source_detail (gateway_id, hash, sealed) VALUES ($1, '\\x01', '\\x02'), ($1, '\\x03', '\\x04')`,
      [id],
    );
    const { out } = await terminal.ops('gateway', 'show', ...name('remembered'));
    expect(out).toMatch(/\n {2}unchanged by +the answer of its source\n {2}ETag +"v1"\n {2}last modified +2024-05-01 /);
    expect(out).toMatch(/\n {2}feed size +1\.2 MB\n {2}known records +2\n {2}kept +2 records \(/);
    expect(out).not.toMatch(/digest-of-secrets|print-of-bytes/);
    const { value } = await terminal.json('gateway', 'show', ...name('remembered'));
    expect(value).toMatchObject({
      memory: {
        ...{ unchanged_by: 'answer', etag: '"v1"', last_modified: '2024-05-01T10:00:00.000Z', size_bytes: 1_234_567 },
        ...{ known_records: 2, kept_records: 2, kept_since: anyTime },
      },
    });
    expect(JSON.stringify(value)).not.toMatch(/digest-of-secrets|print-of-bytes/);
  });

  it('list shows every gateway, without what is secret', async () => {
    await add('listed', '--contract-end', '2001-01-01');
    const { exitCode, value } = await terminal.json('gateway', 'list');
    expect(exitCode).toBe(0);
    const views = value as { crm: string; client: string; active: boolean }[];
    expect(views.find(({ client }) => client === 'listed')).toMatchObject({ active: false, enabled: true });
    expect(JSON.stringify(views)).not.toMatch(/u:p@|token=t/);
    const { out } = await terminal.ops('gateway', 'list');
    expect(out).toMatch(/^CRM +CLIENT +STATE +LISTINGS +CONFIRMED +EVERY +NEXT RUN +HELD +SOURCE +FAILING\n/);
    expect(out).toMatch(/\nkyero +listed +contract ended +- +- +- +- +- +https:\/\/crm\.example\/feed\.xml +-\n/);
  });

  it('list finds those that need a look', async () => {
    const worker = new FakeWorker(db);
    const ids = { never: 0, fine: 0, overdue: 0, held: 0, broken: 0, off: 0 };
    for (const client of Object.keys(ids) as (keyof typeof ids)[]) {
      ids[client] = (await add(`state-${client}`, '--every', '1h')).id;
      if (client !== 'never') await worker.run(ids[client], { listings: ['A1'] });
    }
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '181 minutes' WHERE id = $1`, [ids.overdue]);
    await worker.run(
      ids.held,
      { listings: ['A2'] },
      { state: 'held', reason: 'too few', reasonCode: 'vanished', verdict: [] },
    );
    await db.database.schedule.noteFailure(ids.broken, () => 60_000);
    await terminal.json('gateway', 'disable', ...name('state-off'));
    const found = async (state: string): Promise<string[]> => {
      const { value } = await terminal.json('gateway', 'list', '--state', state, '--crm', 'kyero');
      return (value as { client: string }[]).map(({ client }) => client).filter((client) => /^state-/.test(client));
    };
    expect(await found('never')).toEqual(['state-never']);
    expect(await found('overdue')).toEqual(['state-overdue']);
    expect(await found('held')).toEqual(['state-held']);
    expect(await found('failing')).toEqual(['state-broken']);
    expect(await found('disabled')).toEqual(['state-off']);
    expect(await found('active')).not.toContain('state-off');
    const { value: one } = await terminal.json('gateway', 'list', '--client', 'ate-hel');
    expect(one).toMatchObject([{ client: 'state-held', held_reason: 'too few' }]);
    expect((await terminal.ops('gateway', 'list', '--state', 'held')).out).toMatch(
      /state-held .* run \d+: too few +https/,
    );
    expect((await terminal.ops('gateway', 'list', '--state', 'overdue')).out).toMatch(/3 h ago, overdue +60 min/);
    expect((await terminal.json('gateway', 'list', '--crm', 'apimo', '--state', 'overdue')).value).toEqual([]);
    expect(await terminal.json('gateway', 'list', '--state', 'odd')).toMatchObject({
      exitCode: 2,
      value: { error: '--state takes active, held, failing, overdue, never, paused, disabled, not "odd"' },
    });

    const { value: retried } = await terminal.json('retry', '--failed', '--crm', 'kyero');
    expect(retried).toContainEqual(
      expect.objectContaining({ client: 'state-broken', trigger: 'retry', state: 'queued' }),
    );
    expect((retried as { client: string }[]).map(({ client }) => client)).not.toContain('state-fine');
  });

  it('add takes a file of gateways: all of them, or none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateways-'));
    const file = join(folder, 'gateways.csv');
    const titles = 'crm,client,source,every,credential:provider,credential:token,set:max-vanished-share\n';
    try {
      writeFileSync(
        file,
        `${titles}apimo,bulk-1,https://api.example/,2h,12,"a,b",0.4\nkyero,bulk-2,https://crm.example/,,,,\n`,
      );
      const { exitCode, value } = await terminal.json('gateway', 'add', '--from', file);
      expect({ exitCode, value }).toEqual({
        exitCode: 0,
        value: [
          { crm: 'apimo', client: 'bulk-1', key: expect.stringMatching(/^psr_/) },
          { crm: 'kyero', client: 'bulk-2', key: expect.stringMatching(/^psr_/) },
        ],
      });
      const stored = (await db.database.gateways.find('apimo', 'bulk-1'))!;
      expect(stored).toMatchObject({ everySeconds: 7_200, settings: { 'max-vanished-share': '0.4' } });
      const { credentials } = (await db.database.gateways.loadForIngest(stored.id))!;
      expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"provider":"12","token":"a,b"}');

      const refusal = async (text: string): Promise<unknown> => {
        writeFileSync(file, text);
        const answer = await terminal.json('gateway', 'add', '--from', file);
        return { ...(answer.value as object), exitCode: answer.exitCode };
      };
      expect(
        await refusal(`${titles}kyero,bulk-3,https://crm.example/,,,,\nkyero,bulk 4,https://crm.example/,,,,\n`),
      ).toEqual({
        exitCode: 2,
        error: `${file}, line 3: --client takes at most 64 letters, digits, "-" and "_", not "bulk 4"`,
      });
      expect(
        await refusal('crm,client,source\nkyero,bulk-3,https://crm.example/\nkyero,bulk-2,https://crm.example/\n'),
      ).toEqual({
        exitCode: 1,
        error: 'nothing is added: kyero/bulk-2 exists already',
      });
      expect(await refusal('crm,client,source,secret\nkyero,bulk-3,https://crm.example/,geheim\n')).toMatchObject({
        exitCode: 2,
        error: expect.stringMatching(/has a column "secret"/),
      });
      expect(await refusal('crm,client,source\nkyero,bulk-3\n')).toMatchObject({ exitCode: 2 });
      expect(await db.database.gateways.find('kyero', 'bulk-3')).toBeNull();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('list and show say since when and why a gateway fails', async () => {
    const { id } = await add('failing');
    const runId = await db.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    await db.query(
      `UPDATE run SET state = 'failed', ended_at = now(), reason = 'the source answered 401' WHERE id = $1`,
      [runId],
    );
    await db.database.schedule.noteFailure(id, () => 60_000);
    // A newer run of another kind hides nothing.
    await db.database.runRequests.request({ gatewayId: id, trigger: 'ops', dryRun: true });
    expect((await terminal.json('gateway', 'show', ...name('failing'))).value).toMatchObject({
      ...{ failures: 1, failing_since: anyTime, failing_reason: 'the source answered 401' },
    });
    expect((await terminal.ops('gateway', 'list')).out).toMatch(
      /\nkyero +failing .* since .*: the source answered 401\n/,
    );
    expect((await terminal.ops('gateway', 'show', ...name('failing'))).out).toMatch(
      /failing for +the source answered 401/,
    );
  });

  it('disable and enable say how the gateway is then', async () => {
    await add('switched');
    expect((await terminal.json('gateway', 'disable', ...name('switched'))).value).toMatchObject({
      client: 'switched',
      active: false,
      enabled: false,
    });
    expect((await terminal.json('gateway', 'enable', ...name('switched'))).value).toMatchObject({
      active: true,
      enabled: true,
    });
  });

  it('keys have a scope and networks, which a rotated one takes over', async () => {
    const words = ['--scope', 'read', '--network', '192.0.2.0/24', '2001:db8::/32'];
    await add('terms', ...words);
    const keysOf = async () => {
      const { value } = await terminal.json('gateway', 'show', ...name('terms'));
      return (value as { keys: { scope: string; networks: string[] | null; expires_at: string | null }[] }).keys.map(
        ({ scope, networks, expires_at }) => [scope, networks, expires_at !== null],
      );
    };
    const networks = ['192.0.2.0/24', '2001:db8::/32'];
    expect(await keysOf()).toEqual([['read', networks, false]]);
    await terminal.json('gateway', 'rotate-key', ...name('terms'));
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, false],
    ]);
    // One for reports stands in for none of them.
    await terminal.json('gateway', 'rotate-key', ...name('terms'), '--scope', 'report', '--network', 'any');
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, false],
      ['report', null, false],
    ]);
    expect(await terminal.json('gateway', 'rotate-key', ...name('terms'))).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining('--scope') },
    });
    await terminal.json('gateway', 'rotate-key', ...name('terms'), '--scope', 'both');
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, true],
      ['report', null, true],
      ['both', null, false],
    ]);
    for (const wrong of [
      ['--scope', 'write'],
      ['--network', '10.0.0.0/0'],
      ['--network', 'x'],
    ]) {
      expect(await terminal.json('gateway', 'rotate-key', ...name('terms'), ...wrong)).toMatchObject({ exitCode: 2 });
    }
  });

  it('rotate-key prints a new key; the older ones end after the overlap', async () => {
    const { key: first } = await add('rotated');
    const rotated = await terminal.json('gateway', 'rotate-key', ...name('rotated'), '--overlap', '2d');
    expect(rotated).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'rotated', key: expect.stringMatching(/^psr_/) },
      err: '',
    });
    const { key: second } = rotated.value as { key: string };
    expect([await opens('rotated', first), await opens('rotated', second)]).toEqual([true, true]);
    const [older] = await db.query<{ hours: number }>(
      `SELECT extract(epoch FROM k.expires_at - now())::float / 3600 AS hours
       FROM api_key k JOIN gateway g ON g.id = k.gateway_id WHERE g.client = 'rotated' AND k.expires_at IS NOT NULL`,
    );
    expect(older!.hours).toBeCloseTo(48, 1);
    const third = await terminal.json('gateway', 'rotate-key', ...name('rotated'), '--overlap', '0s');
    expect(await opens('rotated', second)).toBe(false);
    expect(await opens('rotated', (third.value as { key: string }).key)).toBe(true);
  });

  it('set changes what is named, and lets the gateway run at once', async () => {
    const { id } = await add('changed', '--set', 'max-fill-drop=0.1', '--set', 'max-vanished-count=9', '--every', '1h');
    await db.query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 day' WHERE gateway_id = $1`, [id]);
    const { exitCode, value } = await terminal.json(
      ...['gateway', 'set', ...name('changed'), '--source', 'file:agence.zip', '--set', 'max-fill-drop=0.3'],
      ...['--unset', 'max-vanished-count', '--every', 'default', '--contract-end', '2099-01-01'],
    );
    expect({ exitCode, value }).toMatchObject({
      exitCode: 0,
      value: {
        ...{ source_url: 'file:agence.zip', settings: { 'max-fill-drop': '0.3' }, every_seconds: null },
        contract_end: '2099-01-01',
      },
    });
    expect(Date.parse((value as { next_run_at: string }).next_run_at)).toBeLessThanOrEqual(Date.now() + 1000);
    const { value: open } = await terminal.json('gateway', 'set', ...name('changed'), '--contract-end', 'none');
    expect(open).toMatchObject({ contract_end: null, settings: { 'max-fill-drop': '0.3' } });
  });

  it('set replaces credentials, and takes them away', async () => {
    const argv = ['gateway', 'set', ...name('full', 'apimo')];
    expect((await terminal.json(...argv, '--credential', 'token=new')).value).toMatchObject({ has_credentials: true });
    const stored = await db.database.gateways.find('apimo', 'full');
    const { credentials } = (await db.database.gateways.loadForIngest(stored!.id))!;
    expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"token":"new"}');
    expect((await terminal.json(...argv, '--no-credentials')).value).toMatchObject({ has_credentials: false });
  });

  it('remove asks first, and does nothing without an answer', async () => {
    await add('kept');
    expect(await terminal.json('gateway', 'remove', ...name('kept'))).toMatchObject({
      exitCode: 1,
      err: 'Remove kyero/kept with 0 listings, 1 key and all runs and reports?',
    });
    expect(await db.database.gateways.find('kyero', 'kept')).not.toBeNull();
    const answers = opsTerminal(db.url, { confirms: true });
    expect((await answers.ops('gateway', 'remove', ...name('kept'))).out).toMatch(/^kyero\/kept is removed with /);
    expect(await db.database.gateways.find('kyero', 'kept')).toBeNull();
  });

  it('remove leaves nothing, asks nothing with --yes, and cannot be done twice', async () => {
    const { id } = await add('removed');
    await new FakeWorker(db).run(id, { listings: ['A1'] });
    expect(await terminal.json('gateway', 'remove', ...name('removed'), '--yes')).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'removed', removed: true },
      err: '',
    });
    const tables = ['gateway', 'api_key', 'run', 'snapshot', 'listing_version', 'current_listing', 'listing_change'];
    for (const table of tables) {
      const column = table === 'gateway' ? 'id' : 'gateway_id';
      expect(await db.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id])).toEqual([]);
    }
    expect(await terminal.json('gateway', 'remove', ...name('removed'))).toEqual({
      exitCode: 1,
      value: { error: 'there is no gateway kyero/removed' },
      err: '',
    });
  });

  it.each(['show', 'enable', 'disable', 'rotate-key'])('%s refuses a gateway that is not there', async (word) => {
    expect(await terminal.json('gateway', word, ...name('nobody'))).toEqual({
      exitCode: 1,
      value: { error: 'there is no gateway kyero/nobody' },
      err: '',
    });
  });
});
