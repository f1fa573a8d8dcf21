import { readFile } from 'node:fs/promises';
import { SecretBox } from '@passerelle/domain';
import { pumpExports, type PumpOptions } from '../../support/exports/export-pump';
import { addPlacement, statesOf } from '../../support/exports/placements';
import { PortalSimulator } from '../../support/exports/portal-simulator';
import { apiTarget, FILE_TARGET } from '../../support/exports/test-targets';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');

// Real: PostgreSQL, the outbox, the engine. Fake: the portals, and a process that is suspended in the middle of its work.
describe('an export whose process is suspended while another process takes it over', () => {
  let db: TestDatabase;
  let lists: PublishedLists;
  let portal: PortalSimulator;
  beforeEach(async () => {
    db = await createTestDatabase();
    lists = await PublishedLists.of(db.database, 'agence-du-port');
    portal = new PortalSimulator();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await db.drop();
  });

  const pump = (options: Partial<PumpOptions> = {}): Promise<string[]> =>
    pumpExports(db.database, { targets: [apiTarget(portal), FILE_TARGET], box: BOX, ...options });
  const leaseEnds = (): Promise<unknown> =>
    db.query(`UPDATE outbox SET taken_until = '-infinity', next_try_at = '-infinity' WHERE state = 'pending'`);
  /** Another process does the whole export during the first request of this kind. */
  const takeOverDuring = (kind: string, meanwhile: () => Promise<unknown> = () => Promise.resolve()): void => {
    portal.delay = async (verb) => {
      if (!verb.startsWith(kind)) return;
      portal.delay = () => Promise.resolve();
      await leaseEnds();
      await meanwhile();
      await pump();
    };
  };
  const later = async (): Promise<void> => {
    await db.query(
      `UPDATE publication SET asked_at = asked_at - interval '1 day', sent_at = sent_at - interval '2 hours'`,
    );
    await db.query('UPDATE placement SET due_at = now() WHERE due_at IS NOT NULL');
    await db.database.exportRuns.enqueueDue(3600, 30);
    await pump();
  };
  const shown = (): string[] =>
    portal.adverts.filter(({ state }) => state !== 'removed').map(({ advertId, text }) => `${advertId} ${text}`);
  const house = (affId: string, intitule = 'House'): { affId: string; intitule: string } => ({ affId, intitule });
  const text = (affId: string, title = 'House'): string => `${affId} <advert id="${affId}">${title}</advert>`;

  it('removes the second advert that a late create made', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-api');
    await lists.publish([house('1')]);
    takeOverDuring('create 1');
    await pump();
    expect(shown()).toEqual([text('1')]);
    await later();
    await later();
    expect(await statesOf(db.database, placement)).toEqual({ 1: 'online' });
    expect(portal.adverts).toHaveLength(2);
  });

  it('sends the newest text again after a late replace', async () => {
    await addPlacement(db.database, lists.gatewayId, 'test-api');
    await lists.publish([house('1')]);
    await pump();
    await lists.publish([house('1', 'Old')]);
    takeOverDuring('replace', () => lists.publish([house('1', 'New')]));
    await pump();
    expect(shown()).toEqual([text('1', 'New')]);
  });

  it('sends the newest list again after a late upload of an older one', async () => {
    await addPlacement(db.database, lists.gatewayId, 'test-file', {
      credentials: BOX.seal(JSON.stringify({ url: 'ftp://portal.example/in' })),
    });
    const uploads: string[] = [];

    let isFirst = true;
    const upload: NonNullable<PumpOptions['upload']> = async (_url, _access, { path }) => {
      const document = await readFile(path, 'utf8');
      if (isFirst) {
        isFirst = false;
        await leaseEnds();
        await lists.publish([house('1', 'New')]);
        await pump({ upload });
      }
      uploads.push(/>(\w+)<\/advert>/.exec(document)?.[1] ?? '');
    };
    await lists.publish([house('1', 'Old')]);
    await pump({ upload });
    expect(uploads).toEqual(['New', 'Old', 'New']);
  });

  it('sends nothing when it was suspended between the intent and the request', async () => {
    await addPlacement(db.database, lists.gatewayId, 'test-api');
    await lists.publish([house('1')]);
    const { publications } = db.database;
    const save = publications.save.bind(publications);
    let stoppedMs = 0;
    const realNow = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => realNow() + stoppedMs);
    jest.spyOn(publications, 'save').mockImplementation(async (...values) => {
      await save(...values);
      if (stoppedMs === 0 && values[1].some(({ intent }) => intent === 'create')) stoppedMs = 20_000;
    });
    const errors = await pump();
    expect(errors).toEqual(['the ingestor was stopped for a while: the advert is sent in the next attempt']);
    expect(portal.calls.filter((call) => !call.startsWith('status'))).toEqual(['find 1', 'create 1']);
  });

  it('stores no intent when the lease ends before the request could', async () => {
    const placement = await addPlacement(db.database, lists.gatewayId, 'test-api');
    await lists.publish([house('1')]);
    const { publications } = db.database;
    const save = publications.save.bind(publications);
    let isShort = false;
    jest.spyOn(publications, 'save').mockImplementation(async (...values) => {
      if (!isShort && values[3] !== undefined) {
        isShort = true;
        await db.query(`UPDATE outbox SET taken_until = now() + interval '50 seconds' WHERE state = 'pending'`);
      }
      await save(...values);
    });
    expect(await pump()).toEqual(['another process has taken this export over']);
    expect(portal.calls.filter((call) => call.startsWith('create'))).toEqual(['create 1']);
    expect(await statesOf(db.database, placement)).toEqual({ 1: 'accepted' });
  });
});
