import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Enquiries of visitors, kept for some time after delivery: docs/decisions/0077. */
export class Leads1763834400000 implements MigrationInterface {
  name = 'Leads1763834400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lead');
  }
}

const UP = [
  // The sender chooses `token`: a repeated request adds no second lead. Only `sealed` contains the visitor's text.
  `CREATE TABLE lead (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     token uuid NOT NULL,
     received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     aff_id text,
     sealed bytea NOT NULL,
     tries integer NOT NULL DEFAULT 0,
     tried_at timestamptz,
     next_try_at timestamptz NOT NULL DEFAULT '-infinity',
     taken_until timestamptz NOT NULL DEFAULT '-infinity',
     fence bigint NOT NULL DEFAULT 0,
     error text,
     delivered_at timestamptz,
     way text CHECK (way IN ('email', 'api')),
     CONSTRAINT lead_delivered CHECK ((delivered_at IS NULL) = (way IS NULL)),
     UNIQUE (gateway_id, token)
   )`,
  'CREATE INDEX lead_waiting ON lead (next_try_at) WHERE delivered_at IS NULL',
  'CREATE INDEX lead_waiting_of_gateway ON lead (gateway_id) WHERE delivered_at IS NULL',
  'CREATE INDEX lead_delivered_at ON lead (delivered_at) WHERE delivered_at IS NOT NULL',
];
