import { readFile } from 'node:fs/promises';
import { SecretBox } from '@passerelle/domain';
import type { Target } from '@passerelle/exporters';
import { type ListedListing, PublishedLists } from '../published-lists';
import type { TestDatabase } from '../test-database';
import { Killed, pumpExports, type PumpOptions } from './export-pump';
import { addPlacement, statesOf } from './placements';
import { noAnswer, PortalSimulator } from './portal-simulator';
import { apiTarget, FILE_TARGET } from './test-targets';

const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');

export interface DrillReport {
  /** Kills, lost answers and refused requests. */
  faults: number;
  doubled: number;
  /** Removals of adverts whose listing was on the list. */
  wronglyRemoved: number;
  /** Differences between the portals and what the database says about them, at the end of each round. */
  untrue: string[];
}

/**
 * Publishes lists that change at random, and sends them to a portal with an API and to one with files, while processes end
 * and answers are lost. At the end of each round the faults stop, and portals and database are compared.
 */
export async function drillExports(db: TestDatabase, random: () => number, rounds: number): Promise<DrillReport> {
  const report: DrillReport = { faults: 0, doubled: 0, wronglyRemoved: 0, untrue: [] };
  const lists = await PublishedLists.of(db.database, 'agence-du-port');
  const portal = new PortalSimulator();
  const files = new FilePortal();
  const list = new Map<string, ListedListing>();
  // A listing without a title leaves the portals on purpose.
  portal.onRemove = (advertId) => {
    if (list.get(advertId)?.intitule !== undefined) report.wronglyRemoved += 1;
  };
  files.onRemove = portal.onRemove;
  const placements = {
    api: await addPlacement(db.database, lists.gatewayId, 'test-api'),
    file: await addPlacement(db.database, lists.gatewayId, 'drill-file', {
      credentials: BOX.seal(JSON.stringify({ url: 'ftp://portal.example/in' })),
    }),
  };
  let isCalm = true;
  const chance = (share: number): boolean => !isCalm && random() < share;
  const die = (): never => {
    report.faults += 1;
    throw new Killed('killed');
  };
  portal.fault = () => {
    if (chance(0.02)) die();
    if (!chance(0.05)) return;
    report.faults += 1;
    throw noAnswer();
  };
  files.fault = portal.fault;
  const targets: Target[] = [apiTarget(portal), { ...FILE_TARGET, code: 'drill-file' }];
  const options: PumpOptions = {
    targets,
    box: BOX,
    upload: (_url, _access, { path }) => files.take(path),
    letTimePass: () =>
      db.query(`UPDATE outbox SET taken_until = '-infinity', next_try_at = '-infinity' WHERE state = 'pending'`),
    atStatement: () => {
      if (chance(0.02)) die();
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
      await pumpExports(db.database, options, 400);
      await approveAll(db);
    }
    isCalm = true;
    await settle(db, options);
    report.untrue.push(
      ...(await differences(db, list, { portal, files }, placements)).map((one) => `round ${round}: ${one}`),
    );
  }
  report.doubled = portal.doubles;
  return report;
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
      `UPDATE publication SET asked_at = asked_at - interval '2 days', sent_at = sent_at - interval '2 hours'`,
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

/** A portal that reads files, and removes adverts that the last one does not contain. */
class FilePortal {
  present = new Map<string, string>();
  fault: (when: 'before' | 'after', verb: string) => void = () => undefined;
  onRemove: (advertId: string) => void = () => undefined;

  async take(path: string): Promise<void> {
    this.fault('before', 'upload');
    const text = await readFile(path, 'utf8');
    const adverts = [...text.matchAll(/<advert id="([^"]+)">.*<\/advert>/g)].map(
      ([advert, id = '']): [string, string] => [id, advert],
    );
    const next = new Map(adverts);
    for (const [id] of this.present) if (!next.has(id)) this.onRemove(id);
    this.present = next;
    this.fault('after', 'upload');
  }
}
