import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The console may not read feed_memory, because its digest covers the whole source, including secrets. */
export class ShownFeedMemory1763924400000 implements MigrationInterface {
  name = 'ShownFeedMemory1763924400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Selects member by member, so that members added later are not shown automatically.
  `CREATE FUNCTION shown_feed_memory(of_gateway integer) RETURNS TABLE (
     etag text, last_modified text, has_fingerprint boolean, size_bytes bigint,
     compared_at text, asked_at text, removed_at text, anew_since text, kept_details integer, kept_since timestamptz)
   LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp AS $$
     SELECT feed_memory ->> 'etag', feed_memory ->> 'lastModified', feed_memory ? 'fingerprint',
            (feed_memory ->> 'sizeBytes')::bigint, feed_memory ->> 'comparedAt', feed_memory ->> 'askedAt',
            feed_memory ->> 'removedAt', feed_memory ->> 'anewSince', d.kept, d.since
     FROM public.gateway g CROSS JOIN LATERAL (
       SELECT count(*)::integer AS kept, min(kept_at) AS since FROM public.source_detail WHERE gateway_id = g.id
     ) d
     WHERE g.id = of_gateway
   $$`,
  'REVOKE EXECUTE ON FUNCTION shown_feed_memory FROM PUBLIC',
];

const DOWN = ['DROP FUNCTION shown_feed_memory'];
