import { type OpenBackups, openBackups } from '@passerelle/database/operators';

export { checkBackup } from '@passerelle/database/operators';

/** @throws what the driver says when the database cannot be reached. */
export async function openDatabaseBackups(url: string): Promise<OpenBackups> {
  return openBackups({ url, applicationName: 'passerelle-backup' });
}
