import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks to sites: docs/decisions/0077. Only adds to the schema. */
export class Webhooks1763751600000 implements MigrationInterface {
  name = 'Webhooks1763751600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // `slot` limits a gateway to five endpoints, even with concurrent requests.
  `CREATE TABLE webhook_endpoint (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 5),
     url text NOT NULL,
     events text[] NOT NULL,
     secret bytea NOT NULL,
     old_secret bytea,
     old_secret_until timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     disabled_at timestamptz,
     disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
     failures integer NOT NULL DEFAULT 0,
     failing_since timestamptz,
     next_try_at timestamptz NOT NULL DEFAULT '-infinity',
     announced_until timestamptz NOT NULL DEFAULT '-infinity',
     taken_until timestamptz NOT NULL DEFAULT '-infinity',
     fence bigint NOT NULL DEFAULT 0,
     UNIQUE (gateway_id, slot)
   )`,
  `CREATE INDEX webhook_endpoint_failing ON webhook_endpoint (next_try_at) WHERE failures > 0`,
  `CREATE TABLE webhook_event (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     message_id text NOT NULL UNIQUE DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     type text NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     data json NOT NULL
   )`,
  'CREATE INDEX webhook_event_gateway ON webhook_event (gateway_id)',
  'CREATE INDEX webhook_event_at ON webhook_event (at)',
  `CREATE TABLE webhook_delivery (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     endpoint_id bigint NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
     event_id bigint NOT NULL REFERENCES webhook_event ON DELETE CASCADE,
     state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'superseded', 'failed')),
     tries integer NOT NULL DEFAULT 0,
     tried_at timestamptz,
     ended_at timestamptz,
     status smallint,
     ms integer,
     answer text,
     error text
   )`,
  `CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint_id, id) WHERE state = 'pending'`,
  'CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (endpoint_id, id)',
  'CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id)',
  // Lets the API remove one endpoint of one gateway, by id or address, but change nothing else.
  `CREATE FUNCTION remove_webhook(of_gateway integer, by_id bigint, by_url text) RETURNS boolean
   LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     WITH gone AS (
       DELETE FROM public.webhook_endpoint WHERE gateway_id = of_gateway AND (id = by_id OR url = by_url) RETURNING id
     )
     SELECT EXISTS (SELECT FROM gone)
   $$`,
  'REVOKE EXECUTE ON FUNCTION remove_webhook FROM PUBLIC',
  // The feed's state in the last notification to sites; null when all was well.
  `ALTER TABLE gateway_schedule ADD COLUMN told_state text
     CONSTRAINT gateway_schedule_told_state CHECK (told_state IN ('stale', 'held', 'failing'))`,
];

const DOWN = [
  'ALTER TABLE gateway_schedule DROP COLUMN told_state',
  'DROP FUNCTION remove_webhook',
  'DROP TABLE webhook_delivery',
  'DROP TABLE webhook_event',
  'DROP TABLE webhook_endpoint',
];
