import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pauses, the gateways that they cover, and a function for the console: docs/decisions/0002. */
export class Pauses1763780400000 implements MigrationInterface {
  name = 'Pauses1763780400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

// Omits the user's name and the port, like `new URL(source).hostname`.
const HOST = `lower(substring(g.source_url FROM '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\\[[^\\]]*\\]|[^/?#:]*)'))`;

const UP = [
  `CREATE TABLE pause (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer REFERENCES gateway ON DELETE CASCADE,
     crm text,
     host text,
     until timestamptz,
     reason text,
     paused_by text NOT NULL,
     paused_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pause_of CHECK ((gateway_id IS NULL) <> (crm IS NULL AND host IS NULL))
   )`,
  `CREATE UNIQUE INDEX pause_once ON pause (coalesce(gateway_id, 0), coalesce(crm, ''), coalesce(host, ''))`,
  // Has the owner's rights, because readers may not read source addresses. One row per gateway and open pause.
  `CREATE VIEW gateway_pause WITH (security_barrier) AS
   SELECT a.gateway_id, p.id AS pause_id, p.crm, p.host, p.until, p.reason, p.paused_by, p.paused_at
   FROM (
     SELECT gateway_id, id AS pause_id FROM pause WHERE gateway_id IS NOT NULL
     UNION ALL
     SELECT g.id, c.id FROM pause c JOIN gateway g ON g.crm = c.crm WHERE c.host IS NULL
     UNION ALL
     SELECT g.id, h.id FROM pause h JOIN gateway g ON ${HOST} = h.host AND (h.crm IS NULL OR h.crm = g.crm)
   ) a JOIN pause p ON p.id = a.pause_id
   WHERE p.until IS NULL OR p.until > now()`,
  // Its callers may not change gateways. The schedule starts later: the command or a first reader requests a run.
  `CREATE FUNCTION add_gateway(
     crm text, client text, source_url text, settings jsonb, sealed_source bytea, credentials bytea, every_seconds integer,
     contract_end date, hash bytea, keyed_hash bytea, key_id text, prefix text, scope text, networks text[]
   ) RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     WITH added AS (
       INSERT INTO public.gateway (crm, client, source_url, settings, sealed_source, credentials, every_seconds, contract_end)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id
     ), keyed AS (
       INSERT INTO public.api_key (gateway_id, hash, keyed_hash, key_id, prefix, scope, networks)
       SELECT id, $9, $10, $11, $12, $13, $14 FROM added
     ), planned AS (
       INSERT INTO public.gateway_schedule (gateway_id, next_run_at)
       SELECT id, now() + make_interval(secs => 30 + 30 * random()) FROM added
     )
     SELECT id FROM added
   $$`,
  'REVOKE EXECUTE ON FUNCTION add_gateway FROM PUBLIC',
];

const DOWN = ['DROP FUNCTION add_gateway', 'DROP VIEW gateway_pause', 'DROP TABLE pause'];
