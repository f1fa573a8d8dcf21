import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { SecretBox } from '@passerelle/domain';
import { pumpExports, type PumpOptions } from '../../support/exports/export-pump';
import { addPlacement, statesOf, TERMS } from '../../support/exports/placements';
import { ADDRESS_TARGET, FILE_TARGET, ZIP_TARGET } from '../../support/exports/test-targets';
import { startFeedServer } from '../../support/feed-server';
import { type ListedListing, PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FtpServer } from '../transport/ftp-server';
import { SftpServer } from '../transport/sftp-server';

const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');
const listed = (...ids: string[]): ListedListing[] => ids.map((affId) => ({ affId, intitule: `House ${affId}` }));
const urls = (values: Record<string, string>): { credentials: Buffer } => ({
  credentials: BOX.seal(JSON.stringify(values)),
});

// Real: PostgreSQL, the outbox, the engine, FTP and SFTP. Fake: the portals behind the servers.
describe('exports of whole lists', () => {
  let db: TestDatabase;
  let lists: PublishedLists;
  let ftp: FtpServer;
  beforeEach(async () => {
    db = await createTestDatabase();
    lists = await PublishedLists.of(db.database, 'agence-du-port');
    ftp = await new FtpServer().listen();
  });
  afterEach(async () => {
    await ftp.close();
    await db.drop();
  });

  const pump = (options: Partial<PumpOptions> = {}, most?: number): Promise<string[]> =>
    pumpExports(
      db.database,
      {
        ...{
          targets: [FILE_TARGET, ZIP_TARGET, ADDRESS_TARGET],
          box: BOX,
          allowPrivate: new Set([`127.0.0.1:${ftp.port}`]),
        },
        ...options,
      },
      most,
    );
  const ftpUrl = (): string => `ftp://agence:p%40ss@127.0.0.1:${ftp.port}/in`;
  const sent = (name = 'in/agence-du-port.xml'): string | undefined => ftp.files.get(name)?.bytes.toString();
  const stored = (): string[] => ftp.asked.filter((line) => /^(?:STOR|RNTO)/.test(line));

  it('upload a file under a temporary name, and again only when its adverts changed', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-file', urls({ url: ftpUrl() }));
    await lists.publish(listed('1', '2'));
    expect(await pump()).toEqual([]);
    expect(stored()).toEqual(['STOR in/agence-du-port.xml.part', 'RNTO in/agence-du-port.xml']);
    expect(sent()).toMatch(
      /^<list at="\d+">\n<advert id="1">House 1<\/advert>\n<advert id="2">House 2<\/advert>\n<\/list>\n$/,
    );
    expect(await statesOf(db.database, placement)).toEqual({ 1: 'delivered', 2: 'delivered' });
    // Another snapshot with the same adverts: the third listing is not ready.
    await lists.publish([...listed('1', '2'), { affId: '3' }]);
    await pump();
    expect(stored()).toHaveLength(2);
    expect(await statesOf(db.database, placement)).toEqual({ 1: 'delivered', 2: 'delivered', 3: 'waiting: not-ready' });
    await lists.publish([...listed('2'), { affId: '3', intitule: 'House 3' }]);
    await pump();
    expect(stored()).toHaveLength(4);
    expect(await statesOf(db.database, placement)).toEqual({ 1: 'removed: absent', 2: 'delivered', 3: 'delivered' });
    await db.database.publications.retry(placement, null);
    await pump();
    expect(stored()).toHaveLength(6);
  });

  it('never send an unconfirmed list, an empty first list, or a list that lost too much', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-file', urls({ url: ftpUrl() }));
    await lists.publish([{ affId: '1' }]);
    await pump();
    expect((await db.database.placements.find(placement))?.result).toBe('empty');
    await lists.publish(listed('1', '2', '3', '4', '5', '6', '7', '8'));
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '2 hours'`);
    await pump();
    expect((await db.database.placements.find(placement))?.result).toBe('unconfirmed');
    await db.database.exportRuns.enqueueDue(3600, 30);
    expect(await pump()).toEqual([]);
    expect(stored()).toEqual([]);
    await db.query('UPDATE gateway SET confirmed_at = now()');
    await db.database.exportRuns.enqueueDue(3600, 30);
    await pump();
    expect(sent()).toContain('House 8');
    await lists.publish(listed('1'), { forced: true });
    await pump();
    expect(sent()).toContain('House 8');
    expect((await db.database.placements.find(placement))?.held?.message).toBe(
      '7 of 8 adverts would disappear at the portal, and 0 would be new',
    );
    await db.database.placements.approve(placement);
    await pump();
    expect(sent()).not.toContain('House 8');
  });

  it('fail with one sentence for a wrong login, a private address and missing credentials', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-file');
    await lists.publish(listed('1'));
    const attempt = async (values?: Record<string, string>): Promise<string> => {
      if (values !== undefined) await db.database.placements.set(placement, TERMS, urls(values).credentials);
      await pump({}, 1).catch(() => undefined);
      return (await db.database.placements.find(placement))?.failure ?? '';
    };
    expect(await attempt()).toBe('not sent: the placement lacks the credential "url"');
    expect(await attempt({ url: `ftp://agence:no@127.0.0.1:${ftp.port}/in` })).toMatch(/refused the login \(530\)$/);
    expect(await attempt({ url: 'ftp://agence:no@127.0.0.1:2121/in' })).toMatch(/is not a public address/);
  });

  it('upload by SFTP', async () => {
    const sftp = await new SftpServer().listen();
    await addPlacement(
      db.database,
      lists.gatewayId,
      'test-file',
      urls({ url: `sftp://127.0.0.1:${sftp.port}/drop`, user: 'agence', password: 'p@ss' }),
    );
    await lists.publish(listed('1'));
    expect(await pump({ allowPrivate: new Set([`127.0.0.1:${sftp.port}`]) })).toEqual([]);
    expect([...sftp.files.keys()]).toEqual(['/drop/agence-du-port.xml']);
    expect(sftp.files.get('/drop/agence-du-port.xml')?.bytes.toString()).toContain('House 1');
    await sftp.close();
  });

  it('put the document, the files beside it and the photos into a ZIP, in its encoding', async () => {
    const photos = await startFeedServer({ body: 'the bytes of a photo' });
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-zip', urls({ url: ftpUrl() }));
    const shown = [{ url: photos.url, empreinte: 'a' }];
    await lists.publish([{ affId: '1', intitule: 'Château', fields: { photos: shown } }]);
    expect(await pump({ allowPrivate: new Set([`127.0.0.1:${ftp.port}`, photos.hostAndPort]) })).toEqual([]);
    const zip = new AdmZip(ftp.files.get('in/agence-du-port.zip')?.bytes);
    expect(zip.getEntries().map(({ entryName }) => entryName)).toEqual(['list.xml', 'Config.txt', '1-0.jpg']);
    expect(zip.getEntry('list.xml')?.getData().toString('latin1')).toContain('Château');
    expect(zip.getEntry('1-0.jpg')?.getData().toString()).toBe('the bytes of a photo');
    photos.answer = { status: 404 };
    await db.database.publications.retry(placement, null);
    const reason = async (): Promise<string | null | undefined> => {
      await pump({ allowPrivate: new Set([`127.0.0.1:${ftp.port}`, photos.hostAndPort]) });
      return (await db.database.publications.list({ placement }, 0, 1))[0]?.reason;
    };
    expect(await reason()).toBe('the archive lacks 1 of its photos, which cannot be read');
    photos.answer = { body: 'the bytes of a photo' };
    await db.database.publications.retry(placement, null);
    expect(await reason()).toBeNull();
    await photos.close();
  });

  it('keep the last document of a portal that fetches, while a later list is held', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-address');
    const { placementDocuments } = db.database;
    const document = async (): Promise<string> => {
      const found = await placementDocuments.find(lists.gatewayId, 'test-address', placement);
      if (found === null) return 'none';
      const parts: Buffer[] = [];
      for await (const part of placementDocuments.read(found)) parts.push(part);
      return gunzipSync(Buffer.concat(parts)).toString();
    };
    expect(await document()).toBe('none');
    await lists.publish(listed('1', '2', '3', '4', '5', '6'));
    await pump();
    expect(await document()).toContain('House 6');
    await lists.publish(listed('1'), { forced: true });
    await pump();
    expect(await document()).toContain('House 6');
    await db.database.placements.approve(placement);
    await pump();
    expect(await document()).not.toContain('House 6');
  });

  it('leave no temporary file behind, also when the upload fails', async () => {
    await addPlacement(db.database, lists.gatewayId, 'test-file', urls({ url: ftpUrl() }));
    await lists.publish(listed('1'));
    let path = '';
    let fails = true;
    const upload: PumpOptions['upload'] = async (_url, _access, file) => {
      path = file.path;
      if (fails) {
        fails = false;
        throw new Error('cut');
      }
      expect(await readFile(path, 'utf8')).toContain('House 1');
    };
    await pump({ upload });
    await expect(readFile(path)).rejects.toThrow(/ENOENT/);
  });
});
