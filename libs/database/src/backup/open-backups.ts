import pg from 'pg';
import { connectionSettings, type DatabaseOptions } from '../connection-settings';
import type { ManifestKeys } from '@passerelle/domain';
import type { BackupManifest, Trust } from './manifest';
import { restoreBackup } from './restore-backup';
import { exportGateway, type NamedGateway } from './gateway-export';
import { type ImportedGateway, importGateway, type ImportTerms } from './gateway-import';
import { takeBackup } from './take-backup';

export interface OpenBackups {
  /** @see takeBackup */
  take(directory: string, keys: ManifestKeys): Promise<BackupManifest>;
  /** @see restoreBackup */
  restore(directory: string, trust: Trust): Promise<BackupManifest>;
  /** @see exportGateway */
  exportGateway(directory: string, gateway: NamedGateway, keys: ManifestKeys): Promise<BackupManifest>;
  /** @see importGateway */
  importGateway(directory: string, gateway: NamedGateway, terms: ImportTerms): Promise<ImportedGateway>;
  close(): Promise<void>;
}

/** Statements have no time limit, because a large table may take long. @throws the driver's errors. */
export async function openBackups(options: Omit<DatabaseOptions, 'statementTimeoutMs'>): Promise<OpenBackups> {
  const client = new pg.Client({
    ...connectionSettings({ ...options, statementTimeoutMs: 0 }),
    connectionString: options.url,
    application_name: options.applicationName,
  });
  // Without a listener, a broken connection would end the process instead of failing the statement.
  client.on('error', () => undefined);
  await client.connect();
  return {
    take: (directory, keys) => takeBackup(client, directory, keys),
    restore: (directory, trust) => restoreBackup(client, directory, trust),
    exportGateway: (directory, gateway, keys) => exportGateway(client, directory, gateway, keys),
    importGateway: (directory, gateway, terms) => importGateway(client, directory, gateway, terms),
    close: () => client.end(),
  };
}
