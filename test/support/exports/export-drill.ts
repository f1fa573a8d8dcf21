import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadFile } from '@passerelle/connectors';
import { SecretBox } from '@passerelle/domain';
import type { Target } from '@passerelle/exporters';
import { type ListedListing, PublishedLists } from '../published-lists';
import { canHaveSmallDisks, type SmallDisk, startSmallDisk } from '../small-disk';
import type { TestDatabase } from '../test-database';
import { FilePortal } from './file-portal';
import { Killed, StatementFailed, pumpExports, type PumpOptions } from './export-pump';
import { addPlacement, statesOf } from './placements';
import { noAnswer, PortalSimulator } from './portal-simulator';
import { apiTarget, FILE_TARGET } from './test-targets';

const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');

export interface DrillReport {
  /** How often each kind of fault happened. */
  faults: Record<string, number>;
  /** Adverts that the portal has twice at the end of a round. */
  doubled: number;
  /** Adverts that were created while another one existed, and no process was suspended. */
  doubledMeanwhile: number;
  /** Removals of adverts whose listing was on the list. */
  wronglyRemoved: number;
  /** Differences between the portals and what the database says about them, at the end of each round. */
  untrue: string[];
}

/**
 * Publishes lists that change at random, and sends them to a portal with an API and to one with files, while processes end
 * or are suspended, answers are lost, uploads are cut and disks are full. At the end of each round the faults stop, and
 * portals and database are compared.
 */
export async function drillExports(db: TestDatabase, random: () => number, rounds: number): Promise<DrillReport> {
  const files = await new FilePortal().open();
  const disk = canHaveSmallDisks() ? await startSmallDisk() : null;
  try {
    return await drill(db, random, rounds, { files, disk });
  } finally {
    await files.close();
    await disk?.unmount();
  }
}

async function drill(
  db: TestDatabase,
  random: () => number,
  rounds: number,
  { files, disk }: { files: FilePortal; disk: SmallDisk | null },
): Promise<DrillReport> {
  const report: DrillReport = { faults: {}, doubled: 0, doubledMeanwhile: 0, wronglyRemoved: 0, untrue: [] };
  const lists = await PublishedLists.of(db.database, 'agence-du-port');
  const portal = new PortalSimulator();
  const list = new Map<string, ListedListing>();
  const isWanted = (advertId: string): boolean => list.get(advertId)?.intitule !== undefined;
  // A listing without a title leaves the portals on purpose, and the second advert of a listing does too.
  portal.onRemove = (advertId) => {
    if (isWanted(advertId) && portal.shown(advertId).length === 1) report.wronglyRemoved += 1;
  };
  files.onRemove = (advertId) => {
    if (isWanted(advertId)) report.wronglyRemoved += 1;
  };
  const placements = {
    api: await addPlacement(db.database, lists.gatewayId, 'test-api'),
    file: await addPlacement(db.database, lists.gatewayId, 'drill-file', {
      credentials: BOX.seal(JSON.stringify({ url: files.url })),
    }),
  };
  let isCalm = true;
  let suspended = 0;
  /** Whether this fault happens now; then it is counted. */
  const happens = (fault: string, share: number): boolean => {
    if (isCalm || random() >= share) return false;
    report.faults[fault] = (report.faults[fault] ?? 0) + 1;
    return true;
  };
  const mayDie = (share: number): void => {
    if (happens('process killed', share)) throw new Killed('killed');
  };
  portal.fault = (when) => {
    mayDie(0.02);
    if (happens(when === 'before' ? 'request lost' : 'answer lost', 0.05)) throw noAnswer();
  };
  files.fault = () => {
    if (happens('upload cut', 0.15)) return 'cut';
    if (happens('upload shortened', 0.1)) return 'short';
    return happens('answer to the upload lost', 0.15) ? 'no answer' : null;
  };
  const letTimePass = async (): Promise<void> => {
    if (disk !== null) await rm(join(disk.folder, 'filler'), { force: true });
    await db.query(`UPDATE outbox SET taken_until = '-infinity', next_try_at = '-infinity' WHERE state = 'pending'`);
  };
  /** Another process takes the export over meanwhile. */
  const maySuspend = async (share: number): Promise<void> => {
    if (suspended > 0 || !happens('process suspended', share)) return;
    suspended += 1;
    await letTimePass();
    await pumpExports(db.database, options, 400);
    suspended -= 1;
  };
  portal.delay = (verb) => maySuspend(/^(?:create|replace|remove)/.test(verb) ? 0.05 : 0);
  const options: PumpOptions = {
    ...{
      targets: [apiTarget(portal), { ...FILE_TARGET, code: 'drill-file' }] satisfies Target[],
      box: BOX,
      letTimePass,
    },
    ...(disk !== null && { spoolDir: disk.folder }),
    allowPrivate: new Set([files.hostAndPort]),
    upload: async (...upload) => {
      await maySuspend(0.15);
      mayDie(0.02);
      await uploadFile(...upload);
      mayDie(0.02);
    },
    atStatement: (when) => {
      mayDie(0.02);
      if (when === 'before' && happens('disk of PostgreSQL full', 0.01))
        throw new StatementFailed('could not extend file');
    },
  };
  let serial = 0;
  for (let round = 0; round < rounds; round += 1) {
    isCalm = false;
    for (let change = 0; change < 3; change += 1) {
      const ids = [...list.keys()];
      for (const id of ids) {
        if (random() < 0.04) list.delete(id);
        else if (random() < 0.1) list.set(id, listingOf(id, random));
      }
      while (list.size < 30 || random() < 0.5) {
        serial += 1;
        list.set(`L${serial}`, listingOf(`L${serial}`, random));
      }
      await lists.publish([...list.values()], { forced: true });
      if (disk !== null && happens('disk of the ingestor full', 0.2)) await fill(join(disk.folder, 'filler'));
      await pumpExports(db.database, options, 400);
      await letTimePass();
      await pumpExports(db.database, options, 400);
      await approveAll(db);
    }
    isCalm = true;
    await settle(db, options);
    report.untrue.push(
      ...(await differences(db, list, { portal, files }, placements)).map((one) => `round ${round}: ${one}`),
    );
    for (const id of portal.present.keys()) if (portal.shown(id).length > 1) report.doubled += 1;
    if (disk !== null && (await readdir(disk.folder)).length > 0) report.untrue.push(`round ${round}: temporary files`);
  }
  report.doubledMeanwhile = Math.max(0, portal.doubles - (report.faults['process suspended'] ?? 0));
  return report;
}

/** Takes all the space of a disk. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const zeros = Buffer.alloc(4096);
  try {
    for (;;) await file.write(zeros);
  } catch {
    await file.close();
  }
}

function listingOf(affId: string, random: () => number): ListedListing {
  const kind = random();
  if (kind < 0.05) return { affId };
  return { affId, intitule: `${kind < 0.1 ? 'bad' : kind < 0.15 ? 'wrong' : 'good'} ${Math.floor(random() * 1e6)}` };
}

/** Lets every export and every question about an advert come to its end. */
async function settle(db: TestDatabase, options: PumpOptions): Promise<void> {
  for (let times = 0; times < 7; times += 1) {
    await db.query(
      `UPDATE publication SET asked_at = asked_at - interval '2 days', sent_at = sent_at - interval '2 hours',
         doubt_at = doubt_at - interval '6 minutes'`,
    );
    await db.query('UPDATE placement SET due_at = now()');
    await db.database.exportRuns.enqueueDue(3600, 30);
    await pumpExports(db.database, options, 400);
    await approveAll(db);
  }
}

async function approveAll({ database }: TestDatabase): Promise<void> {
  for (const { id, held } of await database.placements.list()) if (held !== null) await database.placements.approve(id);
}

async function differences(
  db: TestDatabase,
  list: ReadonlyMap<string, ListedListing>,
  { portal, files }: { portal: PortalSimulator; files: FilePortal },
  placements: { api: number; file: number },
): Promise<string[]> {
  const found: string[] = [];
  const stored = {
    api: await statesOf(db.database, placements.api),
    file: await statesOf(db.database, placements.file),
  };
  const expectSame = (what: string, is: unknown, must: unknown): void => {
    if (is !== must) found.push(`${what} is ${String(is)} and must be ${String(must)}`);
  };
  for (const [affId, { intitule }] of list) {
    const text = intitule === undefined ? undefined : `<advert id="${affId}">${intitule}</advert>`;
    expectSame(`${affId} in the file`, files.present.get(affId), text);
    expectSame(
      `${affId} of the file placement`,
      stored.file[affId],
      state(text === undefined ? undefined : 'delivered', stored.file[affId]),
    );
    const isWrong = intitule?.startsWith('wrong') === true;
    if (!isWrong) expectSame(`${affId} at the portal`, portal.present.get(affId), text);
    const must = isWrong || intitule?.startsWith('bad') === true ? 'refused: refused' : 'online';
    expectSame(
      `${affId} of the placement`,
      stored.api[affId],
      state(text === undefined ? undefined : must, stored.api[affId]),
    );
  }
  for (const affId of [...portal.present.keys(), ...files.present.keys()])
    if (!list.has(affId)) found.push(`${affId} is still shown`);
  for (const [affId, is] of [...Object.entries(stored.api), ...Object.entries(stored.file)])
    if (!list.has(affId) && is !== 'removed: absent') found.push(`${affId}, which left the list, is ${is}`);
  return found;
}

/** A listing that is not ready was removed, or never sent. */
function state(must: string | undefined, is: string | undefined): string {
  return must ?? (is === 'removed: not-ready' ? is : 'waiting: not-ready');
}
