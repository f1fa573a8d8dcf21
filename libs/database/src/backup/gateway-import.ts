import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { assertInCatalogue } from './catalogue';
import { assertConsistent } from './consistency';
import { LineCheck, linesThat, valuesOf } from './copied-lines';
import type { NamedGateway } from './gateway-export';
import { GATEWAY_TABLES, type GatewayTable, isNumbered, REFERENCES, REFERENCES_LEFT } from './gateway-tables';
import { type BackupManifest, BackupRefused, type BackupTable, fileOf, readManifest, type Trust } from './manifest';
import { refusedBy, rowsOfPart } from './part-rows';
import { assertSameSchema } from './restore-backup';
import { assertOwner, pepperOf, schemaOf } from './tables';
import { rulesOf } from './text-rules';

/** The parts of a gateway that work only with the secrets of its installation. */
export interface NeededSecrets {
  /** The ids of the secrets that hash valid keys or tokens; null is the installation's own secret. */
  keyIds: (string | null)[];
  sealed: Buffer[];
}

export interface ImportTerms extends Trust {
  /** True: replaces a gateway of the same name in the same transaction. False: refuses such a gateway. */
  replaces: boolean;
  /** @throws BackupRefused when a part of the gateway would not work here. */
  assertUsable: (needed: NeededSecrets) => void;
}

export interface ImportedGateway {
  takenAt: string;
  /** Counts by table. */
  rows: Record<string, number>;
}

/** Imports all of a gateway under new numbers, or nothing. The caller closes the connection. @throws BackupRefused */
export async function importGateway(
  client: pg.Client,
  directory: string,
  gateway: NamedGateway,
  { replaces, assertUsable, ...trust }: ImportTerms,
): Promise<ImportedGateway> {
  const { manifest, isForeign } = await readManifest(directory, trust);
  assertSameSchema(manifest, await schemaOf(client));
  await assertInCatalogue(client, directory, manifest);
  await assertOwner(client);
  await client.query('BEGIN');
  await stage(client, directory, manifest, gateway);
  await assertConsistent(client, 'in_', (table) => fileOf(directory, table));
  // Searches derive entries from listings again, so delete the entries from another installation.
  if (isForeign) await client.query('DELETE FROM in_listing_search');
  await assertSamePepper(client, manifest);
  await makeRoom(client, gateway, replaces);
  const rows: Record<string, number> = {};
  for (const table of GATEWAY_TABLES) rows[table.table] = await store(client, columnsIn(manifest, table), table);
  assertUsable(await neededSecrets(client));
  // The gateway is due immediately: this database does not know what the source has published since.
  await client.query('UPDATE gateway_schedule SET next_run_at = now() WHERE gateway_id = (SELECT id FROM new_gateway)');
  // The installation from which it comes may still send its adverts: an operator switches the placements on.
  await client.query('UPDATE placement SET is_on = false WHERE gateway_id = (SELECT id FROM new_gateway)');
  await client.query('COMMIT');
  return { takenAt: manifest.takenAt, rows };
}

/** Copies the gateway's rows into temporary tables, and assigns new numbers to rows that other rows refer to. */
async function stage(
  client: pg.Client,
  directory: string,
  manifest: BackupManifest,
  gateway: NamedGateway,
): Promise<void> {
  const { id, part } = await findGateway(directory, columnsIn(manifest, { table: 'gateway' }), gateway);
  const ids = new Map<string, Set<string>>([['gateway', new Set([id])]]);
  for (const { table, key, of } of GATEWAY_TABLES) {
    const written = columnsIn(manifest, { table });
    await client.query(`CREATE TEMP TABLE in_${table} (LIKE public.${table}) ON COMMIT DROP`);
    const columns = written.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const rows = client.query(from(`COPY in_${table} (${columns}) FROM STDIN`));
    const found = new Set<string>();
    const names = isNumbered(table) && key !== 'id' ? [key, 'id'] : [key];
    const places = names.map((column) => written.columns.indexOf(column));
    const check = new LineCheck(fileOf(directory, table), written.columns, rulesOf(table));
    const wanted = linesThat((line) => {
      const [owner = '', own = owner] = valuesOf(line, places);
      const isOurs = ids.get(of)?.has(owner) === true;
      if (isOurs) {
        check.check(line);
        found.add(own);
      }
      return isOurs;
    });
    try {
      await pipeline(rowsOfPart(directory, written, written.parts.length === 1 ? 0 : part), wanted, rows);
    } catch (cause) {
      throw refusedBy(cause, fileOf(directory, table));
    }
    if (!isNumbered(table)) continue;
    ids.set(table, found);
    await client.query(
      `CREATE TEMP TABLE new_${table} ON COMMIT DROP AS
       SELECT o.id AS old, nextval(pg_get_serial_sequence('public.${table}', 'id')) AS id
       FROM (SELECT id FROM in_${table} ORDER BY id) o`,
    );
    await client.query(`ALTER TABLE new_${table} ADD PRIMARY KEY (old)`);
    await client.query(`ANALYZE new_${table}`);
  }
  await client.query(
    `UPDATE in_run SET state = 'cancelled', ended_at = now(), reason = 'its gateway was taken from a backup'
     WHERE state IN ('queued', 'running')`,
  );
}

/** The gateway's number and its part in the files. @throws BackupRefused when the files lack the gateway */
async function findGateway(
  directory: string,
  gateways: BackupTable,
  { crm, client }: NamedGateway,
): Promise<{ id: string; part: number }> {
  const columns = ['id', 'crm', 'client'].map((column) => gateways.columns.indexOf(column));
  for (const part of gateways.parts.keys()) {
    let found: string | undefined;
    const look = linesThat((line) => {
      const [id, ...name] = valuesOf(line, columns);
      if (name[0] === crm && name[1] === client) found = id;
      return false;
    });
    const path = fileOf(directory, gateways.name);
    await pipeline(rowsOfPart(directory, gateways, part), look, new PassThrough().resume()).catch((cause: unknown) => {
      throw refusedBy(cause, path);
    });
    if (found !== undefined) return { id: found, part };
  }
  throw new BackupRefused(`${directory} has no gateway ${crm}/${client}`);
}

async function assertSamePepper(client: pg.Client, { pepper }: BackupManifest): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM in_api_key WHERE key_id IS NULL AND (expires_at IS NULL OR expires_at > now())
     UNION ALL SELECT 1 FROM in_export_token WHERE key_id IS NULL LIMIT 1`,
  );
  if (rowCount === 0 || pepper === (await pepperOf(client))) return;
  throw new BackupRefused(
    'it has a key that was hashed with a secret of its installation: set SECRETS_KEY there, and export the gateway again after the key was used',
  );
}

async function makeRoom(client: pg.Client, { crm, client: name }: NamedGateway, replaces: boolean): Promise<void> {
  const { rowCount } = replaces
    ? await client.query('DELETE FROM gateway WHERE crm = $1 AND client = $2', [crm, name])
    : await client.query('SELECT 1 FROM gateway WHERE crm = $1 AND client = $2', [crm, name]);
  if (replaces || rowCount === 0) return;
  throw new BackupRefused(`the gateway ${crm}/${name} exists already: --replace removes it in the same moment`);
}

async function store(client: pg.Client, { columns }: BackupTable, { table }: GatewayTable): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = $1::text::regclass AND attidentity <> ''`,
    [`public.${table}`],
  );
  const isGiven = (column: string): boolean => isNumbered(table) || !rows.some(({ name }) => name === column);
  const stored = columns.filter(isGiven);
  const values = stored.map((column) =>
    column === 'id' && isNumbered(table) ? numberOf(table, 't.id') : valueOf(column),
  );
  const order = columns.includes('id') ? 'ORDER BY t.id' : '';
  const { rowCount } = await client.query(
    `INSERT INTO public.${table} (${stored.map((column) => pg.escapeIdentifier(column)).join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join(', ')} FROM in_${table} t ${order}`,
  );
  return rowCount ?? 0;
}

/** SQL: the value of a column after renumbering. */
function valueOf(column: string): string {
  if (REFERENCES_LEFT.includes(column)) return 'NULL';
  const given = `t.${pg.escapeIdentifier(column)}`;
  const named = REFERENCES[column];
  if (named === undefined) return given;
  if (column !== 'version_ids') return numberOf(named, given);
  return `ARRAY(SELECT ${numberOf(named, 'u.old')} FROM unnest(t.version_ids) WITH ORDINALITY AS u (old, place) ORDER BY place)`;
}

/** SQL: the new number, or a negative one for a deleted row, so that it refers to no row of another gateway. */
function numberOf(table: string, old: string): string {
  return `coalesce((SELECT n.id FROM new_${table} n WHERE n.old = ${old}), -${old})`;
}

async function neededSecrets(client: pg.Client): Promise<NeededSecrets> {
  const { rows: keys } = await client.query<{ keyId: string | null }>(
    `SELECT key_id AS "keyId" FROM in_api_key WHERE expires_at IS NULL OR expires_at > now()
     UNION SELECT key_id FROM in_export_token`,
  );
  const { rows: sealed } = await client.query<{ sealed: Buffer }>(
    `SELECT sealed FROM (
       SELECT sealed_source AS sealed FROM in_gateway UNION ALL SELECT credentials FROM in_gateway
       UNION ALL SELECT secret FROM in_webhook_endpoint UNION ALL SELECT secret FROM in_call_address
       UNION ALL SELECT credentials FROM in_placement
     ) s WHERE sealed IS NOT NULL`,
  );
  return { keyIds: keys.map(({ keyId }) => keyId), sealed: sealed.map((row) => row.sealed) };
}

/** @throws BackupRefused */
function columnsIn({ tables }: BackupManifest, { table }: Pick<GatewayTable, 'table'>): BackupTable {
  const found = tables.find(({ name }) => name === table);
  if (found === undefined) throw new BackupRefused(`it holds no table "${table}"`);
  return found;
}
