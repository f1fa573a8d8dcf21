import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Console operators, and the audit of changes by operators: docs/decisions/0039. */
export class Operators1763762400000 implements MigrationInterface {
  name = 'Operators1763762400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE operator (
     name text PRIMARY KEY,
     role text NOT NULL CONSTRAINT operator_role CHECK (role IN ('viewer', 'operator', 'admin')),
     password_hash text NOT NULL,
     session_epoch integer NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     signed_in_at timestamptz,
     disabled_at timestamptz
   )`,
  // Refers to gateway, run and operator by name, without foreign keys, because an audit record outlives them.
  `CREATE TABLE audit (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     who text NOT NULL,
     through text NOT NULL CONSTRAINT audit_through CHECK (through IN ('console', 'ops', 'http')),
     act text NOT NULL,
     crm text,
     client text,
     run_id bigint,
     before jsonb,
     after jsonb,
     reason text
   )`,
  'CREATE INDEX audit_gateway ON audit (crm, client, id)',
  'CREATE INDEX audit_at ON audit USING brin (at)',
  // A source that is not sealed yet contains its secrets, so nothing of it is shown.
  `CREATE FUNCTION shown_sources() RETURNS TABLE (gateway_id integer, source_url text, settings jsonb, has_credentials boolean)
   LANGUAGE sql STABLE SECURITY DEFINER ROWS 10000 SET search_path = pg_catalog, pg_temp AS $$
     SELECT id, CASE WHEN sealed_source IS NOT NULL THEN source_url END,
            CASE WHEN sealed_source IS NOT NULL THEN settings END, credentials IS NOT NULL
     FROM public.gateway
   $$`,
  'REVOKE EXECUTE ON FUNCTION shown_sources FROM PUBLIC',
];

const DOWN = ['DROP FUNCTION shown_sources', 'DROP TABLE audit', 'DROP TABLE operator'];
