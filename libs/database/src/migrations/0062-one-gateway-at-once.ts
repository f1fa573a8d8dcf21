import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the console show one gateway without reading the sources of all. Only adds to the schema. */
export class OneGatewayAtOnce1763906400000 implements MigrationInterface {
  name = 'OneGatewayAtOnce1763906400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SHOWN_SOURCE);
    await runner.query('REVOKE EXECUTE ON FUNCTION shown_source FROM PUBLIC');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION IF EXISTS shown_source');
  }
}

/** The row of shown_sources() for one gateway. */
const SHOWN_SOURCE = `
  CREATE OR REPLACE FUNCTION shown_source(of_gateway integer) RETURNS TABLE (gateway_id integer, source_url text, settings jsonb, has_credentials boolean)
  LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp AS $$
    SELECT id, CASE WHEN sealed_source IS NOT NULL THEN source_url END,
           CASE WHEN sealed_source IS NOT NULL THEN settings END, credentials IS NOT NULL
    FROM public.gateway WHERE id = of_gateway
  $$`;
