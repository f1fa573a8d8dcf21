import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Spool, spoolFrom } from './spool';
import { SpoolBudget, SpoolReservation, type Waiting } from './spool-budget';

const MEBIBYTE = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-room-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function* bytes(mebibytes: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < mebibytes * 4; n += 1) yield await Promise.resolve(Buffer.alloc(MEBIBYTE / 4, 'x'));
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
/** Waits until `count` downloads are done, and a little longer to check that no other one finishes. */
async function untilDone(all: readonly { state: { isDone: boolean } }[], count: number): Promise<void> {
  const done = () => all.filter(({ state }) => state.isDone).length;
  for (let looks = 0; done() < count && looks < 100; looks += 1) await settled();
  await settled();
  expect(done()).toBe(count);
}
const wait: Waiting = (waiting) => waiting();

/** Starts a download with a separate reservation; `state` says when it is done. */
function download(budget: SpoolBudget, mebibytes: number, signal?: AbortSignal) {
  const reservation = new SpoolReservation(budget, signal);
  const state = { isDone: false };
  const spool = spoolFrom(bytes(mebibytes), reservation, wait).then((done) => {
    state.isDone = true;
    return done;
  });
  spool.catch(() => undefined);
  return { reservation, state, spool };
}

const end = async ({ reservation, spool }: { reservation: SpoolReservation; spool: Promise<Spool> }): Promise<void> => {
  await (await spool).close();
  reservation.leave();
};

describe('SpoolBudget', () => {
  it('keeps small answers in memory while there is room, and other answers in files', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: 3 * MEBIBYTE });
    const all = [download(budget, 2), download(budget, 2), download(budget, 5)];
    await Promise.all(all.map(({ spool }) => spool));
    expect(budget.bytesInMemory).toBeLessThanOrEqual(3 * MEBIBYTE);
    expect(budget.bytesInMemory + budget.bytesOnDisk).toBe(9 * MEBIBYTE);
    expect(readdirSync(folder)).toEqual([]);
    for (const one of all) await end(one);
    expect([budget.bytesInMemory, budget.bytesOnDisk]).toEqual([0, 0]);
  });

  it('lets one download exceed the budget while the others wait for its end', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: 0, diskBytes: 8 * MEBIBYTE });
    const all = [download(budget, 6), download(budget, 6), download(budget, 6)];
    const ended = new Set<(typeof all)[number]>();
    for (let count = 1; count <= 3; count += 1) {
      // Each download holds a part of the budget, and none can finish without exceeding it.
      await untilDone(all, count);
      expect(budget.bytesOnDisk).toBeLessThanOrEqual((8 + 6) * MEBIBYTE);
      const next = all.find((one) => one.state.isDone && !ended.has(one))!;
      ended.add(next);
      await end(next);
    }
    expect(budget.bytesOnDisk).toBe(0);
  });

  it('allows a feed that is larger than the budget', async () => {
    const one = download(new SpoolBudget({ folder, diskBytes: MEBIBYTE }), 9);
    expect((await one.spool).sizeBytes).toBe(9 * MEBIBYTE);
    await end(one);
  });

  it('delays the first download of a run until there is room, but not its later downloads', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(budget, 2);
    await first.spool;
    await first.reservation.untilNotFull();
    let hasBegun = false;
    const second = new SpoolReservation(budget).untilNotFull().then(() => (hasBegun = true));
    await settled();
    expect(hasBegun).toBe(false);
    await end(first);
    await second;
  });

  it('stops waiting when the run is aborted, and reserves nothing afterwards', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(budget, 2);
    await first.spool;
    const stop = new AbortController();
    const second = download(budget, 2, stop.signal);
    await settled();
    stop.abort(new Error('stopped'));
    await expect(second.spool).rejects.toThrow('stopped');
    second.reservation.leave();
    await end(first);
    expect(budget.bytesOnDisk).toBe(0);
  });

  it('reserves nothing for a run that has ended, and releases each reservation only once', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: MEBIBYTE, diskBytes: MEBIBYTE });
    const reservation = new SpoolReservation(budget);
    const spools = [await spoolFrom(bytes(1), reservation), await spoolFrom(bytes(1), reservation)];
    expect([budget.bytesInMemory, budget.bytesOnDisk]).toEqual([MEBIBYTE, MEBIBYTE]);
    reservation.leave();
    for (const spool of spools) await spool.close();
    expect([budget.bytesInMemory, budget.bytesOnDisk, reservation.reserveMemory(1)]).toEqual([0, 0, false]);
    await expect(spoolFrom(bytes(2), reservation, wait)).rejects.toThrow('over');
    const first = download(budget, 2);
    await first.spool;
    const late = download(budget, 3);
    await settled();
    late.reservation.leave();
    await end(first);
    await expect(late.spool).rejects.toThrow('over');
    expect([budget.bytesInMemory, budget.bytesOnDisk]).toEqual([0, 0]);
    // The ended run has also given back the right to exceed the budget.
    await end(download(budget, 3));
  });

  it('never delays a run that holds a processing slot, because the run that exceeds the budget may be waiting for that slot', async () => {
    const budget = new SpoolBudget({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(budget, 2);
    await first.spool;
    const reservation = new SpoolReservation(budget);
    const entry = spoolFrom(bytes(2), reservation);
    expect((await entry).sizeBytes).toBe(2 * MEBIBYTE);
    await end({ reservation, spool: entry });
    await end(first);
  });

  it('removes only old files and folders that killed processes left behind', async () => {
    const longAgo = new Date(Date.now() - 3 * 3600_000);
    for (const name of ['passerelle-feed-file', 'passerelle-feed-new', 'other']) writeFileSync(join(folder, name), 'x');
    mkdirSync(join(folder, 'passerelle-feed-folder'));
    writeFileSync(join(folder, 'passerelle-feed-folder', '1'), 'x');
    for (const name of ['passerelle-feed-file', 'passerelle-feed-folder', 'other']) {
      utimesSync(join(folder, name), longAgo, longAgo);
    }
    await new SpoolBudget({ folder }).sweep();
    expect(readdirSync(folder).sort()).toEqual(['other', 'passerelle-feed-new']);
  });
});
