import { type NewVersion, openDatabase } from '@passerelle/database';
import { dutyMask, noFigures, RETENTION } from '@passerelle/domain';
import { versionsOf } from '../../support/versions-of';
import { SnapshotsOfGateway } from './snapshots-of-gateway';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('snapshots in PostgreSQL', () => {
  let gateway: SnapshotsOfGateway;
  let db: SnapshotsOfGateway['db'];
  let gatewayId: number;

  beforeAll(async () => {
    gateway = await SnapshotsOfGateway.start();
    ({ db } = gateway);
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    gatewayId = await gateway.nextGateway();
  });

  it('leave nothing behind when the writer abandons them while it stores versions', async () => {
    const writer = db.database.snapshots.writer(gatewayId, (await gateway.startRun()).id);
    const batch = (name: string): NewVersion[] =>
      Array.from({ length: 500 }, (_, n) => gateway.versionOf(`${name}${n}`, name));
    await writer.addVersions(batch('a'));
    const underWay = writer.addVersions(batch('b'));
    const givingUp = writer.abandon();
    await expect(writer.addVersions(batch('c'))).rejects.toThrow('was abandoned');
    await Promise.all([underWay, givingUp]);
    for (const table of ['listing_version', 'snapshot']) {
      expect(await db.query(`SELECT id FROM ${table} WHERE gateway_id = $1`, [gatewayId])).toEqual([]);
    }
  });

  it('have pages in the order of the feed, even across the rows that store the order', async () => {
    const affIds = Array.from({ length: 450 }, (_, n) => `L${n}`);
    const snapshotId = await gateway.publish(affIds);
    const { listings } = db.database;
    expect(String((await listings.page({ gatewayId, id: snapshotId, total: 450 }, 'normalized', 199, 2)) ?? '')).toBe(
      '{"affId":"L199"},{"affId":"L200"}',
    );
    expect(String((await listings.page({ gatewayId, id: snapshotId, total: 450 }, 'raw', 449, 50)) ?? '')).toBe(
      '{"id":"L449"}',
    );
    expect(String((await listings.page({ gatewayId, id: snapshotId, total: 450 }, 'raw', 450, 50)) ?? '')).toBe('');
    const whole = JSON.parse(
      `[${String((await listings.page({ gatewayId, id: snapshotId, total: 450 }, 'normalized', 0, 450)) ?? '')}]`,
    );
    expect(whole).toEqual(affIds.map((affId) => ({ affId })));
  });

  it.each([
    ['an empty list', 0, ''],
    ['one version more than a chunk', 201, ''],
    ['long identifiers', 300, 'é'.repeat(300)],
    ['more chunks than one read returns', 10_201, ''],
  ])('give runs their previous versions in the order of the feed: %s', async (_title, count, prefix) => {
    const run = await gateway.startRun();
    const affIds = Array.from({ length: count }, (_, n) => `${prefix}é${n}`);
    // 7,919 is a prime number, so each index occurs once.
    const order = affIds.map((_, n) => affIds[(n * 7_919) % count]!);
    const { snapshotId } = await gateway.store(run, affIds, { order });
    expect((await versionsOf(db.database, gatewayId, snapshotId)).map(({ affId }) => affId)).toEqual(order);
  });

  it('give runs every field of each version', async () => {
    const run = await gateway.startRun();
    const writer = db.database.snapshots.writer(gatewayId, run.id);
    const versions = [
      { scope: 'Évreux', recordHash: 'r1', contentHash: 'c1', revision: '2024-05-01', fill: 2 ** 31 - 1 },
      { scope: '', recordHash: '', contentHash: 'c2', revision: null, fill: 0 },
    ].map((version, n) => ({ ...gateway.versionOf(`a${n}`, ''), ...version }));
    const ids = await writer.addVersions(versions);
    const snapshotId = await writer.finish(ids, []);
    expect(await versionsOf(db.database, gatewayId, snapshotId)).toEqual(
      versions.map(({ affId, scope, recordHash, contentHash, revision, fill }, n) => ({
        ...{ id: ids[n], affId, scope, recordHash, contentHash, revision: revision ?? '', fill, duties: 0 },
      })),
    );
  });

  it('give runs their versions in the order of the feed, whatever plan PostgreSQL uses', async () => {
    const run = await gateway.startRun();
    const affIds = Array.from({ length: 500 }, (_, n) => `a${n}`);
    const { snapshotId } = await gateway.store(run, affIds);
    // This update moves the first chunk to the end of the table, which the query scans completely.
    await db.query('UPDATE snapshot_chunk SET chunk = chunk WHERE snapshot_id = $1 AND chunk = 0', [snapshotId]);
    const url = new URL(db.url);
    url.searchParams.set('options', '-c enable_indexscan=off -c enable_bitmapscan=off');
    const other = await openDatabase({ url: url.href, applicationName: 'test' });
    expect((await versionsOf(other, gatewayId, snapshotId)).map(({ affId }) => affId)).toEqual(affIds);
    await other.close();
  });

  it('leave the pool usable when a run cannot read them', async () => {
    await expect(versionsOf(db.database, gatewayId, NaN)).rejects.toThrow('NaN is no integer');
    expect(await db.database.gateways.loadForIngest(gatewayId)).not.toBeNull();
  });

  it.each([0, 3, 250])('cannot be read by a run when the version at index %i is missing', async (gone) => {
    const run = await gateway.startRun();
    const { snapshotId, versionIds } = await gateway.store(
      run,
      Array.from({ length: 300 }, (_, n) => `a${n}`),
    );
    await db.query('DELETE FROM listing_version WHERE id = $1', [versionIds[gone]]);
    await expect(versionsOf(db.database, gatewayId, snapshotId)).rejects.toThrow('are gone');
  });

  it("resolve a repeated reference to the first listing in the feed's order, for readers and operators", async () => {
    const run = await gateway.startRun();
    const references = { a: 'twice', b: 'twice' };
    const { snapshotId } = await gateway.store(run, ['a', 'c', 'b'], { references, order: ['b', 'c', 'a'] });
    await db.database.snapshots.publish(gateway.publication(run, snapshotId, null));
    const snapshot = { gatewayId, id: snapshotId, total: 3 };
    expect(await db.database.listings.one(snapshot, 'normalized', 'twice')).toBe('{"affId":"b"}');
    expect(await db.database.traces.trace(gatewayId, 'twice')).toMatchObject({ affId: 'b', listed: { position: 1 } });
  });

  it('find a listing by its affId, else by its affNum', async () => {
    const snapshot = { gatewayId, id: await gateway.publish(['a', 'num a', 'b']), total: 3 };
    const { listings } = db.database;
    expect(await listings.one(snapshot, 'normalized', 'num a')).toBe('{"affId":"num a"}');
    expect(await listings.one(snapshot, 'normalized', 'num b')).toBe('{"affId":"b"}');
    expect(await listings.one(snapshot, 'raw', 'nobody')).toBeNull();
    expect(await listings.one(snapshot, 'raw', 'a\0')).toBeNull();
  });

  it.each(['normalized', 'raw'] as const)('refuse a page when one of its %s texts is missing', async (format) => {
    const snapshotId = await gateway.publish(['a', 'b', 'c']);
    await db.query(
      `DELETE FROM listing_${format} WHERE version_id = (
         SELECT id FROM listing_version WHERE gateway_id = $1 AND aff_id = 'b')`,
      [gatewayId],
    );
    const { listings } = db.database;
    await expect(listings.page({ gatewayId, id: snapshotId, total: 3 }, format, 0, 3)).rejects.toThrow(
      'is gone: its snapshot was pruned',
    );
    expect(String((await listings.page({ gatewayId, id: snapshotId, total: 3 }, format, 2, 1)) ?? '')).toContain('"c"');
  });

  it('are removed a certain time after their replacement, with the versions that no other snapshot has', async () => {
    const first = await gateway.publish(['a', 'b']);
    const second = await gateway.replace(first, 'a');
    const third = await gateway.replace(second, 'b');
    expect(await db.database.snapshots.prune(gatewayId)).toBe(0);
    const later: number[] = [];
    for (let newest = third; later.length < RETENTION.snapshots.count - 2; later.push(newest))
      newest = await gateway.replace(newest, 'a');
    const age = (hours: number) =>
      db.query(`UPDATE snapshot SET published_at = now() - make_interval(hours => $2) WHERE gateway_id = $1`, [
        ...[gatewayId, hours],
      ]);
    await age(RETENTION.snapshots.hours - 1);
    expect(await db.database.snapshots.prune(gatewayId)).toBe(0);
    await age(RETENTION.snapshots.hours + 1);
    expect(await db.database.snapshots.prune(gatewayId)).toBe(1);

    const kept = await db.query<{ id: number }>(
      'SELECT id FROM snapshot WHERE gateway_id = $1 AND pruned_at IS NULL ORDER BY id',
      [gatewayId],
    );
    expect(kept.map(({ id }) => id)).toEqual([second, third, ...later]);
    await expect(db.database.listings.page({ gatewayId, id: first, total: 2 }, 'normalized', 0, 9)).rejects.toThrow(
      'pruned',
    );
    expect(
      String((await db.database.listings.page({ gatewayId, id: second, total: 2 }, 'normalized', 0, 9)) ?? ''),
    ).toBe('{"affId":"a","v":2},{"affId":"b"}');
    expect(
      String((await db.database.listings.page({ gatewayId, id: third, total: 2 }, 'normalized', 0, 9)) ?? ''),
    ).toBe('{"affId":"a","v":2},{"affId":"b","v":2}');
    const versions = await db.query('SELECT id FROM listing_version WHERE gateway_id = $1', [gatewayId]);
    expect(versions).toHaveLength(3 + later.length);
  });

  it('are removed when their run ends without a publication', async () => {
    const run = await gateway.startRun();
    await gateway.store(run, ['a']);
    await db.database.runs.end(run, { state: 'failed', reason: 'broken', reasonCode: 'give-up', figures: noFigures() });
    await db.database.snapshots.prune(gatewayId);
    expect(await db.query('SELECT 1 FROM listing_version WHERE gateway_id = $1', [gatewayId])).toEqual([]);
    expect(await db.query('SELECT 1 FROM snapshot WHERE gateway_id = $1', [gatewayId])).toEqual([]);
  });

  it('keep every text and identifier unchanged', async () => {
    await db.query(`SELECT setval(pg_get_serial_sequence('listing_version', 'id'), 9007199254740000)`);
    const texts = ['', 'é’😀\u001e', '\\.', 'a\tb\nc\\N', '€'.repeat(100_000)];
    const run = await gateway.startRun();
    const writer = db.database.snapshots.writer(gatewayId, run.id);
    const ids = await writer.addVersions(
      texts.map((text, n) => ({
        ...{ affId: text, affNum: n % 2 === 0 ? null : text.slice(0, 20), scope: text, fill: 7 - n },
        ...{ recordHash: text, contentHash: text, revision: n === 1 ? null : text, empreinte: text },
        ...{ photosEmpreinte: null, normalized: Buffer.from(text), raw: Buffer.from(`${text} raw`) },
      })),
    );
    const rows = await db.query(
      `SELECT v.*, n.body AS normalized, r.body AS raw FROM listing_version v
       JOIN listing_normalized n ON n.version_id = v.id JOIN listing_raw r ON r.version_id = v.id
       WHERE v.gateway_id = $1 ORDER BY v.id`,
      [gatewayId],
    );
    expect(ids).toEqual(texts.map((_, n) => 9007199254740001 + n));
    expect(rows).toMatchObject(
      texts.map((text, n) => ({
        ...{ id: ids[n], aff_id: text, aff_num: n % 2 === 0 ? null : text.slice(0, 20), scope: text, fill: 7 - n },
        ...{ record_hash: text, content_hash: text, revision: n === 1 ? null : text, empreinte: text },
        ...{ photos_empreinte: null, normalized: text, raw: `${text} raw` },
      })),
    );
    await db.query(`SELECT setval(pg_get_serial_sequence('listing_version', 'id'), 1000)`);
  });

  it('store the change of a new listing together with its version, and remove both together', async () => {
    const run = await gateway.startRun();
    const writer = db.database.snapshots.writer(gatewayId, run.id);
    const version = (affId: string) => ({
      ...{ affId, affNum: `N${affId}`, scope: '', recordHash: '', contentHash: '', revision: null, fill: 0 },
      ...{
        empreinte: 'e',
        photosEmpreinte: null,
        isAdded: true,
        normalized: Buffer.from('{}'),
        raw: Buffer.from('{}'),
      },
    });
    const [dropped = 0, kept = 0] = await writer.addVersions(['a', 'b'].map(version));
    await writer.dropVersions([dropped]);
    const snapshotId = await writer.finish(
      [kept],
      [
        { kind: 'added', affId: 'b', versionId: kept, previousVersionId: null, reason: null, isStored: true },
        { kind: 'removed', affId: 'z', versionId: null, previousVersionId: null, reason: 'absent' },
      ],
    );
    const changes = await db.query(
      `SELECT gateway_id, run_id, kind, aff_id, version_id, previous_version_id, reason, aff_num, empreinte,
              previous_empreinte, at <= now() AS "isPast"
       FROM listing_change WHERE snapshot_id = $1 ORDER BY aff_id`,
      [snapshotId],
    );
    const none = { version_id: null, previous_version_id: null, reason: null, aff_num: null, empreinte: null };
    const row = { ...none, gateway_id: gatewayId, run_id: run.id, previous_empreinte: null, isPast: true };
    expect(changes).toEqual([
      { ...row, kind: 'added', aff_id: 'b', version_id: kept, aff_num: 'Nb', empreinte: 'e' },
      { ...row, kind: 'removed', aff_id: 'z', reason: 'absent' },
    ]);
  });

  /** The number of rows in each table about a gateway's listings. The ids of the versions select the texts. */
  async function countRows(versionIds: readonly number[]): Promise<Record<string, number>> {
    const [counts] = await db.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM listing_version WHERE gateway_id = $1) AS versions,
              (SELECT count(*)::int FROM listing_normalized WHERE version_id = ANY ($2)) AS normalized,
              (SELECT count(*)::int FROM listing_raw WHERE version_id = ANY ($2)) AS raw,
              (SELECT count(*)::int FROM listing_change WHERE gateway_id = $1) AS changes,
              (SELECT count(*)::int FROM current_listing WHERE gateway_id = $1) AS current`,
      [gateway.gatewayId, versionIds],
    );
    return counts ?? {};
  }

  it('lose the texts of a removed version, and no others', async () => {
    const run = await gateway.startRun();
    const writer = db.database.snapshots.writer(gatewayId, run.id);
    const ids = await writer.addVersions(['a', 'b', 'c'].map((affId) => gateway.versionOf(affId, affId)));
    await writer.dropVersions([ids[0]!, ids[2]!]);
    expect(await countRows(ids)).toMatchObject({ versions: 1, normalized: 1, raw: 1 });
    for (const table of ['listing_normalized', 'listing_raw']) {
      const kept = await db.query(`SELECT version_id FROM ${table} WHERE version_id = ANY ($1)`, [ids]);
      expect(kept).toEqual([{ version_id: ids[1] }]);
    }
  });

  it('are removed with their gateway, while snapshots of other gateways stay', async () => {
    const idsOf = async (id: number): Promise<number[]> =>
      (await db.query<{ id: number }>('SELECT id FROM listing_version WHERE gateway_id = $1', [id])).map(
        ({ id }) => id,
      );
    const leaving = gatewayId;
    await gateway.publish(['a', 'b']);
    const gone = await idsOf(leaving);
    const staying = await gateway.addGateway('stays');
    gateway.gatewayId = staying;
    await gateway.publish(['a', 'b']);
    await db.database.gateways.remove(leaving);
    const all = { versions: 2, normalized: 2, raw: 2, changes: 2, current: 2 };
    expect(await countRows(await idsOf(staying))).toEqual(all);
    gateway.gatewayId = leaving;
    expect(gone).toHaveLength(2);
    expect(await countRows(gone)).toEqual({ versions: 0, normalized: 0, raw: 0, changes: 0, current: 0 });
  });

  it('are refused for a gateway that was removed meanwhile', async () => {
    const writer = db.database.snapshots.writer(gatewayId, (await gateway.startRun()).id);
    const ids = await writer.addVersions([gateway.versionOf('a', 'a')]);
    await db.database.gateways.remove(gatewayId);
    await expect(writer.addVersions([{ ...gateway.versionOf('b', 'b'), isAdded: true }])).rejects.toThrow(
      'foreign key',
    );
    const removal = { kind: 'removed' as const, affId: 'z', versionId: null, previousVersionId: null, reason: null };
    await expect(writer.finish([], [removal])).rejects.toThrow('the snapshot was removed');
    expect(await countRows(ids)).toEqual({ versions: 0, normalized: 0, raw: 0, changes: 0, current: 0 });
  });

  it('keep the missing duties of each version and of the list until the rules change', async () => {
    const run = await gateway.startRun();
    const { snapshots } = db.database;
    const writer = snapshots.writer(gatewayId, run.id);
    const duties = dutyMask('FR', ['fr-dpe']);
    const ids = await writer.addVersions([{ ...gateway.versionOf('a', 'a'), duties }, gateway.versionOf('b', 'b')]);
    const snapshotId = await writer.finish(ids, [], { 'fr-dpe': 1 });
    const kept = async () => ({
      each: (await versionsOf(db.database, gatewayId, snapshotId)).map((version) => version.duties),
      all: await db.database.runHistory.duties(run.id),
    });
    await snapshots.publish(gateway.publication(run, snapshotId, null));
    expect(await kept()).toEqual({ each: [duties, 0], all: { 'fr-dpe': 1 } });
    await snapshots.rehash(gatewayId, [{ versionId: ids[0]!, recordHash: 'r', duties: 0 }]);
    await snapshots.recount({ gatewayId, id: snapshotId }, {});
    expect(await kept()).toEqual({ each: [0, 0], all: {} });
  });

  it('store nothing of a batch that PostgreSQL refuses, and accept the next batch', async () => {
    const run = await gateway.startRun();
    const writer = db.database.snapshots.writer(gatewayId, run.id);
    const version = (affId: string, raw: string) => ({
      ...{ affId, affNum: null, scope: '', recordHash: '', contentHash: '', revision: null, fill: 0, empreinte: '' },
      ...{ photosEmpreinte: null, normalized: Buffer.from('{}'), raw: Buffer.from(raw) },
    });
    await expect(writer.addVersions([version('a', '{}'), version('b', 'a\0b')])).rejects.toThrow('invalid byte');
    expect(await db.query('SELECT 1 FROM listing_version WHERE gateway_id = $1', [gatewayId])).toEqual([]);
    for (const affId of ['c', 'd']) await writer.addVersions([version(affId, '{}')]);
    expect(await db.query('SELECT aff_id FROM listing_version WHERE gateway_id = $1 ORDER BY id', [gatewayId])).toEqual(
      [{ aff_id: 'c' }, { aff_id: 'd' }],
    );
  });
});
