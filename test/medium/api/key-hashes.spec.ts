import { generateApiKey, generateExportToken, KeyHashes, SecretBox } from '@passerelle/domain';
import pg from 'pg';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import type { KeyRenewal } from '../../../apps/ingestor/src/schedule/key-renewal';
import { API_DOCUMENTS } from '../../support/api-documents';
import { keyRenewal } from '../../support/renewed-keys';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

// Real: the API, PostgreSQL, the ingestor's renewal of hashes. The test acts as the command line.
const [SECRETS_KEY, SECRETS_KEY_OLD] = ['k'.repeat(32), 'o'.repeat(32)];

describe('hashes of API keys', () => {
  let api: ApiUnderTest;
  let pepper: Buffer;
  let renewal: KeyRenewal;
  beforeAll(async () => {
    api = await startApi({ secretsKey: SECRETS_KEY, secretsKeyOld: SECRETS_KEY_OLD });
    pepper = await api.database.installation.keyPepper();
    renewal = await keyRenewal(api.database, SECRETS_KEY, SECRETS_KEY_OLD);
  });
  afterAll(() => api.close());

  const made = (secretsKey: string | null) => new KeyHashes({ secretsKey, secretsKeyOld: null, pepper });
  const status = async ({ query, headers }: SeededGateway): Promise<number> =>
    (await api.get(`/v1/status?${query}`, headers)).status;
  const left = async (): Promise<number> =>
    (await api.testDatabase.query<{ count: number }>('SELECT count(*)::int AS count FROM presented_key'))[0]!.count;
  /** Acts as the ingestor until it has renewed the gateway's hash. */
  const renewed = async (gateway: SeededGateway): Promise<void> =>
    until(async () => {
      await renewal.goOn();
      return (await stored(gateway)).keyId === made(SECRETS_KEY).make('').keyId;
    });
  const hashWithOldKey = async ({ id, key }: SeededGateway): Promise<void> => {
    await api.database.gateways.rotateKey(id, { ...made(SECRETS_KEY_OLD).make(key), prefix: 'psr_' }, 0);
    await api.testDatabase.query('DELETE FROM api_key WHERE gateway_id = $1 AND key_id IS NULL', [id]);
  };
  const stored = async ({ id }: SeededGateway) =>
    (
      await api.testDatabase.query<{ hash: Buffer; keyed: Buffer | null; keyId: string | null }>(
        'SELECT hash, keyed_hash AS keyed, key_id AS "keyId" FROM api_key WHERE gateway_id = $1',
        [id],
      )
    )[0]!;

  it("are renewed after the key's next use when they were made without SECRETS_KEY; the hash for the previous release stays", async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    const before = await stored(gateway);
    expect(before).toMatchObject({ keyed: null, keyId: null });
    expect(await status(gateway)).toBe(200);
    await renewed(gateway);
    const { hash: keyed, keyId } = made(SECRETS_KEY).make(gateway.key);
    expect(await stored(gateway)).toEqual({ hash: before.hash, keyed, keyId });
    expect(await status(gateway)).toBe(200);
    expect(await left()).toBe(0);
  });

  it("are valid when they were made with the previous SECRETS_KEY, and are renewed after the key's next use", async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    await hashWithOldKey(gateway);
    await until(async () => (await status(gateway)) === 200);
    await renewed(gateway);
    expect(await status(gateway)).toBe(200);
  });

  it("are renewed for export tokens after the token's next use", async () => {
    const { id } = await addGateway(api.database, { listings: someListings(1) });
    const token = generateExportToken();
    await api.database.exportTokens.add(id, { ...made(SECRETS_KEY_OLD).make(token), prefix: 'psx_' });
    const ask = async () => (await api.get(`/v1/export/kyero.xml?token=${token}`)).status;
    expect(await ask()).toBe(200);
    await until(async () => (await left()) > 0);
    await renewal.goOn();
    const [row] = await api.testDatabase.query(
      'SELECT hash, key_id AS "keyId" FROM export_token WHERE gateway_id = $1',
      [id],
    );
    expect(row).toEqual(made(SECRETS_KEY).make(token));
    expect([await ask(), await left()]).toEqual([200, 0]);
  });

  describe('when the API is compromised', () => {
    let serve: pg.Client;
    beforeAll(async () => {
      serve = new pg.Client({ connectionString: api.testDatabase.urlOf('serve') });
      await serve.connect();
    });
    afterAll(() => serve.end());

    it("do not change when the API's role calls the functions of the previous release", async () => {
      const gateway = await addGateway(api.database);
      await api.database.exportTokens.add(gateway.id, { ...made(null).make('psx_token'), prefix: 'psx_' });
      const tokens = () =>
        api.testDatabase.query('SELECT id, hash, key_id FROM export_token WHERE gateway_id = $1', [gateway.id]);
      const before = [await stored(gateway), await tokens()];
      for (const [name, table] of [
        ['rehash_api_key', 'api_key'],
        ['rehash_export_token', 'export_token'],
      ])
        await serve.query(`SELECT ${name}(id, hash, $1, 'mine') FROM ${table}`, [Buffer.alloc(32, 7)]);
      expect([await stored(gateway), await tokens()]).toEqual(before);
    });

    it('do not change when the API leaves false keys for their renewal, and are renewed with the right key afterwards', async () => {
      const gateway = await addGateway(api.database, { listings: someListings(1) });
      await hashWithOldKey(gateway);
      const before = await stored(gateway);
      const leave = (id: number, sealed: Buffer) =>
        serve.query('INSERT INTO presented_key (api_key_id, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
          id,
          sealed,
        ]);
      const box = new SecretBox(SECRETS_KEY);
      const id = (await api.testDatabase.query<{ id: number }>('SELECT max(id) AS id FROM api_key'))[0]!.id;
      const garbage = [
        ...[Buffer.alloc(0), Buffer.alloc(40), box.seal(''), box.seal(generateApiKey())],
        ...[new SecretBox(SECRETS_KEY_OLD).seal(`${gateway.key}x`), new SecretBox('f'.repeat(32)).seal(gateway.key)],
      ];
      for (const sealed of garbage) {
        for (let again = 0; again < 3; again += 1) await leave(id, sealed);
        expect(await left()).toBe(1);
        await renewal.goOn();
        expect([await stored(gateway), await left()]).toEqual([before, 0]);
      }
      await expect(leave(2_000_000_000, box.seal('x'))).rejects.toThrow('foreign key');
      await expect(leave(id, Buffer.alloc(20_000))).rejects.toThrow('check constraint');
      await leave(id, Buffer.alloc(40));
      expect(await status(gateway)).toBe(200);
      await renewal.goOn();
      api.clock.skip(10_000);
      expect(await status(gateway)).toBe(200);
      await renewed(gateway);
    });
  });

  it('cannot be computed with the secret of the database, in any column', async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    await api.database.gateways.rotateKey(gateway.id, { ...made(SECRETS_KEY).make(gateway.key), prefix: 'psr_' }, 0);
    const rows = await api.testDatabase.query<{ hash: Buffer; keyed_hash: Buffer }>(
      'SELECT hash, keyed_hash FROM api_key WHERE gateway_id = $1 AND key_id IS NOT NULL',
      [gateway.id],
    );
    const explained = made(null).make(gateway.key).hash;
    expect(rows).toHaveLength(1);
    for (const { hash, keyed_hash } of rows) {
      expect(hash).toHaveLength(32);
      expect([hash.equals(explained), keyed_hash.equals(explained)]).toEqual([false, false]);
    }
  });

  it('prevent an API without SECRETS_KEY from starting when they were made with that key', async () => {
    const { id, key } = await addGateway(api.database);
    await api.database.gateways.rotateKey(id, { ...made(SECRETS_KEY).make(key), prefix: 'psr_' }, 0);
    const config = parseConfig({ DATABASE_URL: api.testDatabase.url });
    await expect(createApp({ config, documents: API_DOCUMENTS })).rejects.toThrow(
      'SECRETS_KEY is missing: keys or secrets in the database were made with it',
    );
  });
});
