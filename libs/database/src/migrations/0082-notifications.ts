import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Channels and rules of notifications to operators, and what was sent: docs/decisions/0082. */
export class Notifications1763978400000 implements MigrationInterface {
  name = 'Notifications1763978400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** SQL: the function with one more table that SECRETS_KEY seals. */
function secretsKeyState(more: string): string {
  return `CREATE OR REPLACE FUNCTION secrets_key_state(OUT name text, OUT carried text[], OUT is_used boolean)
   LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     SELECT i.secrets_key_name,
       CASE WHEN i.secrets_key_name IS NOT NULL THEN '{}' ELSE ARRAY(
         SELECT key_id FROM public.api_key WHERE key_id IS NOT NULL AND (expires_at IS NULL OR expires_at > now())
         UNION SELECT key_id FROM public.export_token WHERE key_id IS NOT NULL
       ) END,
       EXISTS (SELECT FROM public.gateway WHERE sealed_source IS NOT NULL OR credentials IS NOT NULL)
         OR EXISTS (SELECT FROM public.api_key WHERE key_id IS NOT NULL AND (expires_at IS NULL OR expires_at > now()))
         OR EXISTS (SELECT FROM public.export_token WHERE key_id IS NOT NULL)
         OR EXISTS (SELECT FROM public.webhook_endpoint)
         OR EXISTS (SELECT FROM public.call_address WHERE secret IS NOT NULL)
         OR EXISTS (SELECT FROM public.lead)
         OR EXISTS (SELECT FROM public.outbox WHERE kind = 'lead')
         ${more}
     FROM public.installation i
   $$`;
}

const UP = [
  // An address may contain a secret, so it is sealed; `shown` is its masked form.
  `CREATE TABLE notification_channel (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     kind text NOT NULL CHECK (kind IN ('email', 'slack', 'teams', 'webhook')),
     address bytea NOT NULL,
     shown text NOT NULL,
     secret bytea,
     quiet text CHECK (quiet ~ '^[0-2][0-9]-[0-2][0-9]$'),
     -- The channel of the setting NOTIFY_EMAIL.
     is_of_setting boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT notification_channel_secret CHECK (kind <> 'webhook' OR secret IS NOT NULL)
   )`,
  'CREATE UNIQUE INDEX notification_channel_of_setting ON notification_channel (is_of_setting) WHERE is_of_setting',
  `CREATE TABLE notification_rule (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     channel_id bigint NOT NULL REFERENCES notification_channel ON DELETE CASCADE,
     event text NOT NULL,
     crm text,
     client text,
     after_failures integer NOT NULL DEFAULT 1,
     repeat_seconds integer,
     digest_on date,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT notification_rule_client CHECK (client IS NULL OR crm IS NOT NULL)
   )`,
  'CREATE INDEX notification_rule_of_channel ON notification_rule (channel_id)',
  // A row is a trouble of a gateway that a rule has reported. It stays for an hour after the end, so that a short recovery
  // sends nothing.
  `CREATE TABLE notification_notice (
     rule_id bigint NOT NULL REFERENCES notification_rule ON DELETE CASCADE,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     cause text NOT NULL,
     told_at timestamptz NOT NULL,
     ended_at timestamptz,
     PRIMARY KEY (rule_id, gateway_id)
   )`,
  'CREATE INDEX notification_notice_of_gateway ON notification_notice (gateway_id)',
  'ALTER TABLE outbox ADD COLUMN channel_id bigint REFERENCES notification_channel ON DELETE CASCADE',
  'ALTER TABLE outbox ALTER COLUMN gateway_id DROP NOT NULL',
  `ALTER TABLE outbox ADD CONSTRAINT outbox_receiver CHECK (
     CASE WHEN kind = 'notification' THEN channel_id IS NOT NULL ELSE gateway_id IS NOT NULL END)`,
  'CREATE INDEX outbox_of_channel ON outbox (channel_id) WHERE channel_id IS NOT NULL',
  secretsKeyState('OR EXISTS (SELECT FROM public.notification_channel)'),
];

const DOWN = [
  secretsKeyState(''),
  `DELETE FROM outbox WHERE kind = 'notification'`,
  'ALTER TABLE outbox DROP CONSTRAINT outbox_receiver',
  'ALTER TABLE outbox ALTER COLUMN gateway_id SET NOT NULL',
  'ALTER TABLE outbox DROP COLUMN channel_id',
  'DROP TABLE notification_notice',
  'DROP TABLE notification_rule',
  'DROP TABLE notification_channel',
];
