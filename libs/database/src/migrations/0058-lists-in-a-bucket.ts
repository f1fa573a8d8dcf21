import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contents of the pages bucket, which later releases no longer use. Only adds to the schema. */
export class ListsInABucket1763892000000 implements MigrationInterface {
  name = 'ListsInABucket1763892000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Has no foreign key to gateway: the row of a removed gateway lists the objects to remove from the bucket.
  `CREATE TABLE bucket_gateway (
     gateway_id integer PRIMARY KEY,
     crm text NOT NULL,
     client text NOT NULL,
     generation bigint NOT NULL DEFAULT 0,
     digest text,
     lists jsonb NOT NULL DEFAULT '[]'
   )`,
  `CREATE TABLE bucket_report (
     id uuid PRIMARY KEY,
     taken_at timestamptz NOT NULL DEFAULT now()
   )`,
];

const DOWN = ['DROP TABLE bucket_report', 'DROP TABLE bucket_gateway'];
