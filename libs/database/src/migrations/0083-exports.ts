import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Placements at portals, the state of each advert there, and documents that portals fetch: docs/decisions/0083. */
export class Exports1763982000000 implements MigrationInterface {
  name = 'Exports1763982000000';

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
         OR EXISTS (SELECT FROM public.notification_channel)
         ${more}
     FROM public.installation i
   $$`;
}

const UP = [
  `CREATE TABLE placement (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     target text NOT NULL CHECK (target ~ '^[a-z0-9-]{1,40}$'),
     credentials bytea,
     contact json NOT NULL DEFAULT '{}',
     rule json NOT NULL DEFAULT '{}',
     embargo_hours integer NOT NULL DEFAULT 0 CHECK (embargo_hours >= 0),
     id_scheme text NOT NULL DEFAULT 'own' CHECK (id_scheme IN ('own', 'reference', 'table')),
     -- Ids of adverts by affId, for a take-over.
     advert_ids json NOT NULL DEFAULT '{}',
     language text NOT NULL DEFAULT 'fr' CHECK (language ~ '^[a-z]{2}$'),
     settings json NOT NULL DEFAULT '{}',
     is_on boolean NOT NULL DEFAULT true,
     is_dry_run boolean NOT NULL DEFAULT false,
     keeps_after_contract boolean NOT NULL DEFAULT false,
     -- Every advert is taken offline, and then the row is deleted.
     is_ending boolean NOT NULL DEFAULT false,
     -- The time of the next export without a new snapshot: the end of an embargo, or a question about adverts.
     due_at timestamptz,
     waits_for_confirmation boolean NOT NULL DEFAULT false,
     failures integer NOT NULL DEFAULT 0,
     failing_since timestamptz,
     failure text,
     held json,
     held_at timestamptz,
     -- The last export.
     snapshot_id bigint,
     exported_at timestamptz,
     result text,
     counts json,
     config_hash text,
     document_hash text,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX placement_of_gateway ON placement (gateway_id)',
  'CREATE INDEX placement_due ON placement (due_at) WHERE due_at IS NOT NULL',
  `CREATE TABLE publication (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     placement_id bigint NOT NULL REFERENCES placement ON DELETE CASCADE,
     aff_id text NOT NULL,
     advert_id text NOT NULL,
     state text NOT NULL CHECK (state IN ('waiting', 'sent', 'accepted', 'online', 'delivered', 'refused', 'removing', 'removed')),
     -- What the portal was sent last, and the listing version from which it was made.
     hash text,
     version_id bigint,
     portal_id text,
     -- What is being sent. It stays after a crash, so that the next export asks the portal what became of it.
     intent text CHECK (intent IN ('create', 'replace', 'remove')),
     intent_hash text,
     reason_code text,
     reason text,
     url text,
     -- An operator took it offline.
     is_withdrawn boolean NOT NULL DEFAULT false,
     -- Its removal waits for an operator, or was approved.
     removal text CHECK (removal IN ('held', 'approved')),
     tries integer NOT NULL DEFAULT 0,
     sent_at timestamptz,
     asked_at timestamptz,
     since timestamptz NOT NULL DEFAULT now(),
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (gateway_id, placement_id, aff_id)
   )`,
  'CREATE UNIQUE INDEX publication_advert ON publication (placement_id, advert_id)',
  'CREATE INDEX publication_of_listing ON publication (gateway_id, aff_id)',
  `CREATE INDEX publication_removed ON publication (since) WHERE state = 'removed'`,
  `CREATE TABLE placement_document (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     placement_id bigint NOT NULL REFERENCES placement ON DELETE CASCADE,
     hash text NOT NULL,
     part integer NOT NULL,
     -- A piece of the document, which is compressed by gzip as a whole.
     body bytea NOT NULL,
     content_type text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (placement_id, hash, part)
   )`,
  'CREATE INDEX placement_document_of_gateway ON placement_document (gateway_id)',
  'ALTER TABLE outbox ADD COLUMN placement_id bigint REFERENCES placement ON DELETE CASCADE',
  `ALTER TABLE outbox ADD CONSTRAINT outbox_placement CHECK (kind <> 'export' OR placement_id IS NOT NULL)`,
  'CREATE INDEX outbox_of_placement ON outbox (placement_id) WHERE placement_id IS NOT NULL',
  secretsKeyState('OR EXISTS (SELECT FROM public.placement WHERE credentials IS NOT NULL)'),
];

const DOWN = [
  secretsKeyState(''),
  `DELETE FROM outbox WHERE kind = 'export'`,
  'ALTER TABLE outbox DROP COLUMN placement_id',
  'DROP TABLE placement_document',
  'DROP TABLE publication',
  'DROP TABLE placement',
];
