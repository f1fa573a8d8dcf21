import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the console give a webhook a new secret without reading the old one. Only adds to the schema. */
export class RotateWebhook1763870400000 implements MigrationInterface {
  name = 'RotateWebhook1763870400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE FUNCTION rotate_webhook(of_gateway integer, by_id bigint, new_secret bytea, overlap_seconds integer) RETURNS boolean
   LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     WITH rotated AS (
       UPDATE public.webhook_endpoint
       SET old_secret = CASE WHEN overlap_seconds > 0 THEN secret END,
         old_secret_until = CASE WHEN overlap_seconds > 0 THEN now() + make_interval(secs => overlap_seconds) END,
         secret = new_secret
       WHERE gateway_id = of_gateway AND id = by_id RETURNING id
     )
     SELECT EXISTS (SELECT FROM rotated)
   $$`,
  'REVOKE EXECUTE ON FUNCTION rotate_webhook FROM PUBLIC',
];

const DOWN = ['DROP FUNCTION rotate_webhook'];
