import { SecretBox, type NotificationData } from '@passerelle/domain';
import { installationTroubles, QUEUE_PATIENCE_SECONDS } from '@passerelle/operations';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { PublishedLists } from '../../support/published-lists';

const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');
const TTL_SECONDS = 3600;

// Real: PostgreSQL. Fake: the troubles, which are written as runs leave them.
describe('notifications to operators', () => {
  let db: TestDatabase;
  let channel: number;
  let lists: PublishedLists;
  let gatewayId: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    channel = await db.database.notificationChannels.add({
      ...{
        kind: 'email',
        address: BOX.seal('ops@agence.example'),
        shown: 'ops@agence.example',
        secret: null,
        quiet: null,
      },
    });
    lists = await PublishedLists.of(db.database, 'agence-du-port');
    gatewayId = lists.gatewayId;
  });
  afterEach(() => db.drop());

  const rule = (
    terms: Partial<Parameters<typeof db.database.notificationChannels.addRule>[0]> = {},
  ): Promise<number | null> =>
    db.database.notificationChannels.addRule({
      ...{ channelId: channel, event: 'failing', crm: null, client: null, afterFailures: 1, repeatSeconds: 21_600 },
      ...terms,
    });
  const fail = (times: number): Promise<unknown> =>
    db.query('UPDATE gateway_schedule SET failures = $2, failing_since = now() WHERE gateway_id = $1', [
      gatewayId,
      times,
    ]);
  const compare = (): Promise<void> =>
    db.database.notificationNotices.enqueueDue(TTL_SECONDS, async () =>
      installationTroubles({
        queue: await db.database.announcements.facts(QUEUE_PATIENCE_SECONDS),
        backups: await db.database.audit.backups(),
        now: new Date(),
      }),
    );
  const later = (interval: string): Promise<unknown> =>
    db.query(`UPDATE notification_notice SET told_at = told_at - $1::interval, ended_at = ended_at - $1::interval`, [
      interval,
    ]);
  const sent = async (): Promise<string[]> =>
    (
      await db.query<{ data: NotificationData }>(`SELECT data FROM outbox WHERE kind = 'notification' ORDER BY id`)
    ).flatMap(({ data }) =>
      data.kind === 'notices'
        ? data.items.map(({ state, event, client, service }) => `${state} ${event} ${service ?? client}`)
        : [data.kind],
    );

  it('report a list with missing statements once, although their number changes, and then its completion', async () => {
    await lists.publish([{ affId: 'A' }]);
    await rule({ event: 'duties', repeatSeconds: null });
    const lack = (duties: object): Promise<unknown> =>
      db.query(
        `UPDATE snapshot SET duties = $2
         WHERE gateway_id = $1 AND id = (SELECT current_snapshot_id FROM gateway WHERE id = $1)`,
        [gatewayId, JSON.stringify(duties)],
      );
    await lack({ 'fr-dpe': 12, 'fr-honoraires': 30 });
    await compare();
    await lack({ 'fr-dpe': 11 });
    await compare();
    expect(await sent()).toEqual(['new duties agence-du-port']);
    expect((await db.query<{ data: object }>('SELECT data FROM outbox'))[0]?.data).toMatchObject({
      items: [{ reason: '30 listings lack fr-honoraires, 12 listings lack fr-dpe' }],
    });
    await lack({});
    await compare();
    expect(await sent()).toEqual(['new duties agence-du-port', 'recovered duties agence-du-port']);
  });

  it('read no troubles that no rule is about', async () => {
    await rule({ event: 'held' });
    await lists.publish([{ affId: 'A' }]);
    await db.query(`UPDATE snapshot SET duties = '{"fr-dpe": 1}'`);
    await fail(3);
    await compare();
    expect(await sent()).toEqual([]);
    await rule({ event: 'duties' });
    await compare();
    expect(await sent()).toEqual(['new duties agence-du-port']);
  });

  it('report a queue that takes no runs, and a failed backup, once and with their end', async () => {
    for (const event of ['service', 'backup'] as const) await rule({ event });
    await compare();
    expect(await sent()).toEqual([]);
    const backup = (act: string): Promise<unknown> =>
      db.query(`INSERT INTO audit (who, through, act, reason) VALUES ('cron', 'ops', $1, 'the disk is full')`, [act]);
    await backup('backup failed');
    await db.database.announcements.hold('a test', 20, 'paused');
    await compare();
    await compare();
    expect(await sent()).toEqual(['new service queue', 'new backup backup']);
    await backup('backup');
    await db.database.announcements.hold('a test', 20);
    await compare();
    expect((await sent()).slice(2)).toEqual(['recovered service queue', 'recovered backup backup']);
    await db.database.announcements.hold('a test', 20, 'paused');
    await compare();
    expect(await sent()).toHaveLength(4);
  });

  it('report a failing gateway once, after the wanted number of failures, and then its recovery', async () => {
    await rule({ afterFailures: 3 });
    for (const failures of [1, 2, 3, 4, 5]) {
      await fail(failures);
      await compare();
    }
    expect(await sent()).toEqual(['new failing agence-du-port']);
    await fail(0);
    await compare();
    await compare();
    expect(await sent()).toEqual(['new failing agence-du-port', 'recovered failing agence-du-port']);
  });

  it('report an export that failed three times or is held, with the portal and the reason, and its recovery', async () => {
    await rule({ event: 'export-failing' });
    await rule({ event: 'export-held' });
    await db.query(
      `INSERT INTO placement (gateway_id, target, failures, failure, failing_since) VALUES ($1, 'poliris', 2, 'no', now())`,
      [gatewayId],
    );
    await compare();
    expect(await sent()).toEqual([]);
    await db.query(
      `UPDATE placement SET failures = 3, held = '{"message":"7 of 8 adverts would disappear"}', held_at = now()`,
    );
    await compare();
    expect(await sent()).toEqual(['new export-failing agence-du-port', 'new export-held agence-du-port']);
    const [row] = await db.query<{ data: { items: { reason: string }[] } }>(
      `SELECT data FROM outbox WHERE kind = 'notification'`,
    );
    expect(row?.data.items.map(({ reason }) => reason)).toEqual([
      'poliris: no',
      'poliris: 7 of 8 adverts would disappear',
    ]);
    await db.query('UPDATE placement SET failures = 0, held = NULL');
    await compare();
    expect((await sent()).slice(2)).toEqual([
      'recovered export-failing agence-du-port',
      'recovered export-held agence-du-port',
    ]);
  });

  it('report a cause again while it lasts, after the wanted time', async () => {
    await rule({ repeatSeconds: 21_600 });
    await fail(1);
    await compare();
    await later('5 hours');
    await compare();
    expect(await sent()).toHaveLength(1);
    await later('1 hour');
    await compare();
    expect((await sent()).slice(1)).toEqual(['still failing agence-du-port']);
  });

  it('do not report a cause twice within an hour, however often it comes and goes', async () => {
    await rule();
    for (let times = 0; times < 5; times += 1) {
      await fail(1);
      await compare();
      await fail(0);
      await compare();
    }
    expect((await sent()).filter((line) => line.startsWith('new'))).toHaveLength(1);
    await later('1 hour');
    await compare();
    await fail(1);
    await compare();
    expect((await sent()).filter((line) => line.startsWith('new'))).toHaveLength(2);
  });

  it('keep silent during a pause, and do not call a paused gateway recovered', async () => {
    await rule();
    await fail(2);
    await compare();
    await db.query(`INSERT INTO pause (gateway_id, reason, paused_by) VALUES ($1, 'maintenance', 'a test')`, [
      gatewayId,
    ]);
    await later('7 hours');
    await compare();
    expect(await sent()).toEqual(['new failing agence-du-port']);
  });

  it('follow the rule: only its connector, only its client, nothing in quiet hours', async () => {
    await rule({ crm: 'openimmo' });
    await rule({ crm: 'kyero', client: 'another' });
    await fail(1);
    await compare();
    expect(await sent()).toEqual([]);
    await rule({ crm: 'kyero', client: 'agence-du-port' });
    await db.query(`UPDATE notification_channel SET quiet = to_char(now() AT TIME ZONE 'Europe/Paris', 'HH24') || '-' ||
      to_char((now() + interval '2 hours') AT TIME ZONE 'Europe/Paris', 'HH24')`);
    await compare();
    expect(await sent()).toEqual([]);
    await db.query('UPDATE notification_channel SET quiet = NULL');
    await compare();
    expect(await sent()).toEqual(['new failing agence-du-port']);
  });

  it('report a held list, a stale list, and the end of a contract and of a key, each in its steps', async () => {
    for (const event of ['held', 'stale', 'contract-ending', 'key-ending'] as const)
      await rule({ event, repeatSeconds: null });
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '2 hours' WHERE id = $1`, [gatewayId]);
    await compare();
    await db.query(
      `INSERT INTO run (gateway_id, trigger, state, ended_at, reason) VALUES ($1, 'ops', 'held', now(), 'many listings would vanish')`,
      [gatewayId],
    );
    await db.query(`UPDATE gateway SET contract_end = (now() AT TIME ZONE 'Europe/Paris')::date + 20 WHERE id = $1`, [
      gatewayId,
    ]);
    await compare();
    await db.query(`UPDATE gateway SET contract_end = (now() AT TIME ZONE 'Europe/Paris')::date + 7 WHERE id = $1`, [
      gatewayId,
    ]);
    await db.query(`UPDATE api_key SET expires_at = now() + interval '12 hours' WHERE gateway_id = $1`, [gatewayId]);
    await compare();
    expect(await sent()).toEqual([
      'new stale agence-du-port',
      ...['new held agence-du-port', 'recovered stale agence-du-port', 'new contract-ending agence-du-port'],
      ...['new contract-ending agence-du-port', 'new key-ending agence-du-port'],
    ]);
  });

  it('come as one message for all gateways of a channel', async () => {
    await rule();
    await PublishedLists.of(db.database, 'another', Buffer.alloc(32, 7));
    await db.query('UPDATE gateway_schedule SET failures = 1, failing_since = now()');
    await compare();
    expect(await db.query(`SELECT count(*)::integer AS count FROM outbox WHERE kind = 'notification'`)).toEqual([
      { count: 1 },
    ]);
  });

  it('are queued once by two processes that compare at the same time', async () => {
    await rule();
    await fail(1);
    await Promise.all(Array.from({ length: 6 }, () => compare()));
    expect(await sent()).toHaveLength(1);
  });
});
