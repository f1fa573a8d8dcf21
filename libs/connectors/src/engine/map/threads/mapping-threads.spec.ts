import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector } from '../../../kit/contracts';
import type { FeedRequest, FeedSummary, RecordOutcome } from '../../contracts';
import { openFeed } from '../../read-feed';
import { sliceLines } from '../../cut/line-slicer';
import { loadConnector } from '../../registry';
import { aLineConnector as aConnector, lineFormat } from '../../../../../../test/support/connectors/fake-connectors';
import { readable } from '../../../../../../test/support/connectors/readable';
import { MappingThreads, type MappingThreadsOptions } from './mapping-threads';

// The connectors and the threads are real; the threads run from the TypeScript sources.

const FROM_SOURCES = {
  script: join(__dirname, 'mapping-thread.ts'),
  execArgv: ['--require', createRequire(__filename).resolve('tsx/cjs')],
};

let directory: string;
let threads: MappingThreads;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'threads-spec-'));
});

afterEach(async () => {
  await threads.close();
  rmSync(directory, { recursive: true });
});

function begin(options: Partial<MappingThreadsOptions> = {}): MappingThreads {
  threads = new MappingThreads({ most: 2, recordsAhead: 0, ...options });
  return threads;
}

/** A thread that rejects each record. `answer`, a function in JavaScript, gives the message of the rejection. */
function threadThat(answer: string): Partial<MappingThreadsOptions> {
  const script = join(directory, 'thread.js');
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads');
     const answer = ${answer};
     const rejected = (position, message) => ({ kind: 'rejected', position, rejection: { position, code: 'malformed', message } });
     let context;
     parentPort.on('message', async (request) => {
       if (request.kind === 'context') context = request.context;
       if (request.kind !== 'map') return;
       const outcomes = [];
       for (const record of request.records) outcomes.push(rejected(record.position, await answer(record, context)));
       parentPort.postMessage({ kind: 'mapped', batch: request.batch, outcomes, warnings: [] });
     });
     parentPort.postMessage({ kind: 'ready' });`,
  );
  return { script };
}

function drop(content: string): void {
  const file = join(directory, 'feed');
  writeFileSync(file, content);
  const longAgo = Date.now() / 1000 - 1000;
  utimesSync(file, longAgo, longAgo);
}

async function read(
  connector: Connector,
  changes: Partial<FeedRequest> = {},
  by: MappingThreads | undefined = threads,
): Promise<{ outcomes: RecordOutcome[]; summary: FeedSummary }> {
  const request: FeedRequest = {
    source: { url: 'file:feed', credentials: {}, settings: {} },
    previous: {},
    isKnown: () => false,
    outbound: {
      allowPrivate: new Set(),
      inboxDir: directory,
      maxBytes: 1e7,
      timeoutMs: 300_000,
      idleTimeoutMs: 60_000,
    },
    signal: new AbortController().signal,
    ...changes,
  };
  const reading = openFeed(connector, request, by);
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  return { outcomes, summary: reading.summary() };
}

/**
 * Reads the feed again until `isSo` accepts the outcomes. They show that a thread has mapped batches, so it is ready
 * for the next feed.
 */
async function readUntil(isSo: (outcomes: readonly RecordOutcome[]) => boolean, connector: Connector): Promise<void> {
  while (!isSo((await read(connector)).outcomes)) await sleep(5);
}

const aLineConnector = (format = lineFormat): Connector => aConnector({ open: { container: 'plain' }, format });
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 1};Lyon\n`).join('');
const said = (outcome: RecordOutcome): string =>
  outcome.kind === 'rejected' ? outcome.rejection.message : outcome.kind;

describe('MappingThreads', () => {
  it('returns the same outcomes as a single thread, in the same order', async () => {
    const property = (at: number): string =>
      `<property>${at % 7 === 0 ? '' : `<id>${at}</id>`}<ref>R${at}</ref><price>${at % 5 === 0 ? 'cheap' : at}</price>
        <type>${at % 11 === 0 ? `igloo ${at}` : 'villa'}</type><town>Almería</town><country>spain</country>
        <desc><fr>Accès à l’autoroute, n° ${at}</fr></desc>
        <images><image id="1"><url>https://photos.example.org/${at}.jpg</url></image></images></property>`;
    const properties = Array.from({ length: 700 }, (_, at) => property(at)).join('\n');
    drop(`<root><kyero><feed_version>3</feed_version></kyero>${properties}</root>`);
    const kyero = loadConnector('kyero');
    const all = await read(kyero, {}, undefined);
    const known = new Set(all.outcomes.flatMap((one, at) => ('hash' in one && at % 3 === 0 ? [one.hash] : [])));
    const isKnown = (hash: string): boolean => known.has(hash);
    const alone = await read(kyero, { isKnown }, undefined);
    begin(FROM_SOURCES);
    // The first readings find no thread ready; the second thread starts when the first one has enough to do.
    for (let roundsOfTwo = 0; roundsOfTwo < 2; roundsOfTwo += threads.size === 2 ? 1 : 0) {
      await sleep(500);
      const together = await read(kyero, { isKnown });
      expect(together.summary).toEqual(alone.summary);
      expect(together.outcomes.map(readable)).toEqual(alone.outcomes.map(readable));
    }
    expect(alone.summary.warnings.length).toBeGreaterThan(20);
    expect(new Set(alone.outcomes.map(({ kind }) => kind))).toEqual(new Set(['listing', 'rejected', 'unchanged']));
  });

  it('returns each offer of a record with several offers', async () => {
    const record = (id: number): string =>
      `<propiedad><id>${id}</id><accion>Vender o Alquilar</accion><precioinmo>200000</precioinmo><precioalq>900</precioalq></propiedad>`;
    drop(`<propiedades>${Array.from({ length: 300 }, (_, at) => record(at + 1)).join('')}</propiedades>`);
    const inmovilla = loadConnector('inmovilla');
    const alone = await read(inmovilla, {}, undefined);
    expect(alone.outcomes.map((one) => ('affId' in one ? one.affId : ''))).toEqual(
      Array.from({ length: 300 }, (_, at) => [`${at + 1}`, `${at + 1}-location`]).flat(),
    );
    begin(FROM_SOURCES);
    for (let rounds = 0; rounds < 2; rounds += threads.size > 0 ? 1 : 0) {
      await sleep(500);
      expect((await read(inmovilla)).outcomes.map(readable)).toEqual(alone.outcomes.map(readable));
    }
  });

  it('keeps the order of the records, however long a batch takes', async () => {
    drop(lines(3000));
    begin(threadThat(`({ position }) => new Promise((done) => setTimeout(done, (position * 7) % 3, 'there'))`));
    await readUntil((outcomes) => outcomes.some((one) => said(one) === 'there'), aLineConnector());
    const { outcomes } = await read(aLineConnector());
    expect(outcomes.map(({ position }) => position)).toEqual(outcomes.map((_, at) => at + 1));
    expect(new Set(outcomes.map(said))).toEqual(new Set(['there', 'listing']));
  });

  it('maps each record with its context', async () => {
    drop(lines(60));
    const connector = aLineConnector({
      ...lineFormat,
      async *slice(part) {
        for await (const slice of lineFormat.slice(part)) {
          if (slice.kind === 'record') yield { kind: 'context', name: 'agency', bytes: Buffer.from(slice.bytes) };
          yield slice;
        }
      },
    });
    begin(threadThat(`(record, { feed }) => JSON.stringify(feed)`));
    await readUntil((outcomes) => outcomes.some((one) => one.kind === 'rejected'), connector);
    const { outcomes } = await read(connector);
    const fromThreads = outcomes.filter((one) => one.kind === 'rejected');
    expect(fromThreads.length).toBeGreaterThan(5);
    for (const one of fromThreads) expect(said(one)).toBe(JSON.stringify({ agency: `${one.position};Lyon` }));
  });

  it('keeps the order of the records when one of them is large', async () => {
    drop(`large;${'x'.repeat(200_000)}\n${lines(300)}`);
    const connector = aLineConnector({ ...lineFormat, slice: (part) => sliceLines(part, { maxRecordBytes: 1e6 }) });
    begin(threadThat(`() => 'there'`));
    await readUntil((outcomes) => outcomes.slice(1).some((one) => said(one) === 'there'), connector);
    const { outcomes } = await read(connector);
    expect(outcomes.map(({ position }) => position)).toEqual(outcomes.map((_, at) => at + 1));
    expect(said(outcomes[0]!)).toBe('there');
  });

  it('fails when a thread exits, and starts another thread for the next feed', async () => {
    drop(lines(500));
    begin({
      most: 1,
      ...threadThat(`() => {
        const fs = require('node:fs');
        if (fs.existsSync(${JSON.stringify(`${directory}/has-ended`)})) return 'there';
        fs.writeFileSync(${JSON.stringify(`${directory}/has-ended`)}, '');
        process.exit(3);
      }`),
    });
    const failure = await readUntil(() => false, aLineConnector()).catch((error: unknown) => error);
    expect(failure).toEqual(new Error('a thread that maps records has ended'));
    await readUntil((outcomes) => outcomes.some((one) => said(one) === 'there'), aLineConnector());
  });

  it('maps in the reading thread when no thread can start, and reports the reason once', async () => {
    drop(lines(500));
    const failures: string[] = [];
    const script = join(directory, 'is-not-there.js');
    begin({ script, onFailure: ({ message }) => failures.push(message) });
    for (let round = 0; round < 3; round += 1) {
      const { outcomes } = await read(aLineConnector());
      expect(outcomes.map(said)).toEqual(Array(500).fill('listing'));
      await sleep(200);
    }
    expect(failures).toEqual([expect.stringContaining(script)]);
  });

  it('stops immediately when the run is aborted, and terminates a thread that does not stop', async () => {
    drop(lines(500));
    begin({ most: 1, stuckMs: 50, ...threadThat(`() => { for (;;); }`) });
    const abort = new AbortController();
    const reading = (async () => {
      for (;;) await read(aLineConnector(), { signal: abort.signal });
    })();
    const ended = expect(reading).rejects.toThrow('the run was cancelled');
    await sleep(1000);
    abort.abort(new Error('the run was cancelled'));
    await ended;
    while (threads.size > 0) await sleep(10);
  });

  it('does not wait for a thread when the run is already aborted', async () => {
    drop(lines(100));
    const begun = join(directory, 'has-begun');
    const goesOn = `() => { require('node:fs').writeFileSync(${JSON.stringify(begun)}, ''); for (;;); }`;
    begin({ most: 1, stuckMs: 50, ...threadThat(goesOn) });
    let failure: unknown;
    // If the run is aborted before the thread has begun, the test tries again.
    while (!existsSync(begun) || !(failure instanceof Error)) {
      const abort = new AbortController();
      const connector = aLineConnector({
        ...lineFormat,
        async *slice(part) {
          yield* lineFormat.slice(part);
          abort.abort(new Error('the run was cancelled'));
        },
      });
      failure = await read(connector, { signal: abort.signal }).catch((error: unknown) => error);
      await sleep(5);
    }
    expect(failure).toEqual(new Error('the run was cancelled'));
    while (threads.size > 0) await sleep(10);
  });

  it('ends idle threads', async () => {
    drop(lines(100));
    begin({ most: 1, idleMs: 300, ...threadThat(`() => 'there'`) });
    await readUntil((outcomes) => outcomes.some((one) => said(one) === 'there'), aLineConnector());
    while (threads.size > 0) await sleep(10);
  });

  it('starts no thread for a small feed or for a feed of known records', async () => {
    begin({ recordsAhead: 100, ...FROM_SOURCES });
    drop(lines(100));
    await read(aLineConnector());
    drop(lines(500));
    await read(aLineConnector(), { isKnown: () => true });
    expect(threads.size).toBe(0);
  });

  it('starts no thread when none are allowed', async () => {
    begin({ most: 0 });
    drop(lines(500));
    expect((await read(aLineConnector())).outcomes.map(({ kind }) => kind)).toEqual(Array(500).fill('listing'));
    expect(threads.size).toBe(0);
  });
});
