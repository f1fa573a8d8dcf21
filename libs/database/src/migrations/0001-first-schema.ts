import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables for gateways, runs, snapshots and reports. docs/database.md explains their shape. */
export class FirstSchema1763683200000 implements MigrationInterface {
  name = 'FirstSchema1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE report, host_budget, run_warning, rejection, run, listing_change, current_listing, listing_raw, listing_normalized,
        listing_version, snapshot_chunk, snapshot, gateway_lease, gateway_schedule, api_key, gateway, connector,
        installation CASCADE`);
    await runner.query('DROP FUNCTION tell_gateway_changed');
  }
}

const STATEMENTS = [
  // One row with the secret that hashes API keys, because the secret differs in every installation.
  `CREATE TABLE installation (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     key_pepper bytea NOT NULL
   )`,
  `INSERT INTO installation (key_pepper)
   VALUES (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))`,

  `CREATE TABLE connector (
     id text PRIMARY KEY,
     label text NOT NULL,
     type text NOT NULL CHECK (type IN ('api', 'zip', 'xml', 'custom')),
     notes text NOT NULL
   )`,

  `CREATE TABLE gateway (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     crm text NOT NULL,
     client text NOT NULL,
     source_url text NOT NULL,
     settings jsonb NOT NULL DEFAULT '{}',
     credentials bytea,
     enabled boolean NOT NULL DEFAULT true,
     contract_end date,
     every_seconds integer CHECK (every_seconds > 0),
     current_snapshot_id bigint,
     confirmed_at timestamptz,
     feed_memory jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (crm, client)
   )`,

  `CREATE TABLE api_key (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     hash bytea NOT NULL,
     prefix text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz
   )`,
  'CREATE INDEX api_key_gateway ON api_key (gateway_id)',

  // Separate from gateway, because every run changes this row, and the API needs no notification of that change.
  `CREATE TABLE gateway_schedule (
     gateway_id integer PRIMARY KEY REFERENCES gateway ON DELETE CASCADE,
     next_run_at timestamptz NOT NULL DEFAULT now(),
     missed_runs integer NOT NULL DEFAULT 0,
     failures integer NOT NULL DEFAULT 0,
     failing_since timestamptz
   )`,
  'CREATE INDEX gateway_schedule_due ON gateway_schedule (next_run_at)',

  // The worker that may publish for a gateway. `fence` only grows, so a worker that lost its lease has a smaller fence.
  `CREATE TABLE gateway_lease (
     gateway_id integer PRIMARY KEY REFERENCES gateway ON DELETE CASCADE,
     fence bigint NOT NULL,
     holder text NOT NULL,
     expires_at timestamptz NOT NULL
   )`,

  // The time from which the next request to a source may be sent, and the number of requests so far today.
  `CREATE TABLE host_budget (
     key text PRIMARY KEY,
     next_at timestamptz NOT NULL,
     day date NOT NULL,
     used integer NOT NULL
   )`,

  `CREATE TABLE run (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     trigger text NOT NULL,
     state text NOT NULL DEFAULT 'queued',
     dry_run boolean NOT NULL DEFAULT false,
     forced boolean NOT NULL DEFAULT false,
     requested_at timestamptz NOT NULL DEFAULT now(),
     not_before timestamptz NOT NULL DEFAULT now(),
     started_at timestamptz,
     ended_at timestamptz,
     attempts integer NOT NULL DEFAULT 0,
     fence bigint,
     cancel_requested boolean NOT NULL DEFAULT false,
     fetched_bytes bigint NOT NULL DEFAULT 0,
     records integer NOT NULL DEFAULT 0,
     added integer NOT NULL DEFAULT 0,
     changed integer NOT NULL DEFAULT 0,
     unchanged integer NOT NULL DEFAULT 0,
     removed integer NOT NULL DEFAULT 0,
     rejected integer NOT NULL DEFAULT 0,
     warnings integer NOT NULL DEFAULT 0,
     snapshot_id bigint,
     base_snapshot_id bigint,
     feed_memory jsonb NOT NULL DEFAULT '{}',
     reason_code text,
     reason text,
     verdict jsonb,
     decided_by text,
     decided_at timestamptz,
     decision_reason text
   )`,
  'CREATE INDEX run_of_gateway ON run (gateway_id, id DESC)',
  `CREATE UNIQUE INDEX run_queued_once ON run (gateway_id, dry_run) WHERE state = 'queued'`,
  `CREATE INDEX run_waiting ON run (not_before) WHERE state IN ('queued', 'running')`,

  `CREATE TABLE rejection (
     run_id bigint NOT NULL REFERENCES run ON DELETE CASCADE,
     position integer NOT NULL,
     record_id text,
     field text,
     code text NOT NULL,
     message text NOT NULL,
     excerpt text
   )`,
  'CREATE INDEX rejection_of_run ON rejection (run_id, position)',

  `CREATE TABLE run_warning (
     run_id bigint NOT NULL REFERENCES run ON DELETE CASCADE,
     code text NOT NULL,
     field text NOT NULL,
     value text NOT NULL,
     count integer NOT NULL,
     examples text[] NOT NULL
   )`,
  'CREATE INDEX run_warning_of_run ON run_warning (run_id)',

  `CREATE TABLE snapshot (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     run_id bigint NOT NULL,
     total integer NOT NULL DEFAULT 0,
     fill jsonb NOT NULL DEFAULT '{}',
     built_at timestamptz NOT NULL DEFAULT now(),
     published_at timestamptz
   )`,
  'CREATE INDEX snapshot_of_gateway ON snapshot (gateway_id, id DESC)',

  // The order of a snapshot, with 200 listing versions per row, so that any page reads only one or two rows.
  `CREATE TABLE snapshot_chunk (
     snapshot_id bigint NOT NULL REFERENCES snapshot ON DELETE CASCADE,
     chunk integer NOT NULL,
     version_ids bigint[] NOT NULL,
     PRIMARY KEY (snapshot_id, chunk)
   )`,

  `CREATE TABLE listing_version (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     snapshot_id bigint NOT NULL,
     aff_id text NOT NULL,
     aff_num text,
     scope text NOT NULL,
     -- Of the record's bytes; empty when the listing must be mapped anew whatever its bytes.
     record_hash text NOT NULL,
     content_hash text NOT NULL,
     -- Decides between two records with one identifier, where the format has such a thing.
     revision text,
     fill integer NOT NULL
   )`,
  'CREATE INDEX listing_version_aff_num ON listing_version (gateway_id, aff_num)',
  'CREATE INDEX listing_version_snapshot ON listing_version (snapshot_id)',

  // A page reads only the text that it sends, and no TOAST table: a row of up to 8 KB stays whole in its heap page.
  ...['listing_normalized', 'listing_raw'].flatMap((table) => [
    `CREATE TABLE ${table} (
       version_id bigint PRIMARY KEY REFERENCES listing_version ON DELETE CASCADE,
       body text NOT NULL
     ) WITH (toast_tuple_target = 8160)`,
    `ALTER TABLE ${table} ALTER COLUMN body SET STORAGE MAIN`,
  ]),

  // The members of the current snapshot by identifier. The publishing transaction updates them change by change.
  `CREATE TABLE current_listing (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     aff_id text NOT NULL,
     version_id bigint NOT NULL,
     PRIMARY KEY (gateway_id, aff_id)
   )`,

  // These rows outlive their snapshot: they are the history of each listing.
  `CREATE TABLE listing_change (
     snapshot_id bigint NOT NULL,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     run_id bigint NOT NULL,
     at timestamptz NOT NULL DEFAULT now(),
     kind text NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
     aff_id text NOT NULL,
     version_id bigint,
     previous_version_id bigint
   )`,
  'CREATE INDEX listing_change_of_snapshot ON listing_change (snapshot_id)',
  'CREATE INDEX listing_change_of_listing ON listing_change (gateway_id, aff_id, snapshot_id DESC)',

  `CREATE TABLE report (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     status text NOT NULL CHECK (status IN ('success', 'error')),
     count integer,
     message text,
     site_url text,
     received_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  'CREATE INDEX report_of_gateway ON report (gateway_id, id DESC)',
  'CREATE INDEX report_site ON report (gateway_id, id DESC) WHERE site_url IS NOT NULL',

  `CREATE FUNCTION tell_gateway_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE changed record;
   BEGIN
     IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
     IF TG_TABLE_NAME = 'gateway' THEN
       PERFORM pg_notify('passerelle_gateway_changed', changed.id::text);
     ELSE
       PERFORM pg_notify('passerelle_gateway_changed', changed.gateway_id::text);
     END IF;
     RETURN NULL;
   END $$`,
  ...['gateway', 'api_key'].map(
    (table) =>
      `CREATE TRIGGER tell_${table}_changed AFTER INSERT OR UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  ),
];
