import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Spool, spoolFrom } from './spool';
import { SpoolRoom, SpoolShare, type Waiting } from './spool-room';

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
/** Looks until so many are done, and a little longer for others that should not be. */
async function untilDone(all: readonly { state: { isDone: boolean } }[], count: number): Promise<void> {
  const done = () => all.filter(({ state }) => state.isDone).length;
  for (let looks = 0; done() < count && looks < 100; looks += 1) await settled();
  await settled();
  expect(done()).toBe(count);
}
const wait: Waiting = (waiting) => waiting();

/** A download of its own, which says when it is done. */
function download(room: SpoolRoom, mebibytes: number, signal?: AbortSignal) {
  const share = new SpoolShare(room, signal);
  const state = { isDone: false };
  const spool = spoolFrom(bytes(mebibytes), share, wait).then((done) => {
    state.isDone = true;
    return done;
  });
  spool.catch(() => undefined);
  return { share, state, spool };
}

const end = async ({ share, spool }: { share: SpoolShare; spool: Promise<Spool> }): Promise<void> => {
  await (await spool).close();
  share.leave();
};

describe('the room for what was fetched', () => {
  it('keeps small answers in memory while there is room, and others in files', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: 3 * MEBIBYTE });
    const all = [download(room, 2), download(room, 2), download(room, 5)];
    await Promise.all(all.map(({ spool }) => spool));
    expect(room.bytesInMemory).toBeLessThanOrEqual(3 * MEBIBYTE);
    expect(room.bytesInMemory + room.bytesOnDisk).toBe(9 * MEBIBYTE);
    expect(readdirSync(folder)).toEqual([]);
    for (const one of all) await end(one);
    expect([room.bytesInMemory, room.bytesOnDisk]).toEqual([0, 0]);
  });

  it('lets one download go beyond the bound, and the others wait for its end', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: 0, diskBytes: 8 * MEBIBYTE });
    const all = [download(room, 6), download(room, 6), download(room, 6)];
    const ended = new Set<(typeof all)[number]>();
    for (let count = 1; count <= 3; count += 1) {
      // Each has some of the room, and none could end without going beyond it.
      await untilDone(all, count);
      expect(room.bytesOnDisk).toBeLessThanOrEqual((8 + 6) * MEBIBYTE);
      const next = all.find((one) => one.state.isDone && !ended.has(one))!;
      ended.add(next);
      await end(next);
    }
    expect(room.bytesOnDisk).toBe(0);
  });

  it('reads a feed that is larger than the room', async () => {
    const one = download(new SpoolRoom({ folder, diskBytes: MEBIBYTE }), 9);
    expect((await one.spool).sizeBytes).toBe(9 * MEBIBYTE);
    await end(one);
  });

  it('lets a run begin a download only while it is not full, unless it has begun', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(room, 2);
    await first.spool;
    await first.share.untilNotFull();
    let hasBegun = false;
    const second = new SpoolShare(room).untilNotFull().then(() => (hasBegun = true));
    await settled();
    expect(hasBegun).toBe(false);
    await end(first);
    await second;
  });

  it('waits no longer than its run, and then takes nothing', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(room, 2);
    await first.spool;
    const stop = new AbortController();
    const second = download(room, 2, stop.signal);
    await settled();
    stop.abort(new Error('stopped'));
    await expect(second.spool).rejects.toThrow('stopped');
    second.share.leave();
    await end(first);
    expect(room.bytesOnDisk).toBe(0);
  });

  it('gives nothing to a run that is over, and takes nothing back twice', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: MEBIBYTE, diskBytes: MEBIBYTE });
    const share = new SpoolShare(room);
    const spools = [await spoolFrom(bytes(1), share), await spoolFrom(bytes(1), share)];
    expect([room.bytesInMemory, room.bytesOnDisk]).toEqual([MEBIBYTE, MEBIBYTE]);
    share.leave();
    for (const spool of spools) await spool.close();
    expect([room.bytesInMemory, room.bytesOnDisk, share.takeMemory(1)]).toEqual([0, 0, false]);
    await expect(spoolFrom(bytes(2), share, wait)).rejects.toThrow('over');
    const first = download(room, 2);
    await first.spool;
    const late = download(room, 3);
    await settled();
    late.share.leave();
    await end(first);
    await expect(late.spool).rejects.toThrow('over');
    expect([room.bytesInMemory, room.bytesOnDisk]).toEqual([0, 0]);
    // Nor does it keep the right to go beyond the bound.
    await end(download(room, 3));
  });

  it('lets who works go on, for who has the room may wait for its place', async () => {
    const room = new SpoolRoom({ folder, memoryBytes: 0, diskBytes: MEBIBYTE });
    const first = download(room, 2);
    await first.spool;
    const share = new SpoolShare(room);
    const entry = spoolFrom(bytes(2), share);
    expect((await entry).sizeBytes).toBe(2 * MEBIBYTE);
    await end({ share, spool: entry });
    await end(first);
  });

  it('removes what processes that were killed have left, and nothing else', async () => {
    const longAgo = new Date(Date.now() - 3 * 3600_000);
    for (const name of ['passerelle-feed-file', 'passerelle-feed-new', 'other']) writeFileSync(join(folder, name), 'x');
    mkdirSync(join(folder, 'passerelle-feed-folder'));
    writeFileSync(join(folder, 'passerelle-feed-folder', '1'), 'x');
    for (const name of ['passerelle-feed-file', 'passerelle-feed-folder', 'other']) {
      utimesSync(join(folder, name), longAgo, longAgo);
    }
    await new SpoolRoom({ folder }).sweep();
    expect(readdirSync(folder).sort()).toEqual(['other', 'passerelle-feed-new']);
  });
});
