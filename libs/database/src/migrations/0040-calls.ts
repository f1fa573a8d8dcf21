import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks from CRMs: docs/decisions/0052. Only adds to the schema. */
export class Calls1763827200000 implements MigrationInterface {
  name = 'Calls1763827200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // How the connector's CRM sends webhooks; null when it sends none.
  'ALTER TABLE connector ADD COLUMN calls jsonb',
  // The path contains 256 random bits, so a plain hash without a key does not reveal it.
  `CREATE TABLE call_address (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     hash bytea NOT NULL UNIQUE,
     prefix text NOT NULL,
     secret bytea,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz
   )`,
  'CREATE INDEX call_address_gateway ON call_address (gateway_id)',
  // '' means all listings. 'calls' only grows, so that a run removes only rows without a newer webhook.
  `CREATE TABLE call_note (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     listing text NOT NULL,
     first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     calls integer NOT NULL DEFAULT 1,
     PRIMARY KEY (gateway_id, listing)
   )`,
  // The listings of a source that offers no list, as far as webhooks named them, and when each was last requested.
  `CREATE TABLE called_listing (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     listing text NOT NULL,
     confirmed_at timestamptz NOT NULL,
     PRIMARY KEY (gateway_id, listing)
   )`,
  'CREATE INDEX called_listing_confirmed ON called_listing (gateway_id, confirmed_at)',
];

const DOWN = [
  'DROP TABLE called_listing',
  'DROP TABLE call_note',
  'DROP TABLE call_address',
  'ALTER TABLE connector DROP COLUMN calls',
];
