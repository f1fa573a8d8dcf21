import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addGateway, publishListings, someListings } from '../../medium/api/api-under-test';
import { opsTerminal } from '../../medium/ops/ops-terminal';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** `BACKUPS=50` is the number before a release. */
const BACKUPS = Number(process.env['BACKUPS'] ?? 50);
const WRITERS = 3;
/** After this many publications, a new gateway replaces a gateway so that the backups stay small. */
const ROUNDS = 100;

// Real: PostgreSQL, the command line, files. Instead of ingestors, the test publishes all the time.
describe('backups taken while gateways publish', () => {
  let source: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    source = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'passerelle-under-load-'));
  });
  afterAll(async () => {
    await source.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it(`can all be restored (${BACKUPS} backups)`, async () => {
    const terminal = opsTerminal(source.url);
    let isOver = false;
    const goesOn = (): boolean => !isOver;
    let published = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (goesOn()) {
        const { id } = await addGateway(source.database, { listings: someListings(40) });
        for (let round = 0; round < ROUNDS && goesOn(); round += 1) {
          const count = 30 + ((round * 7 + writer) % 20);
          await publishListings(source.database, id, someListings(count, { prix: round + 1 }));
          published += 1;
        }
        await source.database.gateways.remove(id);
      }
    });
    const failed: string[] = [];
    for (let number = 1; number <= BACKUPS; number += 1) {
      const to = join(folder, String(number));
      const backup = await terminal.json('backup', '--to', to);
      const target = await createTestDatabase();
      const restored = await opsTerminal(target.url).json('restore', '--from', to);
      if (backup.exitCode !== 0 || restored.exitCode !== 0) {
        failed.push(`${number}: ${JSON.stringify([backup.value, restored.value]).slice(0, 300)}`);
      }
      await target.drop();
      await rm(to, { recursive: true, force: true });
      process.stderr.write(`${number} backups, ${published} publications meanwhile, ${failed.length} failed\n`);
    }
    isOver = true;
    await Promise.all(writers);
    expect(failed).toEqual([]);
    expect(published).toBeGreaterThan(BACKUPS);
  });
});
