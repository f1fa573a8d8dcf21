import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayMemories } from '../../../apps/ingestor/src/ingest/source-memory';
import { SourceMemories } from '@passerelle/database';
import { SecretBox } from '@passerelle/domain';
import type { SourceMemory } from '@passerelle/connectors';
import { everythingInDatabase } from '../../support/everything-stored';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const BOX = new SecretBox('a key of the tests, and of nothing else');
const ACCOUNT = ['https://api.example.org', 'agency', 'a password'];
const HASH = '0123456789abcdef0123456789abcdef';

// Real: PostgreSQL, with every migration. Two memory objects represent two ingestors. Fake: the source that issues
// credentials.
describe('memory of sources', () => {
  let db: TestDatabase;
  let gatewayId: number;
  let exchanges: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    exchanges = 0;
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'alto', client: 'demo', sourceUrl: 'https://crm.example/', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from('x'), prefix: 'x' },
    );
  });
  afterEach(() => db.drop());

  const memory = (box = BOX): SourceMemory =>
    new GatewayMemories(db.database.sourceMemories, box).of({ id: gatewayId, crm: 'alto' })!;

  /** Requests a credential as a run does. @param lifetimeMs lifetime of the issued credential */
  const ask = (from: SourceMemory, refused?: string, lifetimeMs = 3_600_000, account = ACCOUNT): Promise<string> =>
    from.exchanged(account, {
      refused,
      signal: new AbortController().signal,
      async exchange() {
        exchanges += 1;
        await sleep(50);
        return { value: `token ${exchanges}`, lifetimeMs };
      },
    });

  it('requests a credential once for concurrent runs of several processes', async () => {
    const wanted = Array.from({ length: 12 }, () => ask(memory()));
    expect(new Set(await Promise.all(wanted))).toEqual(new Set(['token 1']));
    expect(exchanges).toBe(1);
  });

  it('requests one new credential for all runs whose credential was refused', async () => {
    await ask(memory());
    const again = await Promise.all(Array.from({ length: 6 }, () => ask(memory(), 'token 1')));
    expect([new Set(again), exchanges]).toEqual([new Set(['token 2']), 2]);
  });

  it('renews a credential shortly before its end', async () => {
    expect(await ask(memory(), undefined, 660_000)).toBe('token 1');
    expect(await ask(memory(), undefined, 660_000)).toBe('token 1');
    await db.query(`UPDATE source_credential SET renew_at = renew_at - interval '630 seconds'`);
    expect(await ask(memory())).toBe('token 2');
  });

  it('shares a credential only within its account', async () => {
    await ask(memory());
    expect(await ask(memory(), undefined, 3_600_000, ['https://api.example.org', 'agency', 'another password'])).toBe(
      'token 2',
    );
  });

  it('shares a credential only within its connector', async () => {
    await ask(memory());
    const memories = new GatewayMemories(db.database.sourceMemories, BOX);
    expect(await ask(memories.of({ id: gatewayId, crm: 'reapit' })!)).toBe('token 2');
  });

  it('lets the next run request a credential after a failed request', async () => {
    const failing = memory().exchanged(ACCOUNT, {
      refused: undefined,
      signal: new AbortController().signal,
      exchange: () => Promise.reject(new Error('refused')),
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await ask(memory())).toBe('token 1');
  });

  it('lets another process request a credential when the first process ends during its request', async () => {
    const { sourceMemories } = db.database;
    const key = BOX.digest(JSON.stringify(['alto', ...ACCOUNT]));
    expect(await sourceMemories.beginExchange(key, 300)).toBe(true);
    expect(await ask(memory())).toBe('token 1');
  });

  it('requests no credential when another process has stored one between the look-up and the lock', async () => {
    const { sourceMemories } = db.database;
    const begin = sourceMemories.beginExchange.bind(sourceMemories);
    const turn = jest.spyOn(sourceMemories, 'beginExchange').mockImplementationOnce(async (key, forMs) => {
      const isOurs = await begin(key, forMs);
      await sourceMemories.keepCredential(key, BOX.seal('of the other process'), 60_000);
      return isOurs;
    });
    expect([await ask(memory()), exchanges]).toEqual(['of the other process', 0]);
    turn.mockRestore();
  });

  it('stops waiting for another process when the run is cancelled', async () => {
    await db.database.sourceMemories.beginExchange(BOX.digest(JSON.stringify(['alto', ...ACCOUNT])), 60_000);
    const stop = new AbortController();
    const waiting = memory().exchanged(ACCOUNT, {
      ...{ refused: undefined, signal: stop.signal },
      exchange: () => Promise.reject(new Error('not asked')),
    });
    setTimeout(() => {
      stop.abort(new Error('stopped'));
    }, 50);
    await expect(waiting).rejects.toThrow();
  });

  it('stores credentials, records and accounts only in sealed or hashed form', async () => {
    await ask(memory());
    await memory().keepDetail(HASH, Buffer.from('<owner>Alice Exemple</owner>'));
    const all = await everythingInDatabase(db);
    for (const secret of ['token 1', 'a password', 'Alice']) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('finds a record by its hash, byte for byte, until the run has published the listings', async () => {
    const record = Buffer.from([0, 0x3c, 0xe9, 0xff, 0xc3, 0xa9]);
    await memory().keepDetail(HASH, record);
    expect(await memory().findDetail(HASH)).toEqual(record);
    await new GatewayMemories(db.database.sourceMemories, BOX).forget({ id: gatewayId });
    expect(await memory().findDetail(HASH)).toBeUndefined();
  });

  it('ignores a value that was sealed with another key', async () => {
    await memory().keepDetail(HASH, Buffer.from('x'));
    expect(await memory(new SecretBox('another key, which opens nothing of it')).findDetail(HASH)).toBeUndefined();
  });

  it('treats an answer as fresh for a day after the source confirmed it', async () => {
    const question = ['https://labels.example/cities', 'a key of the agency'];
    const answers = memory().answers!;
    expect(await answers.find(question)).toBeUndefined();
    await answers.keep(question, { body: Buffer.from('{"1":"Gent – é"}'), etag: '"1"' });
    const kept = { body: Buffer.from('{"1":"Gent – é"}'), etag: '"1"', isFresh: true };
    expect(await answers.find(question)).toEqual(kept);
    expect(await answers.find([...question, 'another'])).toBeUndefined();
    await db.query(`UPDATE source_answer SET checked_at = now() - interval '25 hours'`);
    expect(await answers.find(question)).toEqual({ ...kept, isFresh: false });
    await answers.confirm(question);
    expect(await answers.find(question)).toEqual(kept);
    const all = await everythingInDatabase(db);
    for (const secret of ['Gent', 'a key of the agency', 'labels.example']) expect(all).not.toContain(secret);
  });

  it('removes unused records and answers after their time, and expired credentials', async () => {
    await ask(memory());
    await memory().answers!.keep(['x'], { body: Buffer.from('{}'), etag: undefined });
    await memory().keepDetail(HASH, Buffer.from('x'));
    const memories: SourceMemories = db.database.sourceMemories;
    expect(await memories.removeOld(7)).toBe(0);
    await db.query(`UPDATE source_detail SET kept_at = now() - interval '8 days'`);
    await db.query(`UPDATE source_credential SET renew_at = now() - interval '2 days'`);
    await db.query(`UPDATE source_answer SET checked_at = now() - interval '8 days'`);
    expect(await memories.removeOld(7)).toBe(3);
  });
});
