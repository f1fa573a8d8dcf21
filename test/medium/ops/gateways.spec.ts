import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox } from '@passerelle/domain';
import { FakeWorker } from './fake-worker';
import { anyTime, GatewaysByCommand, nameOf } from './gateways-by-command';
import { opsTerminal, SECRETS_KEY } from './ops-terminal';

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops gateway', () => {
  let gateways: GatewaysByCommand;
  let db: GatewaysByCommand['db'];
  let terminal: GatewaysByCommand['terminal'];

  beforeAll(async () => {
    gateways = await GatewaysByCommand.start();
    ({ db, terminal } = gateways);
  });
  afterAll(() => db.drop());

  it('add refuses an existing gateway', async () => {
    await gateways.add('twice');
    const source = ['--source', 'https://crm.example/feed.xml'];
    const again = await terminal.json('gateway', 'add', ...nameOf('twice'), ...source);
    expect(again).toEqual({
      exitCode: 1,
      value: { error: 'the gateway kyero/twice exists already: "gateway set" changes it' },
      err: '',
    });
    expect(await terminal.ops('gateway', 'add', ...nameOf('twice'), ...source)).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: the gateway kyero/twice exists already: "gateway set" changes it\n',
    });
  });

  it('remove fails while leads wait, unless an option accepts their loss', async () => {
    const { id } = await gateways.add('with-leads');
    const lead = { gatewayId: id, token: randomUUID(), affId: null, sealed: Buffer.from('sealed') };
    await db.database.receivedLeads.add(lead);
    expect(await terminal.json('gateway', 'remove', ...nameOf('with-leads'), '--yes')).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringMatching(/^kyero\/with-leads is not removed: 1 lead of visitors would be lost/) },
    });
    const count = () =>
      db.query(`SELECT FROM outbox WHERE kind = 'lead' AND gateway_id = $1`, [id]).then((rows) => rows.length);
    expect(await count()).toBe(1);
    expect((await terminal.json('gateway', 'remove', ...nameOf('with-leads'), '--yes', '--with-leads')).exitCode).toBe(
      0,
    );
    expect([await count(), await db.database.gateways.find('kyero', 'with-leads')]).toEqual([0, null]);
  });

  it('show prints the last run and the list that it published', async () => {
    const { id } = await gateways.add('shown');
    const run = await new FakeWorker(db).run(id, { listings: ['A1', 'A2'] });
    const { value } = await terminal.json('gateway', 'show', ...nameOf('shown'));
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
    const { out } = await terminal.ops('gateway', 'show', ...nameOf('shown'));
    expect(out).toMatch(/^kyero\/shown\n {2}state +active\n/);
    expect(out).toContain('https://crm.example/feed.xml');
  });

  it('show prints the feedback that waits for the source, and why it was not sent', async () => {
    const { id } = await gateways.add('untold');
    await db.query(
      `INSERT INTO source_feedback (gateway_id, listing, status) VALUES ($1, 'A', 'shown'), ($1, 'B', 'removed')`,
      [id],
    );
    await db.query(`INSERT INTO outbox (gateway_id, kind, type) VALUES ($1, 'feedback', 'feedback')`, [id]);
    const shown = async () => (await terminal.ops('gateway', 'show', ...nameOf('untold'))).out;
    expect(await shown()).toMatch(/\n {2}state events +for 2 listings \((?:now|\d+ s ago)\)\n/);
    await db.query(
      `UPDATE outbox SET tries = 2, error = 'the API of the CRM answered 503', next_try_at = now() + interval '1 hour'
       WHERE gateway_id = $1`,
      [id],
    );
    expect(await shown()).toContain('failed 2 times: the API of the CRM answered 503; again in');
    const { value } = await terminal.json('gateway', 'show', ...nameOf('untold'));
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

  it('show prints what is stored of the source, except the digest of its secrets', async () => {
    const { id } = await gateways.add('remembered');
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
    const { out } = await terminal.ops('gateway', 'show', ...nameOf('remembered'));
    expect(out).toMatch(/\n {2}unchanged by +the answer of its source\n {2}ETag +"v1"\n {2}last modified +2024-05-01 /);
    expect(out).toMatch(/\n {2}feed size +1\.2 MB\n {2}known records +2\n {2}kept +2 records \(/);
    expect(out).not.toMatch(/digest-of-secrets|print-of-bytes/);
    const { value } = await terminal.json('gateway', 'show', ...nameOf('remembered'));
    expect(value).toMatchObject({
      memory: {
        ...{ unchanged_by: 'answer', etag: '"v1"', last_modified: '2024-05-01T10:00:00.000Z', size_bytes: 1_234_567 },
        ...{ known_records: 2, kept_records: 2, kept_since: anyTime },
      },
    });
    expect(JSON.stringify(value)).not.toMatch(/digest-of-secrets|print-of-bytes/);
  });

  it('list shows every gateway without secrets', async () => {
    await gateways.add('listed', '--contract-end', '2001-01-01');
    const { exitCode, value } = await terminal.json('gateway', 'list');
    expect(exitCode).toBe(0);
    const views = value as { crm: string; client: string; active: boolean }[];
    expect(views.find(({ client }) => client === 'listed')).toMatchObject({ active: false, enabled: true });
    expect(JSON.stringify(views)).not.toMatch(/u:p@|token=t/);
    const { out } = await terminal.ops('gateway', 'list');
    expect(out).toMatch(/^CRM +CLIENT +STATE +LISTINGS +CONFIRMED +EVERY +NEXT RUN +HELD +SOURCE +FAILING\n/);
    expect(out).toMatch(/\nkyero +listed +contract ended +- +- +- +- +- +https:\/\/crm\.example\/feed\.xml +-\n/);
  });

  it('list finds gateways that need attention', async () => {
    const worker = new FakeWorker(db);
    const ids = { never: 0, fine: 0, overdue: 0, held: 0, broken: 0, off: 0 };
    for (const client of Object.keys(ids) as (keyof typeof ids)[]) {
      ids[client] = (await gateways.add(`state-${client}`, '--every', '1h')).id;
      if (client !== 'never') await worker.run(ids[client], { listings: ['A1'] });
    }
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '181 minutes' WHERE id = $1`, [ids.overdue]);
    await worker.run(
      ids.held,
      { listings: ['A2'] },
      { state: 'held', reason: 'too few', reasonCode: 'vanished', verdict: [] },
    );
    await db.database.schedule.noteFailure(ids.broken, () => 60_000);
    await terminal.json('gateway', 'disable', ...nameOf('state-off'));
    const found = async (state: string): Promise<string[]> => {
      const { value } = await terminal.json('gateway', 'list', '--state', state, '--crm', 'kyero');
      return (value as { client: string }[]).map(({ client }) => client).filter((client) => /^state-/.test(client));
    };
    expect(await found('never')).toEqual(['state-never']);
    expect(await found('overdue')).toEqual(['state-overdue']);
    expect(await found('stale')).toEqual(['state-overdue']);
    // A gateway is in several states: the lists of these two are fresh although their newest runs published nothing.
    expect(await found('fresh')).toEqual(['state-broken', 'state-fine', 'state-held']);
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
      value: {
        error: '--state takes active, overdue, failing, held, never, stale, fresh, paused, disabled, not "odd"',
      },
    });

    const { value: retried } = await terminal.json('retry', '--failed', '--crm', 'kyero');
    expect(retried).toContainEqual(
      expect.objectContaining({ client: 'state-broken', trigger: 'retry', state: 'queued' }),
    );
    expect((retried as { client: string }[]).map(({ client }) => client)).not.toContain('state-fine');
  });

  it('add reads a file of gateways, and adds all of them or none', async () => {
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
    const { id } = await gateways.add('failing');
    const runId = await db.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    await db.query(
      `UPDATE run SET state = 'failed', ended_at = now(), reason = 'the source answered 401' WHERE id = $1`,
      [runId],
    );
    await db.database.schedule.noteFailure(id, () => 60_000);
    // A newer dry run does not hide the failure.
    await db.database.runRequests.request({ gatewayId: id, trigger: 'ops', dryRun: true });
    expect((await terminal.json('gateway', 'show', ...nameOf('failing'))).value).toMatchObject({
      ...{ failures: 1, failing_since: anyTime, failing_reason: 'the source answered 401' },
    });
    expect((await terminal.ops('gateway', 'list')).out).toMatch(
      /\nkyero +failing .* since .*: the source answered 401\n/,
    );
    expect((await terminal.ops('gateway', 'show', ...nameOf('failing'))).out).toMatch(
      /failing for +the source answered 401/,
    );
  });

  it('disable and enable print the new state of the gateway', async () => {
    await gateways.add('switched');
    expect((await terminal.json('gateway', 'disable', ...nameOf('switched'))).value).toMatchObject({
      client: 'switched',
      active: false,
      enabled: false,
    });
    expect((await terminal.json('gateway', 'enable', ...nameOf('switched'))).value).toMatchObject({
      active: true,
      enabled: true,
    });
  });

  it('set changes the named settings, and makes the gateway due immediately', async () => {
    const { id } = await gateways.add(
      'changed',
      '--set',
      'max-fill-drop=0.1',
      '--set',
      'max-vanished-count=9',
      '--every',
      '1h',
    );
    await db.query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 day' WHERE gateway_id = $1`, [id]);
    const { exitCode, value } = await terminal.json(
      ...['gateway', 'set', ...nameOf('changed'), '--source', 'file:agence.zip', '--set', 'max-fill-drop=0.3'],
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
    const { value: open } = await terminal.json('gateway', 'set', ...nameOf('changed'), '--contract-end', 'none');
    expect(open).toMatchObject({ contract_end: null, settings: { 'max-fill-drop': '0.3' } });
  });

  it('remove requires a confirmation, and changes nothing without it', async () => {
    await gateways.add('kept');
    expect(await terminal.json('gateway', 'remove', ...nameOf('kept'))).toMatchObject({
      exitCode: 1,
      err: 'Remove kyero/kept with 0 listings, 1 key and all runs and reports?',
    });
    expect(await db.database.gateways.find('kyero', 'kept')).not.toBeNull();
    const answers = opsTerminal(db.url, { confirms: true });
    expect((await answers.ops('gateway', 'remove', ...nameOf('kept'))).out).toMatch(/^kyero\/kept is removed with /);
    expect(await db.database.gateways.find('kyero', 'kept')).toBeNull();
  });

  it('remove leaves nothing behind, needs no confirmation with --yes, and fails the second time', async () => {
    const { id } = await gateways.add('removed');
    await new FakeWorker(db).run(id, { listings: ['A1'] });
    expect(await terminal.json('gateway', 'remove', ...nameOf('removed'), '--yes')).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'removed', removed: true },
      err: '',
    });
    const tables = ['gateway', 'api_key', 'run', 'snapshot', 'listing_version', 'current_listing', 'listing_change'];
    for (const table of tables) {
      const column = table === 'gateway' ? 'id' : 'gateway_id';
      expect(await db.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id])).toEqual([]);
    }
    expect(await terminal.json('gateway', 'remove', ...nameOf('removed'))).toEqual({
      exitCode: 1,
      value: { error: 'there is no gateway kyero/removed' },
      err: '',
    });
  });

  it.each(['show', 'enable', 'disable', 'rotate-key'])('%s refuses an unknown gateway', async (word) => {
    expect(await terminal.json('gateway', word, ...nameOf('nobody'))).toEqual({
      exitCode: 1,
      value: { error: 'there is no gateway kyero/nobody' },
      err: '',
    });
  });
});
