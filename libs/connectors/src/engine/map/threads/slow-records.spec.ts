import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '../../../kit/contracts';
import type { RecordOutcome } from '../../contracts';
import { openFeed } from '../../read-feed';
import { loadConnector } from '../../registry';
import { archiveOf } from '../../../../../../test/support/connectors/read-dropped';
import { MappingThreads, type MappingThreadsOptions } from './mapping-threads';

// The connectors and the threads are real; the threads run from the TypeScript sources. Only `normalize` is replaced in
// them, so that it can be slow.

const TSX = ['--require', createRequire(__filename).resolve('tsx/cjs')];
/** Longer than any other text in the feeds of this file. */
const LONG = 2_000;
const LARGE = 80_000;

let directory: string;
let threads: MappingThreads | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slow-records-'));
});

afterEach(async () => {
  await threads?.close();
  rmSync(directory, { recursive: true });
});

/** Threads that run the code in `then` when they normalize a long text. */
function slowThreads(then: string, options: Partial<MappingThreadsOptions> = {}): void {
  const script = join(directory, 'thread.js');
  writeFileSync(
    script,
    `const normalize = String.prototype.normalize;
     String.prototype.normalize = function (form) {
       if (this.length > ${LONG}) { ${then} }
       return normalize.call(this, form);
     };
     require(${JSON.stringify(join(__dirname, 'mapping-thread.ts'))});`,
  );
  threads = new MappingThreads({ most: 0, cpuMs: 300, script, execArgv: TSX, ...options });
}

async function read(connector: Connector, feed: Buffer | string): Promise<RecordOutcome[]> {
  writeFileSync(join(directory, 'feed'), feed);
  utimesSync(join(directory, 'feed'), 1_700_000_000, 1_700_000_000);
  const limits = { maxBytes: 1e8, timeoutMs: 300_000, idleTimeoutMs: 60_000 };
  const request = {
    ...{ source: { url: 'file:feed', credentials: {}, settings: {} }, previous: {}, isKnown: () => false },
    ...{ outbound: { allowPrivate: new Set<string>(), inboxDir: directory, ...limits } },
    signal: new AbortController().signal,
  };
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of openFeed(connector, request, threads).outcomes) outcomes.push(outcome);
  return outcomes;
}

const property = (id: number, text = 'Villa'): string =>
  `<property><id>${id}</id><ref>R${id}</ref><town>Nice</town><desc><fr>${text}</fr></desc></property>`;
const feedOf = (...properties: string[]): string => `<root>${properties.join('')}</root>`;
const shown = (outcome: RecordOutcome): string =>
  outcome.kind === 'rejected'
    ? `${outcome.rejection.code} ${outcome.rejection.recordId ?? ''}`
    : `${outcome.kind} ${'affId' in outcome ? outcome.affId : ''}`;

describe('a record whose mapping takes too long', () => {
  const LOOPS = 'for (;;);';
  const kyero = loadConnector('kyero');

  it('is rejected after two tries, with its id and position, while timers keep running', async () => {
    const begun = join(directory, 'begun');
    slowThreads(`require('node:fs').appendFileSync(${JSON.stringify(begun)}, 'x'); ${LOOPS}`);
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    const outcomes = await read(kyero, feedOf(property(1), property(2, 'x'.repeat(LARGE)), property(3)));
    clearInterval(ticking);
    expect(outcomes.map(shown)).toEqual(['listing 1', 'too_slow 2', 'listing 3']);
    expect(outcomes.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(outcomes[1]).toMatchObject({
      rejection: {
        message: 'mapping the record took more than 0.3 s of computing time in both attempts',
        excerpt: expect.stringMatching(/^line 1, \d+ bytes$/),
      },
    });
    expect(ticks).toBeGreaterThan(20);
    expect(readFileSync(begun, 'utf8')).toBe('xx');
  });

  it('is mapped by the second try when only the first try was slow', async () => {
    const begun = JSON.stringify(join(directory, 'begun'));
    slowThreads(
      `const fs = require('node:fs'); if (!fs.existsSync(${begun})) { fs.writeFileSync(${begun}, ''); ${LOOPS} }`,
    );
    const outcomes = await read(kyero, feedOf(property(1, 'x'.repeat(LARGE)), property(2)));
    expect(outcomes.map(shown)).toEqual(['listing 1', 'listing 2']);
    expect(existsSync(join(directory, 'begun'))).toBe(true);
  });

  it('causes no rejection of other records in its batch or in the next batches', async () => {
    slowThreads(LOOPS, { most: 1, recordsAhead: 0 });
    const properties = Array.from({ length: 200 }, (_, at) =>
      property(at, at === 40 ? 'x'.repeat(LONG + 1_000) : 'Villa'),
    );
    const expected = properties.map((_, at) => `listing ${at}`);
    // The reading thread maps all records until another thread is ready.
    for (let isRejected = false; !isRejected;) {
      const outcomes = (await read(kyero, feedOf(...properties))).map(shown);
      isRejected = outcomes[40] === 'too_slow 40';
      expect(outcomes).toEqual(expected.with(40, outcomes[40]!));
    }
  });

  it('keeps its photos from the archive when a thread maps it', async () => {
    slowThreads('');
    const openimmo = loadConnector('openimmo');
    const object = (id: number, text: string): string =>
      `<immobilie><freitexte><objektbeschreibung>${text}</objektbeschreibung></freitexte>
       <anhaenge><anhang location="EXTERN" gruppe="TITELBILD"><format>jpg</format><daten><pfad>${id}.jpg</pfad></daten></anhang></anhaenge>
       <verwaltung_techn><openimmo_obid>${id}</openimmo_obid><objektnr_extern>${id}</objektnr_extern></verwaltung_techn></immobilie>`;
    const archive = archiveOf({
      'feed.xml': `<openimmo><uebertragung umfang="VOLL"/><anbieter><firma>A</firma><openimmo_anid>A1</openimmo_anid>
        ${object(1, 'Haus')}${object(2, 'x'.repeat(LARGE))}</anbieter></openimmo>`,
      ...{ '1.jpg': 'one', '2.jpg': 'two' },
    });
    const outcomes = await read(openimmo, archive);
    const photosOf = (outcome: RecordOutcome): unknown =>
      outcome.kind === 'listing' && (JSON.parse(outcome.normalized.toString()) as { photos: { url: string }[] }).photos;
    expect(outcomes.map(photosOf)).toEqual([
      [expect.objectContaining({ url: 'archive:1.jpg' })],
      [expect.objectContaining({ url: 'archive:2.jpg' })],
    ]);
  });
});

describe('a small record whose mapping takes too long', () => {
  /** A connector whose mapping takes quadratic time in the reading thread, but not in other threads. */
  const quadratic = (blanks = '\\s*'): Connector => {
    const kyero = loadConnector('kyero');
    return {
      ...kyero,
      map(record, context) {
        const text = JSON.stringify(record);
        // Takes far more than linear time. The expression is built here, because the linter rejects it as a literal.
        if (text.length > LONG) new RegExp(`${blanks}${blanks}${blanks}y$`).test(' '.repeat(5_000));
        return kyero.map(record, context);
      },
    };
  };

  it('moves from the reading thread to another thread, which maps it', async () => {
    slowThreads('');
    const outcomes = await read(quadratic(), feedOf(property(1), property(2, 'x '.repeat(4_000)), property(3)));
    expect(outcomes.map(shown)).toEqual(['listing 1', 'listing 2', 'listing 3']);
  });

  it('also moves to another thread when it comes from an archive', async () => {
    slowThreads('');
    const connector: Connector = { ...quadratic(), open: { container: 'zip-or-plain', holdsRecords: () => true } };
    const feed = archiveOf({ 'feed.xml': feedOf(property(1), property(2, 'x '.repeat(4_000))) });
    expect((await read(connector, feed)).map(shown)).toEqual(['listing 1', 'listing 2']);
  });
});
