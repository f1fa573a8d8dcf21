import type { RolePasswords } from '@passerelle/database';
import { Settings } from '@passerelle/settings';

/** The settings of the migrations. @throws ConfigError */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  databaseUrl: string;
  passwords: RolePasswords;
  /** Null if not set. */
  parts: number | null;
} {
  const settings = new Settings(environment);
  const ingest = settings.get('DATABASE_INGEST_PASSWORD');
  const serve = settings.get('DATABASE_SERVE_PASSWORD');
  const operate = settings.get('DATABASE_OPERATE_PASSWORD');
  return {
    databaseUrl:
      settings.get('DATABASE_DIRECT_URL') ?? settings.require('DATABASE_URL', 'it says which database to migrate'),
    parts: settings.get('DATABASE_PARTITIONS'),
    passwords: {
      ...(ingest !== null && { ingest }),
      ...(serve !== null && { serve }),
      ...(operate !== null && { operate }),
    },
  };
}
