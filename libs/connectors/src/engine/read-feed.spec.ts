import AdmZip from 'adm-zip';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadFeed } from '@passerelle/domain';
import type { Connector } from '../kit/contracts';
import type { FeedRequest, FeedSummary, OutboundPolicy, RecordOutcome } from './contracts';
import { mappingOf, masksOf } from './map/record-hash';
import { openFeed } from './read-feed';
import { sliceXml } from './cut/slicers';
import { aLineConnector, lineFormat } from '../../../../test/support/connectors/fake-connectors';
import { readable } from '../../../../test/support/connectors/readable';

let inboxDir: string;

beforeEach(() => {
  inboxDir = mkdtempSync(join(tmpdir(), 'feed-spec-'));
});

afterEach(() => {
  rmSync(inboxDir, { recursive: true });
});

let ageMs = 1_000_000;

function drop(content: string | Buffer): void {
  writeFileSync(join(inboxDir, 'feed'), content);
  ageMs -= 1000;
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(join(inboxDir, 'feed'), time, time);
}

function outbound(): OutboundPolicy {
  return { allowPrivate: new Set(), inboxDir, maxBytes: 10_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000 };
}

function aRequest(): FeedRequest {
  return {
    source: { url: 'file:feed', credentials: {}, settings: {} },
    previous: {},
    isKnown: () => false,
    outbound: outbound(),
    signal: new AbortController().signal,
  };
}

async function read(
  changes: Partial<FeedRequest> = {},
  connector: Connector = aLineConnector(),
): Promise<{ outcomes: RecordOutcome[]; summary: FeedSummary; hashes: string[] }> {
  const reading = openFeed(connector, { ...aRequest(), ...changes });
  expect(() => reading.summary()).toThrow('the feed has not been read to its end');
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  return { outcomes, summary: reading.summary(), hashes: hashesOf(outcomes) };
}

function hashesOf(outcomes: readonly RecordOutcome[]): string[] {
  return outcomes.flatMap((outcome) => ('hash' in outcome ? [outcome.hash] : []));
}

describe('openFeed', () => {
  it('returns one outcome for each record, in order, and a summary', async () => {
    drop('1;Lyon\n2;Atlantis\n');
    const { outcomes, summary } = await read();
    expect(outcomes.map(readable)).toEqual([
      {
        kind: 'listing',
        position: 1,
        hash: expect.stringMatching(/^[0-9a-f]{32}$/),
        affId: '1',
        affNum: undefined,
        scope: '',
        revision: undefined,
        fill: (1 << 9) | (1 << 14),
        duties: 0,
        normalized: '{"affId":"1","passerelleName":"lines","ville":"Lyon","photos":[]}',
        raw: '{"affId":"1","passerelleName":"lines","id":"1","town":"Lyon"}',
        searchFields: '["am","","1","Lyon"]',
        searchWords: Buffer.alloc(0),
        contentHash: expect.stringMatching(/^[0-9a-f]{32}$/),
        empreinte: expect.stringMatching(/^[0-9a-f]{16}$/),
        photosEmpreinte: null,
      },
      expect.objectContaining({ position: 2, affId: '2' }),
    ]);
    expect(summary).toEqual({
      notModified: false,
      fetchedBytes: 18,
      records: 2,
      incomplete: null,
      coverage: { kind: 'whole' },
      warnings: [{ code: 'unknown_word', field: 'town', value: 'Atlantis', count: 1, examples: ['2'] }],
      memory: {
        mappingKey: expect.any(String),
        etag: expect.any(String),
        fingerprint: expect.any(String),
        sizeBytes: 18,
        mappedAs: expect.any(String),
        unknownElements: [],
      },
      unknownElements: {},
    });
  });

  it('rejects a bad record with its reason and continues', async () => {
    drop(`bad;Ys\ncrash;secret\ngarbled\n${'x'.repeat(300)}\nsold;Lyon\n;Lyon\n1;Lyon`);
    const { outcomes, summary } = await read();
    expect(outcomes.slice(0, 6)).toEqual([
      {
        kind: 'rejected',
        position: 1,
        rejection: {
          position: 1,
          code: 'invalid_value',
          field: 'town',
          message: 'the town is not one',
          excerpt: '{"town":"Ys"}',
        },
      },
      {
        kind: 'rejected',
        position: 2,
        rejection: {
          position: 2,
          code: 'malformed',
          message: 'the record could not be read (TypeError)',
          excerpt: '{"id":"crash","town":"secret"}',
        },
      },
      {
        kind: 'rejected',
        position: 3,
        rejection: { position: 3, code: 'malformed', message: 'the line has no columns', excerpt: 'line 3, 7 bytes' },
      },
      {
        kind: 'rejected',
        position: 4,
        rejection: {
          position: 4,
          code: 'too_large',
          message: 'the record is larger than 200 bytes',
          excerpt: 'line 4, 300 bytes',
        },
      },
      {
        kind: 'withdrawn',
        position: 5,
        affId: 'sold',
        scope: '',
        rejection: { position: 5, recordId: 'sold', code: 'withdrawn', message: 'sold' },
      },
      {
        kind: 'rejected',
        position: 6,
        rejection: expect.objectContaining({ position: 6, code: 'missing_id' }),
      },
    ]);
    expect(outcomes[6]).toMatchObject({ kind: 'listing', position: 7, affId: '1' });
    expect(summary.records).toBe(7);
  });

  it('neither parses nor maps a known record', async () => {
    drop('1;Lyon\n2;Nice');
    const { hashes } = await read();
    drop('1;Lyon\n3;Nice');
    const parsed: string[] = [];
    const format = {
      ...lineFormat,
      parse: (bytes: Buffer): string[] => {
        parsed.push(bytes.toString());
        return ['3'];
      },
    };
    const { outcomes } = await read({ isKnown: (hash) => hashes.includes(hash) }, aLineConnector({ format }));
    expect(outcomes[0]).toEqual({ kind: 'unchanged', position: 1, hash: hashes[0] });
    expect(parsed).toEqual(['3;Nice']);
  });

  it('reads no records when the file or its bytes are unchanged', async () => {
    const beforeRecords = jest.fn(() => Promise.resolve());
    drop('1;Lyon');
    const { summary } = await read({ beforeRecords });
    const untouched = await read({ beforeRecords, previous: summary.memory });
    expect(untouched.outcomes).toEqual([]);
    expect(untouched.summary).toMatchObject({ notModified: true, records: 0, memory: summary.memory, fetchedBytes: 0 });
    drop('1;Lyon');
    const touched = await read({ beforeRecords, previous: summary.memory });
    expect(touched.summary).toMatchObject({ notModified: true, records: 0, fetchedBytes: 6 });
    expect(beforeRecords).toHaveBeenCalledTimes(1);
    expect(touched.summary.memory.etag).not.toBe(summary.memory.etag);
  });

  it('announces records as soon as the size shows that the file has changed', async () => {
    const expectRecords = jest.fn();
    drop('1;Lyon');
    const { summary } = await read({ expectRecords });
    expect(expectRecords).toHaveBeenCalledTimes(1);
    const previous = summary.memory;
    await read({ expectRecords, previous });
    drop('2;Lyon');
    await read({ expectRecords, previous });
    expect(expectRecords).toHaveBeenCalledTimes(1);
    drop('1;Paris');
    await read({ expectRecords, previous });
    expect(expectRecords).toHaveBeenCalledTimes(2);
    // The size is the same, but the mapping has changed.
    await read({ expectRecords, previous: { ...previous, sizeBytes: 7 } }, aLineConnector({ version: 2 }));
    expect(expectRecords).toHaveBeenCalledTimes(3);
  });

  it('reads an unchanged document again when the connector or its settings have changed', async () => {
    drop('1;Lyon');
    const first = await read();
    const source = { url: 'file:feed', credentials: { token: 'new' }, settings: {} };
    const { memory: previous } = first.summary;
    expect((await read({ previous, source })).summary.notModified).toBe(true);
    const raised = await read({ previous }, aLineConnector({ version: 2 }));
    const inPounds = await read({ previous, source: { ...source, settings: { currency: 'GBP' } } });
    expect([raised, inPounds].map(({ summary }) => summary.notModified)).toEqual([false, false]);
    // Rows of listings store the hash with the mask of their mapping.
    expect(raised.hashes).toEqual(first.hashes);
    expect(masksOf(aLineConnector({ version: 2 }), previous)).not.toEqual(masksOf(aLineConnector(), previous));
    expect(inPounds.hashes).not.toEqual(first.hashes);
  });

  it('does not read an unchanged document again when its listings are mapped from stored records later', async () => {
    drop('1;Lyon');
    const { memory: previous } = (await read({}, aLineConnector({ remap: { since: 1 } }))).summary;
    const raised = aLineConnector({ version: 2, remap: { since: 1 } });
    const { summary } = await read({ previous, remapsLater: true }, raised);
    expect(summary).toMatchObject({ notModified: true, memory: previous });
    drop('1;Paris');
    const { memory } = (await read({ previous, remapsLater: true }, raised)).summary;
    expect(memory).toMatchObject({ mappedAs: mappingOf(raised), beside: {} });
    expect(memory.mappingKey).not.toBe(previous.mappingKey);
  });

  it('passes elements beside the records to the mapping, and maps the records again when these elements change', async () => {
    const archive = (config: string): Buffer => {
      const zip = new AdmZip();
      zip.addFile('annonces.csv', Buffer.from('1;Lyon\n2;Nice'));
      zip.addFile('CONFIG.txt', Buffer.from(config));
      return zip.toBuffer();
    };
    const connector = aLineConnector({
      open: {
        container: 'zip',
        holdsRecords: (name) => name === 'annonces.csv',
        sidecars: { config: (name) => name === 'config.txt' },
      },
      map: ([affId = ''], { feed }) => ({
        kind: 'listing',
        listing: { affId, passerelleName: '', intitule: String(feed['config']), photos: [] },
      }),
    });
    drop(archive('a'));
    const first = await read({}, connector);
    expect(first.outcomes.map(readable)[1]).toMatchObject({ normalized: expect.stringContaining('"intitule":"a"') });
    drop(archive('b'));
    const second = await read({ isKnown: (hash) => first.hashes.includes(hash) }, connector);
    expect(second.outcomes.map(({ kind }) => kind)).toEqual(['listing', 'listing']);
    drop(archive('a'));
    const third = await read({ isKnown: (hash) => first.hashes.includes(hash) }, connector);
    expect(third.outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
  });

  it('treats the same record as unknown when it belongs to another agency', async () => {
    const agencies = ['a', 'b'];
    let record = 0;
    const connector = aLineConnector({
      format: {
        ...lineFormat,
        async *slice(part) {
          record = 0;
          // Some formats create the context slice of a record only after they have cut the record out.
          for await (const slice of sliceXml(part, { root: 'root', record: 'r' })) {
            if (slice.kind === 'record') {
              yield { kind: 'context', name: 'agency', bytes: Buffer.from(agencies[record] ?? '') };
              record += 1;
            }
            yield slice;
          }
        },
      },
    });
    drop('<root><r>1;Lyon</r><r>1;Lyon</r></root>');
    const { hashes } = await read({}, connector);
    const isKnown = (hash: string): boolean => hash === hashes[0];
    expect((await read({ isKnown }, connector)).outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'listing']);
  });

  it('maps a record again when the preceding context slice has changed', async () => {
    const sliced = (agencies: [string, string]): Connector =>
      aLineConnector({
        format: {
          ...lineFormat,
          async *slice(part) {
            for await (const chunk of part.open()) {
              for (const agency of agencies) {
                yield { kind: 'context', name: 'agency', bytes: Buffer.from(agency) };
                yield { kind: 'record', bytes: chunk, line: 1 };
              }
            }
          },
        },
      });
    drop('1;Lyon');
    const first = await read({}, sliced(['a', 'b']));
    expect(new Set(first.hashes).size).toBe(2);
    const second = await read({ isKnown: (hash) => first.hashes.includes(hash) }, sliced(['a', 'c']));
    expect(second.outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'listing']);
  });

  it('keeps no memory of an incomplete feed', async () => {
    drop('1;Lyon');
    const format: Connector['format'] = {
      ...lineFormat,
      toRaw: () => ({}),
      async *slice(part) {
        yield* lineFormat.slice(part);
        yield { kind: 'incomplete', message: 'cut' };
      },
    };
    const { summary } = await read({}, aLineConnector({ format: format as typeof lineFormat }));
    expect(summary).toMatchObject({ records: 1, incomplete: 'cut', memory: {} });
  });

  it('rejects a feed with more records than a run can hold', async () => {
    drop('1;Lyon\n2;Nice\n3;Lille');
    expect((await read({ outbound: { ...outbound(), maxRecords: 3 } })).summary.records).toBe(3);
    await expect(read({ outbound: { ...outbound(), maxRecords: 2 } })).rejects.toThrow(
      new BadFeed('the feed has more than 2 records'),
    );
  });

  it('only warns about a wrong declared count when the operator ignores declared counts', async () => {
    drop('1;Lyon\n2;Nice');
    const format: typeof lineFormat = {
      ...lineFormat,
      async *slice(part) {
        yield { kind: 'declared', count: 3 };
        yield* lineFormat.slice(part);
      },
    };
    const { summary } = await read({ ignoresDeclaredCount: true }, aLineConnector({ format }));
    expect([summary.incomplete, summary.warnings.length]).toEqual([null, 1]);
  });

  it.each([
    ['fewer records than declared', 3, 'the source declares 3 records and gave 2'],
    ['more records than declared', 1, 'the source declares 1 records and gave 2'],
  ])('warns about %s', async (_what, count, incomplete) => {
    drop('1;Lyon\n2;Nice');
    const format: typeof lineFormat = {
      ...lineFormat,
      async *slice(part) {
        yield { kind: 'declared', count };
        yield* lineFormat.slice(part);
      },
    };
    const { summary } = await read({}, aLineConnector({ format }));
    expect(summary.incomplete).toBe(incomplete);
    expect(summary.warnings).toEqual([
      { code: 'declared_count', field: '', value: String(count), count: 1, examples: [] },
    ]);
  });

  it('rejects a feed of 0 bytes, and finds no record in an archive with an empty file', async () => {
    drop('');
    await expect(read()).rejects.toThrow(new BadFeed('the feed is empty (0 bytes)'));
    const zip = new AdmZip();
    zip.addFile('annonces.csv', Buffer.alloc(0));
    drop(zip.toBuffer());
    expect((await read()).summary).toMatchObject({ records: 0, incomplete: null });
  });

  it('reports the coverage that the connector declares', async () => {
    drop('1;Lyon');
    expect((await read({}, aLineConnector({ coverage: () => ({ kind: 'delta' }) }))).summary.coverage).toEqual({
      kind: 'delta',
    });
  });

  it('returns the outcomes that precede a failure', async () => {
    drop('bad;Lyon\n2;Lyon\n');
    const failing = aLineConnector({
      format: {
        ...lineFormat,
        async *slice(part) {
          yield* lineFormat.slice(part);
          throw new BadFeed('the rest cannot be read');
        },
      },
    });
    const outcomes: RecordOutcome[] = [];
    const readAll = async (): Promise<void> => {
      for await (const outcome of openFeed(failing, aRequest()).outcomes) outcomes.push(outcome);
    };
    await expect(readAll()).rejects.toThrow('the rest cannot be read');
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'listing']);
  });

  it('stops between records when the run is aborted', async () => {
    drop('1;Lyon\n'.repeat(50_000));
    const controller = new AbortController();
    const isKnown = (): boolean => {
      controller.abort(new Error('cancelled'));
      return true;
    };
    await expect(read({ signal: controller.signal, isKnown })).rejects.toThrow('cancelled');
  });

  it('lets timers run while it reads', async () => {
    drop('1;Lyon\n'.repeat(20_000));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await read();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
