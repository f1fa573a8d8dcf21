import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators pause, and which gateways that concerns: docs/decisions/0043. Adds only. */
export class Pauses1763780400000 implements MigrationInterface {
  name = 'Pauses1763780400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

// Without the user's name and the port, as `new URL(source).hostname` has it.
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
  // With the rights of the owner, for it reads addresses of sources that its readers may not read. A gateway has a row for each
  // pause that has not ended.
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
];

const DOWN = ['DROP VIEW gateway_pause', 'DROP TABLE pause'];
