import tearDownPostgres from '../../support/embedded-postgres.teardown';
import { running } from './wordpress.setup';

export default async function tearDown(): Promise<void> {
  if (running.server === null) return;
  await running.server.stop();
  running.server = null;
  await tearDownPostgres();
}
