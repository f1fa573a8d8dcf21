import { KeyHashes } from '@passerelle/domain';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { API_DOCUMENTS } from '../../support/api-documents';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

// Real: the API, PostgreSQL. The test plays the command line.
const [SECRETS_KEY, SECRETS_KEY_OLD] = ['k'.repeat(32), 'o'.repeat(32)];

describe('hashes of API keys', () => {
  let api: ApiUnderTest;
  let pepper: Buffer;
  beforeAll(async () => {
    api = await startApi({ secretsKey: SECRETS_KEY, secretsKeyOld: SECRETS_KEY_OLD });
    pepper = await api.database.installation.keyPepper();
  });
  afterAll(() => api.close());

  const made = (secretsKey: string | null) => new KeyHashes({ secretsKey, secretsKeyOld: null, pepper });
  const status = async ({ query, headers }: SeededGateway): Promise<number> =>
    (await api.get(`/v1/status?${query}`, headers)).status;
  const stored = async ({ id }: SeededGateway) =>
    (
      await api.testDatabase.query<{ hash: Buffer; keyed: Buffer | null; keyId: string | null }>(
        'SELECT hash, keyed_hash AS keyed, key_id AS "keyId" FROM api_key WHERE gateway_id = $1',
        [id],
      )
    )[0]!;

  it('of a release before are right, and made anew at their first use beside what that release reads', async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    const before = await stored(gateway);
    expect(before).toMatchObject({ keyed: null, keyId: null });
    expect(await status(gateway)).toBe(200);
    await until(async () => (await stored(gateway)).keyed !== null);
    const { hash: keyed, keyId } = made(SECRETS_KEY).make(gateway.key);
    expect(await stored(gateway)).toEqual({ hash: before.hash, keyed, keyId });
    expect(await status(gateway)).toBe(200);
  });

  it('made with the SECRETS_KEY of before are right, and made anew', async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    const old = made(SECRETS_KEY_OLD).make(gateway.key);
    await api.database.gateways.rotateKey(gateway.id, { ...old, prefix: 'psr_' }, 0);
    await api.testDatabase.query('DELETE FROM api_key WHERE gateway_id = $1 AND key_id IS NULL', [gateway.id]);
    await until(async () => (await status(gateway)) === 200);
    await until(async () => (await stored(gateway)).keyId === made(SECRETS_KEY).make('').keyId);
    expect(await status(gateway)).toBe(200);
  });

  it('are in no column that the secret of the database explains', async () => {
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

  it('are not replaced when somebody else has done so', async () => {
    const gateway = await addGateway(api.database, { listings: someListings(1) });
    const before = await stored(gateway);
    const rehash = (known: Buffer, next: Buffer, keyId: string): Promise<object[]> =>
      api.testDatabase.query('SELECT rehash_api_key(id, $2, $3, $4) FROM api_key WHERE gateway_id = $1', [
        gateway.id,
        known,
        next,
        keyId,
      ]);
    await rehash(Buffer.alloc(32, 1), Buffer.alloc(32, 2), 'next');
    expect(await stored(gateway)).toEqual(before);
    await rehash(before.hash, Buffer.alloc(32, 2), 'next');
    await rehash(Buffer.alloc(32, 2), Buffer.alloc(32, 3), 'next');
    expect(await stored(gateway)).toEqual({ ...before, keyed: Buffer.alloc(32, 2), keyId: 'next' });
  });

  it('that need a SECRETS_KEY keep an API without one from starting', async () => {
    const { id, key } = await addGateway(api.database);
    await api.database.gateways.rotateKey(id, { ...made(SECRETS_KEY).make(key), prefix: 'psr_' }, 0);
    const config = parseConfig({ DATABASE_URL: api.testDatabase.url });
    await expect(createApp({ config, documents: API_DOCUMENTS })).rejects.toThrow(
      'SECRETS_KEY is missing: API keys are stored that were hashed with it',
    );
  });
});
