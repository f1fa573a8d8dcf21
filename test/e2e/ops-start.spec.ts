import { execFile } from 'node:child_process';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const MAIN = join(process.cwd(), 'dist', 'apps', 'ops', 'src', 'main.js');
const SEPARATOR = '\n--- loaded ---\n';
// Runs the program as node does, and prints the loaded files when the program ends.
const TELL_TALE = `
  process.argv.splice(1, 0, ${JSON.stringify(MAIN)});
  process.on('exit', () => process.stdout.write(${JSON.stringify(SEPARATOR)} + JSON.stringify(Object.keys(require.cache))));
  require(${JSON.stringify(MAIN)});
`;

// Real: the command line as built, and PostgreSQL. The test counts loaded files, because loading them takes most of the
// start.
describe('start of the command line', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'port', sourceUrl: 'https://crm.example/feed.xml', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'x' },
    );
  });
  afterAll(async () => {
    await db.drop();
  });

  async function filesLoadedBy(...argv: string[]): Promise<string[]> {
    const env = { PATH: process.env['PATH'], DATABASE_URL: db.url };
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', TELL_TALE, '--', ...argv], { env });
    const [printed, loaded] = stdout.split(SEPARATOR);
    expect(printed).not.toBe('');
    return JSON.parse(loaded!) as string[];
  }

  it('loads the driver for "why", but neither the ORM nor the connectors', async () => {
    const files = await filesLoadedBy('why', '--crm', 'kyero', '--client', 'port', '--id', '1');
    expect(heavyParts(files)).toEqual(['pg']);
    expect(files.length).toBeLessThan(200);
  });

  it('loads only the commands for --help', async () => {
    const files = await filesLoadedBy('--help');
    expect(heavyParts(files)).toEqual([]);
    expect(files.length).toBeLessThan(175);
  });

  it('loads the connectors without their engine for "connectors"', async () => {
    expect(heavyParts(await filesLoadedBy('connectors'))).toEqual(['sources']);
  });

  it('loads no connector for "gateway show"', async () => {
    const files = await filesLoadedBy('gateway', 'show', '--crm', 'kyero', '--client', 'port');
    expect(heavyParts(files)).toEqual(['pg', 'typeorm']);
  });
});

/** The slow packages and folders among the given files. */
function heavyParts(files: readonly string[]): string[] {
  const heavy = ['@nestjs/core', 'bullmq', 'pg', 'sharp', 'sources', 'ssh2', 'typeorm', 'zod'];
  return heavy.filter((part) => files.some((file) => file.includes(`${sep}${part.replace('/', sep)}${sep}`)));
}
