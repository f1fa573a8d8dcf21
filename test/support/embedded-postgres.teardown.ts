import { rm } from 'node:fs/promises';
import { running } from './embedded-postgres.setup';

export default async function tearDown(): Promise<void> {
  running.users -= 1;
  if (running.users > 0) return;
  await running.server?.stop();
  if (running.directory !== null) await rm(running.directory, { recursive: true, force: true });
  running.server = null;
}
