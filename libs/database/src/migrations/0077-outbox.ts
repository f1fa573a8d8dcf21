import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The next release drops the former tables (see GRANTS), the two functions and the trigger: docs/decisions/0077. */
export class Outbox1763960400000 implements MigrationInterface {
  name = 'Outbox1763960400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** The advisory lock that serialises the two functions that move rows. */
const MOVING = 20_251_127;
/** The number of rows that one statement moves. */
const AT_ONCE = 1_000;

const UP = [
  `CREATE TABLE outbox (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     endpoint_id bigint REFERENCES webhook_endpoint ON DELETE CASCADE,
     kind text NOT NULL CHECK (kind ~ '^[a-z]+$'),
     type text NOT NULL,
     message_id text NOT NULL DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     aff_id text,
     data json,
     sealed bytea,
     state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'superseded', 'failed')),
     tries integer NOT NULL DEFAULT 0,
     next_try_at timestamptz NOT NULL DEFAULT '-infinity',
     taken_until timestamptz NOT NULL DEFAULT '-infinity',
     fence bigint NOT NULL DEFAULT 0,
     tried_at timestamptz,
     ended_at timestamptz,
     status smallint,
     ms integer,
     answer text,
     error text,
     way text CHECK (way IN ('email', 'api')),
     CONSTRAINT outbox_ended CHECK ((state = 'pending') = (ended_at IS NULL)),
     CONSTRAINT outbox_endpoint CHECK (kind <> 'webhook' OR endpoint_id IS NOT NULL),
     CONSTRAINT outbox_sealed CHECK (kind <> 'lead' OR sealed IS NOT NULL)
   )`,
  `CREATE INDEX outbox_due ON outbox (kind, next_try_at, id) WHERE state = 'pending'`,
  `CREATE INDEX outbox_waiting ON outbox (gateway_id, kind) WHERE state = 'pending'`,
  `CREATE INDEX outbox_waiting_for_endpoint ON outbox (endpoint_id) WHERE state = 'pending' AND endpoint_id IS NOT NULL`,
  `CREATE INDEX outbox_kind_ended_at ON outbox (kind, ended_at) WHERE state <> 'pending'`,
  'CREATE INDEX outbox_gateway ON outbox (gateway_id, created_at)',
  'CREATE INDEX outbox_endpoint_id ON outbox (endpoint_id) WHERE endpoint_id IS NOT NULL',
  `CREATE UNIQUE INDEX outbox_lead ON outbox (gateway_id, message_id) WHERE kind = 'lead'`,
  `CREATE UNIQUE INDEX outbox_feedback ON outbox (gateway_id) WHERE kind = 'feedback' AND state = 'pending'`,
  // The API's only access to the outbox. A known token adds nothing; null when too many leads of the gateway wait.
  `CREATE FUNCTION add_lead(of_gateway integer, new_token uuid, listing text, new_sealed bytea, most_waiting integer) RETURNS timestamptz
   LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     WITH added AS (
       INSERT INTO public.outbox (gateway_id, kind, type, message_id, aff_id, sealed)
       SELECT of_gateway, 'lead', 'lead', new_token::text, listing, new_sealed
       WHERE NOT EXISTS (SELECT FROM public.lead WHERE gateway_id = of_gateway AND token = new_token)
         AND (SELECT count(*) FROM (
           SELECT FROM public.outbox WHERE gateway_id = of_gateway AND kind = 'lead' AND state = 'pending' LIMIT most_waiting) w) < most_waiting
       ON CONFLICT DO NOTHING RETURNING id
     )
     SELECT pg_notify('passerelle_lead', '') FROM added;
     SELECT at FROM public.outbox WHERE kind = 'lead' AND gateway_id = of_gateway AND message_id = new_token::text
     UNION ALL SELECT received_at FROM public.lead WHERE gateway_id = of_gateway AND token = new_token LIMIT 1
   $$`,
  'REVOKE EXECUTE ON FUNCTION add_lead FROM PUBLIC',
  // Until this time a process reads the outbox. Later the previous release gets its rows back.
  'ALTER TABLE installation ADD COLUMN outbox_served_until timestamptz',
  // Leaves a row while a process of the previous release holds it. Moves the log in batches.
  `CREATE FUNCTION outbox_take_over() RETURNS void LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
   BEGIN
     UPDATE public.installation SET outbox_served_until = now() + interval '60 seconds'
       WHERE (outbox_served_until BETWEEN now() + interval '40 seconds' AND now() + interval '2 minutes') IS NOT TRUE;
     IF NOT pg_try_advisory_xact_lock(${MOVING}) THEN RETURN; END IF;

     WITH moved AS (
       DELETE FROM public.lead WHERE id IN (
         SELECT id FROM public.lead WHERE taken_until <= now() ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING *
     )
     INSERT INTO public.outbox (gateway_id, kind, type, message_id, at, created_at, aff_id, sealed, state, tries, next_try_at, fence, tried_at,
       ended_at, error, way)
     SELECT gateway_id, 'lead', 'lead', token::text, received_at, received_at, aff_id, sealed,
       CASE WHEN delivered_at IS NULL THEN 'pending' ELSE 'delivered' END, tries, next_try_at, fence, tried_at, delivered_at, error, way
     FROM moved ORDER BY id ON CONFLICT DO NOTHING;

     WITH free AS (
       SELECT id, next_try_at FROM public.webhook_endpoint
       WHERE taken_until <= now() AND id IN (
         SELECT endpoint_id FROM public.webhook_delivery WHERE state = 'pending' LIMIT ${AT_ONCE})
       FOR NO KEY UPDATE SKIP LOCKED
     ), moved AS (
       DELETE FROM public.webhook_delivery d USING free WHERE d.endpoint_id = free.id AND d.state = 'pending'
       RETURNING d.*, free.next_try_at
     )
     INSERT INTO public.outbox (gateway_id, endpoint_id, kind, type, message_id, at, created_at, data, tries, next_try_at, tried_at, status, ms,
       answer, error)
     SELECT v.gateway_id, m.endpoint_id, 'webhook', v.type, v.message_id, v.at, v.at, v.data, m.tries, m.next_try_at, m.tried_at, m.status,
       m.ms, m.answer, m.error
     FROM moved m JOIN public.webhook_event v ON v.id = m.event_id ORDER BY m.id;

     WITH moved AS (
       DELETE FROM public.webhook_delivery WHERE id IN (
         SELECT id FROM public.webhook_delivery WHERE state <> 'pending' ORDER BY id LIMIT ${AT_ONCE}) RETURNING *
     )
     INSERT INTO public.outbox (gateway_id, endpoint_id, kind, type, message_id, at, created_at, data, state, tries, tried_at, ended_at, status,
       ms, answer, error)
     SELECT v.gateway_id, m.endpoint_id, 'webhook', v.type, v.message_id, v.at, v.at, v.data, m.state, m.tries, m.tried_at,
       coalesce(m.ended_at, m.tried_at, v.at), m.status, m.ms, m.answer, m.error
     FROM moved m JOIN public.webhook_event v ON v.id = m.event_id ORDER BY m.id;

     DELETE FROM public.webhook_event WHERE id IN (
       SELECT v.id FROM public.webhook_event v
       WHERE NOT EXISTS (SELECT FROM public.webhook_delivery d WHERE d.event_id = v.id) ORDER BY v.id LIMIT ${AT_ONCE});

     WITH moved AS (
       DELETE FROM public.source_feedback_due WHERE gateway_id IN (
         SELECT gateway_id FROM public.source_feedback_due WHERE taken_until <= now() FOR UPDATE SKIP LOCKED) RETURNING *
     )
     INSERT INTO public.outbox (gateway_id, kind, type, at, created_at, tries, next_try_at, fence, error)
     SELECT gateway_id, 'feedback', 'feedback', since, since, tries, next_try_at, fence, error FROM moved ON CONFLICT DO NOTHING;
   END $$`,
  'REVOKE EXECUTE ON FUNCTION outbox_take_over FROM PUBLIC',
  // Only the previous release updates "lead": when no process has read the outbox for a minute, rows move back.
  `CREATE FUNCTION outbox_hand_back() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
   BEGIN
     IF EXISTS (SELECT FROM public.installation WHERE outbox_served_until BETWEEN now() AND now() + interval '2 minutes')
       OR NOT pg_try_advisory_xact_lock(${MOVING}) THEN RETURN NULL; END IF;

     WITH moved AS (
       DELETE FROM public.outbox WHERE id IN (
         SELECT id FROM public.outbox WHERE kind = 'lead' AND taken_until <= now()
         ORDER BY state <> 'pending', id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING *
     )
     INSERT INTO public.lead (gateway_id, token, received_at, aff_id, sealed, tries, next_try_at, fence, tried_at, error, delivered_at, way)
     SELECT gateway_id, message_id::uuid, at, aff_id, sealed, tries, next_try_at, fence, tried_at, error, ended_at, way
     FROM moved ORDER BY id ON CONFLICT DO NOTHING;

     WITH moved AS (
       DELETE FROM public.outbox WHERE id IN (
         SELECT id FROM public.outbox WHERE kind = 'webhook' AND taken_until <= now()
         ORDER BY state <> 'pending', at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING *
     ), event AS (
       INSERT INTO public.webhook_event (message_id, gateway_id, type, at, data)
       SELECT message_id, gateway_id, type, at, data FROM (SELECT DISTINCT ON (message_id) * FROM moved) m ORDER BY at, id
       ON CONFLICT (message_id) DO NOTHING RETURNING id, message_id
     ), known AS (
       SELECT id, message_id FROM event
       UNION SELECT v.id, v.message_id FROM public.webhook_event v WHERE v.message_id IN (SELECT message_id FROM moved)
     )
     INSERT INTO public.webhook_delivery (endpoint_id, event_id, state, tries, tried_at, ended_at, status, ms, answer, error)
     SELECT m.endpoint_id, k.id, m.state, m.tries, m.tried_at, m.ended_at, m.status, m.ms, m.answer, m.error
     FROM moved m JOIN known k USING (message_id) ORDER BY m.created_at, m.id;

     WITH moved AS (
       DELETE FROM public.outbox WHERE id IN (
         SELECT id FROM public.outbox WHERE kind = 'feedback' AND state = 'pending' AND taken_until <= now() FOR UPDATE SKIP LOCKED) RETURNING *
     )
     INSERT INTO public.source_feedback_due (gateway_id, since, tries, next_try_at, fence, error)
     SELECT gateway_id, at, tries, next_try_at, fence, error FROM moved ON CONFLICT DO NOTHING;
     RETURN NULL;
   END $$`,
  'REVOKE EXECUTE ON FUNCTION outbox_hand_back FROM PUBLIC',
  'CREATE TRIGGER outbox_hand_back BEFORE UPDATE ON lead FOR EACH STATEMENT EXECUTE FUNCTION outbox_hand_back()',
  // The previous release must not add feedback while the outbox has feedback: the source would receive it twice.
  `CREATE FUNCTION outbox_has_feedback() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
   BEGIN
     IF pg_trigger_depth() = 1
       AND EXISTS (SELECT FROM public.outbox WHERE kind = 'feedback' AND state = 'pending' AND gateway_id = NEW.gateway_id)
     THEN RETURN NULL; END IF;
     RETURN NEW;
   END $$`,
  'REVOKE EXECUTE ON FUNCTION outbox_has_feedback FROM PUBLIC',
  `CREATE TRIGGER outbox_has_feedback BEFORE INSERT ON source_feedback_due FOR EACH ROW EXECUTE FUNCTION outbox_has_feedback()`,
  // Adds a check of the outbox to this function.
  `CREATE OR REPLACE FUNCTION secrets_key_state(OUT name text, OUT carried text[], OUT is_used boolean)
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
     FROM public.installation i
   $$`,
];

const DOWN = [
  'DROP TRIGGER outbox_has_feedback ON source_feedback_due',
  'DROP FUNCTION outbox_has_feedback',
  'DROP TRIGGER outbox_hand_back ON lead',
  'DROP FUNCTION outbox_hand_back',
  'DROP FUNCTION outbox_take_over',
  'ALTER TABLE installation DROP COLUMN outbox_served_until',
  'DROP FUNCTION add_lead',
  'DROP TABLE outbox',
];
