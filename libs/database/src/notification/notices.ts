import {
  dueNotices,
  type DueNotices,
  hourInParis,
  INSTALLATION_EVENTS,
  isQuietAt,
  MOST_NAMED,
  type Notice,
  type NoticeKey,
  type NotificationData,
  type NotificationEvent,
  type NotificationRule,
  type Trouble,
} from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { inTransaction } from '../transaction';
import { RULE } from './notification-channels';

/** Only one process compares at a time; the others do not wait for it. */
const COMPARING = 20_251_130;
const DIGEST_HOUR = 8;
/** An export fails in the sense of a notification after this many attempts in succession. */
const EXPORT_FAILURES = 3;

/** Finds what notification rules must report, and queues it. */
export class NotificationNotices {
  constructor(private readonly pool: Pool) {}

  /**
   * Queues one message per channel, in the transaction that records what was reported.
   * @param ofInstallation reads the troubles of the installation; called only when a rule is about them
   */
  async enqueueDue(ttlSeconds: number, ofInstallation: () => Promise<readonly Trouble[]>): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ isMine: boolean; now: Date }>(
        'SELECT pg_try_advisory_xact_lock($1) AS "isMine", now() AS now',
        [COMPARING],
      );
      const [lock] = rows;
      if (lock?.isMine !== true) return;
      // The driver of this connection reads times as texts.
      const now = new Date(lock.now);
      const rules = await awakeRules(client, now);
      if (rules.length === 0) return;
      const isAboutInstallation = rules.some(({ event }) => INSTALLATION_EVENTS.has(event));
      const troubles = [
        ...(await troublesOf(client, rules, ttlSeconds)),
        ...(isAboutInstallation ? await ofInstallation() : []),
      ];
      const notices = await noticesOf(client, rules);
      const due = dueNotices(rules, troubles, notices, now.getTime());
      await store(client, due);
      for (const [channelId, items] of due.items)
        await enqueue(client, channelId, 'notices', {
          ...{ kind: 'notices', items: items.slice(0, MOST_NAMED), total: items.length },
        });
      if (hourInParis(now) >= DIGEST_HOUR) await enqueueDigests(client, troubles);
    });
  }
}

/** The rules of channels that are not silent now. */
async function awakeRules(client: PoolClient, now: Date): Promise<NotificationRule[]> {
  const { rows } = await client.query<NotificationRule & { quiet: string | null }>(
    `SELECT r.*, c.quiet FROM (SELECT ${RULE} FROM notification_rule) r JOIN notification_channel c ON c.id = r."channelId"`,
  );
  const hour = hourInParis(now);
  return rows.filter(({ quiet }) => !isQuietAt(quiet, hour));
}

/** SQL: the step in which a day lies; null when it is more than 30 days away, or over. */
const stepOf = (daysLeft: string): string =>
  `CASE WHEN ${daysLeft} BETWEEN 0 AND 1 THEN '1 day' WHEN ${daysLeft} BETWEEN 0 AND 7 THEN '7 days'
     WHEN ${daysLeft} BETWEEN 0 AND 30 THEN '30 days' END`;

/** SQL: no reminder is sent about a paused or snoozed gateway. */
const IS_PAUSED = `(EXISTS (SELECT FROM gateway_pause p WHERE p.gateway_id = g.id)
  OR EXISTS (SELECT FROM follow_up u WHERE u.gateway_id = g.id AND u.snoozed_until > now()))`;

/** The numbers of a digest. */
const IN_DIGEST: readonly NotificationEvent[] = ['failing', 'held', 'stale'];

/** The troubles of all gateways that are served and not paused, as far as a rule is about their event. */
async function troublesOf(
  client: PoolClient,
  rules: readonly NotificationRule[],
  ttlSeconds: number,
): Promise<Trouble[]> {
  const events = new Set(rules.flatMap(({ event }) => (event === 'digest' ? IN_DIGEST : [event])));
  const { rows } = await client.query<Trouble>(
    `WITH active AS MATERIALIZED (
       SELECT g.id, g.crm, g.client, g.confirmed_at, g.contract_end, t.failures, t.failing_since,
              (now() AT TIME ZONE 'Europe/Paris')::date AS today
       FROM gateway g JOIN gateway_schedule t ON t.gateway_id = g.id WHERE ${IS_GATEWAY_ACTIVE} AND NOT ${IS_PAUSED}
     ), held AS MATERIALIZED (
       SELECT DISTINCT ON (gateway_id) gateway_id, coalesce(held_since, ended_at) AS held_since, reason FROM run WHERE state = 'held' AND NOT dry_run
       ORDER BY gateway_id, id DESC
     ), trouble AS (
       SELECT 'failing' AS event, a.id, a.crm, a.client, f.reason, a.failing_since AS since, a.failures AS count, '' AS cause
       FROM active a LEFT JOIN LATERAL (
         SELECT r.reason FROM run r WHERE r.gateway_id = a.id AND r.state = 'failed' ORDER BY r.id DESC LIMIT 1
       ) f ON true WHERE a.failures > 0
       UNION ALL
       SELECT 'held', a.id, a.crm, a.client, h.reason, h.held_since, 1, '' FROM active a JOIN held h ON h.gateway_id = a.id
       UNION ALL
       SELECT 'stale', a.id, a.crm, a.client, NULL, a.confirmed_at, 1, '' FROM active a
       WHERE a.failures = 0 AND a.confirmed_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT FROM held h WHERE h.gateway_id = a.id)
       UNION ALL
       SELECT 'contract-ending', id, crm, client, 'the contract ends on ' || contract_end, NULL, contract_end - today,
              ${stepOf('contract_end - today')}
       FROM active
       UNION ALL
       SELECT 'export-failing', a.id, a.crm, a.client, p.target || ': ' || p.failure, p.failing_since, p.failures, ''
       FROM active a JOIN LATERAL (
         SELECT p.target, p.failure, p.failing_since, p.failures FROM placement p
         WHERE p.gateway_id = a.id AND p.is_on AND p.failures >= ${EXPORT_FAILURES} ORDER BY p.failing_since LIMIT 1
       ) p ON true
       UNION ALL
       SELECT 'export-held', a.id, a.crm, a.client, p.target || ': ' || (p.held ->> 'message'), p.held_at, 1, ''
       FROM active a JOIN LATERAL (
         SELECT p.target, p.held, p.held_at FROM placement p
         WHERE p.gateway_id = a.id AND p.is_on AND p.held IS NOT NULL ORDER BY p.held_at LIMIT 1
       ) p ON true
       UNION ALL
       SELECT 'duties', a.id, a.crm, a.client, d.words, NULL, 1, ''
       FROM active a JOIN gateway g ON g.id = a.id
       JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id AND s.duties <> '{}'
       CROSS JOIN LATERAL (
         SELECT string_agg(d.value || ' listings lack ' || d.key, ', ' ORDER BY d.value::integer DESC) AS words
         FROM jsonb_each_text(s.duties) d
       ) d
       UNION ALL
       SELECT 'key-ending', a.id, a.crm, a.client, 'the key ' || k.prefix || '… ends on ' || k.expires_at::date, NULL,
              k.expires_at::date - a.today, ${stepOf('k.expires_at::date - a.today')}
       FROM active a JOIN LATERAL (
         SELECT k.prefix, k.expires_at FROM api_key k WHERE k.gateway_id = a.id AND k.expires_at > now()
         ORDER BY k.expires_at LIMIT 1
       ) k ON true
     )
     SELECT event, id AS "gatewayId", NULL AS service, crm, client, reason, to_json(since AT TIME ZONE 'UTC') #>> '{}' AS since, count, cause
     FROM trouble WHERE cause IS NOT NULL AND event = ANY ($2) ORDER BY crm, client`,
    [ttlSeconds, [...events]],
  );
  return rows;
}

const NOTICE_TIMES = `extract(epoch FROM n.told_at)::float8 * 1000 AS "toldAtMs",
            extract(epoch FROM n.ended_at)::float8 * 1000 AS "endedAtMs"`;

async function noticesOf(client: PoolClient, rules: readonly NotificationRule[]): Promise<Notice[]> {
  const { rows } = await client.query<Notice>(
    `SELECT n.rule_id AS "ruleId", n.gateway_id AS "gatewayId", NULL AS service, g.crm, g.client, n.cause, ${NOTICE_TIMES},
            ${IS_PAUSED} AS "isPaused", ${IS_GATEWAY_ACTIVE} AS "isActive"
     FROM notification_notice n JOIN gateway g ON g.id = n.gateway_id WHERE n.rule_id = ANY ($1::bigint[])
     UNION ALL
     SELECT n.rule_id, NULL, n.service, NULL, NULL, n.cause, ${NOTICE_TIMES}, false, true
     FROM notification_service_notice n WHERE n.rule_id = ANY ($1::bigint[])`,
    [rules.map(({ id }) => id)],
  );
  return rows;
}

/** Notices of gateways and of the installation have tables with the same columns. */
const NOTICE_TABLES = [
  {
    table: 'notification_notice',
    column: 'gateway_id',
    type: 'integer',
    subject: ({ gatewayId }: NoticeKey): number | string | null => gatewayId,
  },
  {
    table: 'notification_service_notice',
    column: 'service',
    type: 'text',
    subject: ({ service }: NoticeKey) => service,
  },
] as const;

async function store(client: PoolClient, due: DueNotices): Promise<void> {
  for (const { table, column, type, subject } of NOTICE_TABLES) {
    const ours = <K extends NoticeKey>(list: readonly K[]): K[] => list.filter((key) => subject(key) !== null);
    const keys = (list: readonly NoticeKey[]): unknown[] => [list.map(({ ruleId }) => ruleId), list.map(subject)];
    const named = `unnest($1::bigint[], $2::${type}[]) AS u (rule_id, ${column})`;
    const isNamed = `n.rule_id = u.rule_id AND n.${column} = u.${column}`;
    const [told, reopened, ended, forgotten] = [
      ours(due.told),
      ours(due.reopened),
      ours(due.ended),
      ours(due.forgotten),
    ];
    if (told.length > 0) {
      await client.query(
        `INSERT INTO ${table} (rule_id, ${column}, cause, told_at)
         SELECT u.rule_id, u.${column}, u.cause, now()
         FROM unnest($1::bigint[], $2::${type}[], $3::text[]) AS u (rule_id, ${column}, cause)
         ON CONFLICT (rule_id, ${column}) DO UPDATE SET cause = excluded.cause, told_at = excluded.told_at, ended_at = NULL`,
        [...keys(told), told.map(({ cause }) => cause)],
      );
    }
    if (reopened.length > 0)
      await client.query(`UPDATE ${table} n SET ended_at = NULL FROM ${named} WHERE ${isNamed}`, keys(reopened));
    if (ended.length > 0)
      await client.query(`UPDATE ${table} n SET ended_at = now() FROM ${named} WHERE ${isNamed}`, keys(ended));
    if (forgotten.length > 0)
      await client.query(`DELETE FROM ${table} n USING ${named} WHERE ${isNamed}`, keys(forgotten));
  }
}

async function enqueue(client: PoolClient, channelId: number, type: string, data: NotificationData): Promise<void> {
  await client.query(`INSERT INTO outbox (channel_id, kind, type, data) VALUES ($1, 'notification', $2, $3::json)`, [
    channelId,
    type,
    JSON.stringify(data),
  ]);
}

/** One message a day for each channel with such a rule. */
async function enqueueDigests(client: PoolClient, troubles: readonly Trouble[]): Promise<void> {
  const { rows } = await client.query<{ channelId: number }>(
    `UPDATE notification_rule SET digest_on = (now() AT TIME ZONE 'Europe/Paris')::date
     WHERE event = 'digest' AND digest_on IS DISTINCT FROM (now() AT TIME ZONE 'Europe/Paris')::date
     RETURNING channel_id AS "channelId"`,
  );
  if (rows.length === 0) return;
  const { rows: sums } = await client.query<
    Pick<Extract<NotificationData, { kind: 'digest' }>, 'gateways' | 'runs' | 'added' | 'changed' | 'removed'>
  >(
    `SELECT (SELECT count(*)::integer FROM gateway) AS gateways, count(*)::integer AS runs, coalesce(sum(added), 0)::integer AS added,
            coalesce(sum(changed), 0)::integer AS changed, coalesce(sum(removed), 0)::integer AS removed
     FROM run WHERE state = 'published' AND ended_at > now() - interval '1 day'`,
  );
  const count = (event: Trouble['event']): number => troubles.filter((trouble) => trouble.event === event).length;
  const [first] = sums;
  if (first === undefined) return;
  const states = { failing: count('failing'), held: count('held'), stale: count('stale') };
  for (const channelId of new Set(rows.map((row) => row.channelId)))
    await enqueue(client, channelId, 'digest', { kind: 'digest', ...first, ...states });
}
