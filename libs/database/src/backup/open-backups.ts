import { clientFor } from '../several-hosts';
import { connectionSettings, type DatabaseOptions } from '../connection-settings';
import type { BackupManifest } from './manifest';
import { restoreBackup } from './restore-backup';
import { exportGateway, type NamedGateway } from './gateway-export';
import { type ImportedGateway, importGateway, type ImportTerms } from './gateway-import';
import { takeBackup } from './take-backup';

/** Takes and restores backups of one database. */
export interface OpenBackups {
  /** @see takeBackup */
  take(directory: string): Promise<BackupManifest>;
  /** @see restoreBackup */
  restore(directory: string): Promise<BackupManifest>;
  /** @see exportGateway */
  exportGateway(directory: string, gateway: NamedGateway): Promise<BackupManifest>;
  /** @see importGateway */
  importGateway(directory: string, gateway: NamedGateway, terms: ImportTerms): Promise<ImportedGateway>;
  close(): Promise<void>;
}

/** Statements have no limit of time: a large table takes as long as it takes. @throws what the driver says. */
export async function openBackups(options: Omit<DatabaseOptions, 'statementTimeoutMs'>): Promise<OpenBackups> {
  const client = new (clientFor(options.url))({
    ...connectionSettings({ ...options, statementTimeoutMs: 0 }),
    connectionString: options.url,
    application_name: options.applicationName,
  });
  // What breaks shows in the statement under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return {
    take: (directory) => takeBackup(client, directory),
    restore: (directory) => restoreBackup(client, directory),
    exportGateway: (directory, gateway) => exportGateway(client, directory, gateway),
    importGateway: (directory, gateway, terms) => importGateway(client, directory, gateway, terms),
    close: () => client.end(),
  };
}
