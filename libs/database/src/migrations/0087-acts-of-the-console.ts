import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions with which the console's role changes keys, tokens, gateways and operators, and reads no secret. */
export class ActsOfTheConsole1763997200000 implements MigrationInterface {
  name = 'ActsOfTheConsole1763997200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of NAMES) await runner.query(`DROP FUNCTION ${name}`);
  }
}

const NAMES = [
  ...['rotate_api_key', 'revoke_api_key', 'add_export_token', 'revoke_export_token', 'remove_gateway'],
  'remove_operator',
];

const RIGHTS = 'VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp';

const UP = [
  // Keys of this scope end within the overlap; keys of both scopes too, when newer keys cover both scopes.
  `CREATE FUNCTION rotate_api_key(
     of_gateway integer, new_hash bytea, new_keyed_hash bytea, new_key_id text, new_prefix text, new_scope text,
     new_networks text[], overlap_seconds float8
   ) RETURNS void LANGUAGE sql ${RIGHTS} AS $$
     UPDATE public.api_key k
     SET expires_at = least(coalesce(k.expires_at, 'infinity'), now() + make_interval(secs => overlap_seconds))
     WHERE k.gateway_id = of_gateway AND (new_scope = 'both' OR k.scope = new_scope OR (k.scope = 'both' AND EXISTS (
       SELECT FROM public.api_key o WHERE o.gateway_id = of_gateway
         AND o.scope = CASE new_scope WHEN 'read' THEN 'report' ELSE 'read' END
         AND (o.expires_at IS NULL OR o.expires_at > now()))));
     INSERT INTO public.api_key (gateway_id, hash, keyed_hash, key_id, prefix, scope, networks)
     VALUES (of_gateway, new_hash, new_keyed_hash, new_key_id, new_prefix, new_scope, new_networks)
   $$`,
  `CREATE FUNCTION revoke_api_key(of_gateway integer, of_key bigint) RETURNS boolean LANGUAGE sql ${RIGHTS} AS $$
     WITH revoked AS (
       UPDATE public.api_key SET expires_at = now()
       WHERE gateway_id = of_gateway AND id = of_key AND (expires_at IS NULL OR expires_at > now()) RETURNING id
     )
     SELECT EXISTS (SELECT FROM revoked)
   $$`,
  `CREATE FUNCTION add_export_token(of_gateway integer, new_hash bytea, new_key_id text, new_prefix text) RETURNS void
   LANGUAGE sql ${RIGHTS} AS $$
     INSERT INTO public.export_token (gateway_id, hash, key_id, prefix)
     VALUES (of_gateway, new_hash, new_key_id, new_prefix)
   $$`,
  `CREATE FUNCTION revoke_export_token(of_gateway integer, of_token bigint) RETURNS boolean LANGUAGE sql ${RIGHTS} AS $$
     WITH revoked AS (
       DELETE FROM public.export_token WHERE gateway_id = of_gateway AND id = of_token RETURNING id
     )
     SELECT EXISTS (SELECT FROM revoked)
   $$`,
  // A lead that arrives now is either stored before this lock, or finds no gateway and stays with its site.
  `CREATE FUNCTION remove_gateway(of_gateway integer, with_leads boolean) RETURNS integer LANGUAGE plpgsql ${RIGHTS} AS $$
   DECLARE waiting integer;
   BEGIN
     PERFORM FROM public.gateway WHERE id = of_gateway FOR UPDATE;
     SELECT (SELECT count(*) FROM public.outbox WHERE gateway_id = of_gateway AND kind = 'lead' AND state = 'pending')
          + (SELECT count(*) FROM public.lead WHERE gateway_id = of_gateway AND delivered_at IS NULL) INTO waiting;
     IF waiting > 0 AND NOT with_leads THEN RETURN waiting; END IF;
     DELETE FROM public.gateway WHERE id = of_gateway;
     RETURN 0;
   END $$`,
  `CREATE FUNCTION remove_operator(of_name text) RETURNS boolean LANGUAGE sql ${RIGHTS} AS $$
     WITH removed AS (DELETE FROM public.operator WHERE name = of_name RETURNING name)
     SELECT EXISTS (SELECT FROM removed)
   $$`,
  ...NAMES.map((name) => `REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`),
];
