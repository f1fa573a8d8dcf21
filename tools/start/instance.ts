import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './data-directory';

/** For other tools on this machine: `DATA_DIR/instance.json`, readable only by this user. */
export interface Instance {
  pid: number;
  databaseUrl: string;
  redisUrl?: string;
  secretsKey: string;
  opsToken: string;
  apiUrl: string;
  opsUrl: string;
  /** The private addresses that this instance allows for outbound requests. */
  allowPrivateSources: string;
}

const FILE = 'instance.json';

export async function publishInstance(dataDir: string, instance: Instance): Promise<void> {
  await writePrivately(join(dataDir, FILE), instance);
}

/** Synchronous, because it also runs while the process exits. */
export function withdrawInstance(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true });
}
