import type { Readable } from 'node:stream';
import { Pool, type PoolConfig } from 'pg';
import { copyOut } from '../../../libs/database/src/copy/copy-out';
import { RowFields } from '../../../libs/database/src/copy/row-fields';
import { readBodies } from '../../../libs/database/src/listing/bodies';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { startTlsFront } from './tls-front';

const ALL = 'SELECT id, body FROM piece';

describe.each<[string, boolean, PoolConfig]>([
  ['a plain connection', false, {}],
  ['TLS', true, { ssl: { rejectUnauthorized: false } }],
])('texts that are read as bytes over %s', (_kind, isBehindTls, settings) => {
  let db: TestDatabase;
  let front: Awaited<ReturnType<typeof startTlsFront>>;
  let pool: Pool;
  beforeAll(async () => {
    db = await createTestDatabase();
    front = await startTlsFront(db.url);
    pool = poolOf(1);
    await db.query('CREATE TABLE piece (id bigint PRIMARY KEY, body text)');
  });
  beforeEach(() => db.query('TRUNCATE piece'));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await pool.end();
    await front.stop();
    await db.drop();
  });

  const poolOf = (max: number): Pool =>
    new Pool({ connectionString: isBehindTls ? front.url : db.url, max, ...settings });
  const store = async (texts: (string | null)[]): Promise<void> => {
    for (const [at, text] of texts.entries()) await db.query('INSERT INTO piece VALUES ($1, $2)', [at + 1, text]);
  };
  const read = async (ids: number[], query = ALL): Promise<string> =>
    (await readBodies(pool, query, ids, { frame: { before: '«', after: '»' } })).toString();

  it.each([
    ['accents and characters of four bytes', ['Maison à Évreux', '🏠', '\u2028"\\']],
    ['an empty text', ['', 'x', '']],
    ['texts that look like protocol messages', ['DDDDD', 'D', 'Z\x01\x01\x01\x04I', 'E']],
    ['texts that arrive in several packets', ['é'.repeat(300_000), 'b', 'ü'.repeat(70_000)]],
    ['a thousand texts', Array.from({ length: 1_000 }, (_, at) => `text ${at}`)],
  ])('equal the stored texts: %s', async (_title, texts) => {
    await store(texts);
    const ids = texts.map((_, at) => at + 1).reverse();
    expect(await read(ids)).toBe(`«${[...texts].reverse().join()}»`);
  });

  it('are empty when no row matches', async () => {
    expect(await read([])).toBe('«»');
  });

  it('include only the requested rows', async () => {
    await store(['a', 'b', 'c', 'd']);
    expect(await read([4, 2], `${ALL} WHERE id IN (4, 2)`)).toBe('«d,b»');
    expect(await read([1], `${ALL} WHERE id IN (1)`)).toBe('«a»');
  });

  it('have exact ids up to the largest safe integer', async () => {
    await db.query('INSERT INTO piece VALUES ($1, $2)', [Number.MAX_SAFE_INTEGER, 'far']);
    expect(await read([Number.MAX_SAFE_INTEGER])).toBe('«far»');
  });

  it('stay separate in concurrent queries', async () => {
    await store(['a'.repeat(9_000), 'b'.repeat(200_000), 'c'.repeat(500_000)]);
    const wide = poolOf(8);
    const form = { frame: { before: '', after: '' } };
    const reads = Array.from({ length: 60 }, (_, at) => (at % 3) + 1);
    const texts = await Promise.all(reads.map((id) => readBodies(wide, ALL, [id], form)));
    await wide.end();
    expect(texts.map((text) => `${text.length} × ${text.toString('utf8', 0, 1)}`)).toEqual(
      reads.map((id) => ['', '9000 × a', '200000 × b', '500000 × c'][id]),
    );
    expect(texts.every((text) => new Set(text).size === 1)).toBe(true);
  });

  it('leave the connection usable for other statements', async () => {
    await store(['a', 'b']);
    for (const [at, body] of ['a', 'b'].entries()) {
      expect(await read([1, 2])).toBe('«a,b»');
      expect((await pool.query('SELECT body FROM piece WHERE id = $1', [at + 1])).rows).toEqual([{ body }]);
    }
  });

  it('leave no prepared statement on their connection', async () => {
    await store(['a']);
    await read([1]);
    expect((await pool.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([]);
  });

  it('are complete when the connection breaks after the last text', async () => {
    await store(['a']);
    const client = await pool.connect();
    const query = jest.spyOn(client, 'query');
    const bytes = await copyOut(client, ALL, new RowFields(2), (rows) => rows.bytes.length);
    const stream = query.mock.results[0]!.value as Readable;
    expect(stream.emit('error', new Error('gone'))).toBe(true);
    client.release(true);
    expect(bytes).toBeGreaterThan(0);
    expect(await read([1])).toBe('«a»');
  });

  it.each([
    ['a text is missing', `${ALL} WHERE id <> 2`, 'the listing version 2 is gone'],
    ['the statement names an unknown table', 'SELECT id, body FROM nothing', 'does not exist'],
    ['the statement fails after the first row', 'SELECT id, (1 / (id - 2))::text FROM piece', 'division by zero'],
    ['the statement returns an extra column', 'SELECT id, body, body FROM piece', 'rows of another form'],
    ['the statement returns only ids', 'SELECT id FROM piece', 'rows of another form'],
    ['the statement returns no column', 'SELECT FROM piece', 'rows of another form'],
    ['the statement returns ids of another type', 'SELECT id::int, body FROM piece', 'rows of another form'],
    ['a text is null', "SELECT id, nullif(body, 'b') FROM piece", 'rows of another form'],
    ['an id is null', 'SELECT nullif(id, 2), body FROM piece', 'rows of another form'],
    ['the connection breaks', 'SELECT id, pg_terminate_backend(pg_backend_pid())::text FROM piece', 'terminat'],
  ])('fail without harm to the pool when %s', async (_title, query, message) => {
    await store(['a', 'b', 'c']);
    await expect(read([1, 2, 3], query)).rejects.toThrow(message);
    expect(await read([2])).toBe('«b»');
  });
});
