import { Pool } from 'pg';
import { copyBodies } from '../../../libs/database/src/listing/copied-bodies';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

describe('texts that are read as bytes', () => {
  let db: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    db = await createTestDatabase();
    pool = new Pool({ connectionString: db.url, max: 1 });
    await db.query('CREATE TABLE piece (id bigint PRIMARY KEY, body text NOT NULL)');
  });
  beforeEach(() => db.query('TRUNCATE piece'));
  afterAll(async () => {
    await pool.end();
    await db.drop();
  });

  const store = async (texts: string[]): Promise<void> => {
    for (const [at, text] of texts.entries()) await db.query('INSERT INTO piece VALUES ($1, $2)', [at + 1, text]);
  };
  const read = async (ids: number[], query = 'SELECT id, body FROM piece'): Promise<string> =>
    (await copyBodies(pool, query, ids, { frame: { before: '«', after: '»' } })).toString();

  it.each([
    ['accents and characters of four bytes', ['Maison à Évreux', '🏠', '\u2028"\\']],
    ['an empty text', ['', 'x', '']],
    ['what looks like the beginning of a copy', ['PGCOPY\n', 'PGCOPY']],
    ['texts beyond what arrives at once', ['é'.repeat(300_000), 'b', 'ü'.repeat(70_000)]],
    ['a thousand', Array.from({ length: 1_000 }, (_, at) => `text ${at}`)],
  ])('are what was stored: %s', async (_title, texts) => {
    await store(texts);
    const ids = texts.map((_, at) => at + 1).reverse();
    expect(await read(ids)).toBe(`«${[...texts].reverse().join()}»`);
  });

  it('are none where there is no row', async () => {
    expect(await read([])).toBe('«»');
  });

  it('keep ids as far as numbers are exact', async () => {
    await db.query('INSERT INTO piece VALUES ($1, $2)', [Number.MAX_SAFE_INTEGER, 'far']);
    expect(await read([Number.MAX_SAFE_INTEGER])).toBe('«far»');
  });

  it('are not mixed up where many are read at once', async () => {
    await store(['a'.repeat(9_000), 'b'.repeat(200_000), 'c'.repeat(500_000)]);
    const wide = new Pool({ connectionString: db.url, max: 8 });
    const form = { frame: { before: '', after: '' } };
    const reads = Array.from({ length: 60 }, (_, at) => (at % 3) + 1);
    const texts = await Promise.all(reads.map((id) => copyBodies(wide, 'SELECT id, body FROM piece', [id], form)));
    await wide.end();
    expect(texts.map((text) => `${text.length} × ${text.toString('utf8', 0, 1)}`)).toEqual(
      reads.map((id) => ['', '9000 × a', '200000 × b', '500000 × c'][id]),
    );
    expect(texts.every((text) => new Set(text).size === 1)).toBe(true);
  });

  it.each([
    ['one is not there', 'SELECT id, body FROM piece WHERE id <> 2', 'the listing version 2 is gone'],
    ['the statement is wrong', 'SELECT id, body FROM nothing', 'does not exist'],
    ['it fails on the way', 'SELECT id, (1 / (id - 2))::text FROM piece', 'division by zero'],
    ['it gives something else', 'SELECT id, body, body FROM piece', 'rows of another form'],
    ['the connection ends', 'SELECT id, pg_terminate_backend(pg_backend_pid())::text FROM piece', 'terminating'],
  ])('fail, and the pool goes on, when %s', async (_title, query, message) => {
    await store(['a', 'b', 'c']);
    await expect(read([1, 2, 3], query)).rejects.toThrow(message);
    expect(await read([2])).toBe('«b»');
  });
});
