import { join } from 'node:path';
import { parseConfig } from '../../apps/api/src/config';
import { createApp } from '../../apps/api/src/create-app';
import { readDocuments } from '../../apps/api/src/discovery/documents';

/** Starts the API without the fast path, so that a controller answers every request. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const documents = readDocuments(join(__dirname, '..', '..', 'apps', 'api', 'documents'));
  const app = await createApp({ config, documents, hasFastPath: false });
  await app.listen(config.port, config.host);
  process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
}

void main();
