import { type OpenBackups, openBackups } from '@passerelle/database/operators';

export { checkBackup } from '@passerelle/database/operators';

/** @throws the driver's error when the database cannot be reached. */
export async function openDatabaseBackups(url: string): Promise<OpenBackups> {
  return openBackups({ url, applicationName: 'passerelle-backup' });
}
