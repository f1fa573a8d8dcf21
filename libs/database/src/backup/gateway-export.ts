import type { ManifestKeys } from '@passerelle/domain';
import type pg from 'pg';
import { assertReadable } from './check-backup';
import { GATEWAY_TABLES, sourceOf } from './gateway-tables';
import {
  type BackupManifest,
  BackupRefused,
  type BackupTable,
  FORMAT,
  makeEmpty,
  type Table,
  writeManifest,
} from './manifest';
import { assertOwner, pepperOf, schemaOf, tablesOf } from './tables';
import { finish, writeRows } from './take-backup';

export interface NamedGateway {
  crm: string;
  client: string;
}

/** Exports one moment. The caller closes the connection, which also ends a failed transaction. @throws BackupRefused */
export async function exportGateway(
  client: pg.Client,
  directory: string,
  gateway: NamedGateway,
  keys: ManifestKeys,
): Promise<BackupManifest> {
  await assertOwner(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const takenAt = new Date().toISOString();
  const { rows } = await client.query<{ id: number }>('SELECT id FROM gateway WHERE crm = $1 AND client = $2', [
    gateway.crm,
    gateway.client,
  ]);
  const id = rows[0]?.id;
  if (id === undefined) throw new BackupRefused(`there is no gateway ${gateway.crm}/${gateway.client}`);
  await makeEmpty(directory);
  const all = new Map((await tablesOf(client)).map((table): [string, Table] => [table.name, table]));
  const tables: BackupTable[] = [];
  for (const table of GATEWAY_TABLES) {
    tables.push(await writeRows(client, directory, all.get(table.table)!, [sourceOf(table, [id])]));
  }
  const schema = await schemaOf(client);
  const pepper = await pepperOf(client);
  await finish(client);
  const manifest = { format: FORMAT, takenAt, schema, tables, sequences: [], pepper, rowsCounted: true };
  await assertReadable(directory, manifest);
  await writeManifest(directory, manifest, keys);
  return manifest;
}
