import AdmZip from 'adm-zip';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openFeed } from '../../engine/read-feed';
import type { FeedSummary, RecordOutcome } from '../../engine/contracts';
import { connector } from './connector';

let inboxDir: string;

beforeEach(() => {
  inboxDir = mkdtempSync(join(tmpdir(), 'openimmo-spec-'));
});

afterEach(() => {
  rmSync(inboxDir, { recursive: true });
});

interface Transfer {
  umfang?: string;
  /** The objects of each agency: `id` or `id ACTION`. */
  agencies: Record<string, string[]>;
  timestamp?: string;
}

function xml({ umfang = 'VOLL', agencies, timestamp = '2024-04-01T00:00:00' }: Transfer): string {
  const anbieter = Object.entries(agencies).map(([anid, objects]) => {
    const immobilien = objects.map((object) => {
      const [id = '', action = ''] = object.split(' ');
      return `<immobilie><verwaltung_techn><aktion aktionart="${action}"/><openimmo_obid>${id}</openimmo_obid></verwaltung_techn></immobilie>`;
    });
    return `<anbieter><firma>Firma ${anid}</firma><openimmo_anid>${anid}</openimmo_anid>${immobilien.join('')}</anbieter>`;
  });
  return `<openimmo><uebertragung umfang="${umfang}" timestamp="${timestamp}"/>${anbieter.join('')}</openimmo>`;
}

/** Reads a feed that a CRM has dropped: an XML document, or the files of an archive by name. */
async function read(
  dropped: string | Record<string, string>,
  known: ReadonlySet<string> = new Set(),
): Promise<{ outcomes: string[]; hashes: Set<string>; summary: FeedSummary }> {
  writeFileSync(join(inboxDir, 'feed'), typeof dropped === 'string' ? dropped : archiveOf(dropped));
  // The engine would wait for a file that was just written, because it may still be growing.
  utimesSync(join(inboxDir, 'feed'), 1_700_000_000, 1_700_000_000);
  const reading = openFeed(connector, {
    source: { url: 'file:feed', credentials: {}, settings: {} },
    previous: {},
    isKnown: (hash) => known.has(hash),
    outbound: { allowPrivate: new Set(), inboxDir, maxBytes: 10_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000 },
    signal: new AbortController().signal,
  });
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  return {
    outcomes: outcomes.map((outcome) => ('affId' in outcome ? `${outcome.kind} ${outcome.affId}` : outcome.kind)),
    hashes: new Set(outcomes.flatMap((outcome) => ('hash' in outcome ? [outcome.hash] : []))),
    summary: reading.summary(),
  };
}

function archiveOf(files: Record<string, string>): Buffer {
  const zip = new AdmZip();
  for (const [name, content] of Object.entries(files)) zip.addFile(name, Buffer.from(content));
  return zip.toBuffer();
}

describe('OpenImmo transfer', () => {
  it('covers the agencies that it names when it is complete', async () => {
    const { outcomes, summary } = await read(xml({ agencies: { A: ['1', '2'], B: [] } }));
    expect(outcomes).toEqual(['listing A-1', 'listing A-2']);
    expect(summary.coverage).toEqual({ kind: 'whole-scopes', scopes: ['A', 'B'] });
  });

  it('removes only the objects marked as deleted when it is partial', async () => {
    const { outcomes, summary } = await read(xml({ umfang: 'TEIL', agencies: { A: ['1 CHANGE', '2 DELETE', '3'] } }));
    expect(outcomes).toEqual([
      ...['listing A-1', 'withdrawn A-1-location', 'withdrawn A-2', 'withdrawn A-2-location'],
      ...['listing A-3', 'withdrawn A-3-location'],
    ]);
    expect(summary.coverage).toEqual({ kind: 'whole-scopes', scopes: [] });
  });

  it('changes nothing, and is accepted, when it is partial and has no objects', async () => {
    const { outcomes, summary } = await read(xml({ umfang: 'TEIL', agencies: { A: [] } }));
    expect([outcomes, summary.coverage, summary.incomplete]).toEqual([[], { kind: 'whole-scopes', scopes: [] }, null]);
  });

  it('has no new records when it is repeated with another timestamp', async () => {
    const first = await read(xml({ agencies: { A: ['1', '2'] } }));
    const again = await read(xml({ agencies: { A: ['1', '2'] }, timestamp: '2024-04-02T00:00:00' }), first.hashes);
    expect(again.outcomes).toEqual(['unchanged', 'unchanged']);
  });

  it('is incomplete when its file is truncated', async () => {
    const { summary } = await read(xml({ agencies: { A: ['1', '2'] } }).slice(0, -40));
    expect(summary.incomplete).toMatch(/ends at line 1/);
  });
});

describe('OpenImmo archive', () => {
  it('is read file by file, each with a separate scope, when it has several XML files', async () => {
    const { outcomes, summary } = await read({
      'export/A.XML': xml({ agencies: { A: ['1'] } }),
      'export/b.xml': xml({ umfang: 'TEIL', agencies: { B: ['1', '2 DELETE'] } }),
      'export/KUECHE.jpg': 'picture',
      '__MACOSX/export/._A.XML': 'junk',
      'export/._b.xml': 'junk',
      'Thumbs.db': 'junk',
    });
    expect(outcomes).toEqual([
      ...['listing A-1', 'listing B-1', 'withdrawn B-1-location', 'withdrawn B-2', 'withdrawn B-2-location'],
    ]);
    expect(summary.coverage).toEqual({ kind: 'whole-scopes', scopes: ['A'] });
  });

  it('applies the deletions of a file only to that file', async () => {
    const { outcomes } = await read({
      'a.xml':
        '<openimmo><uebertragung modus="DELETE"/><anbieter><openimmo_anid>A</openimmo_anid><immobilie><verwaltung_techn><openimmo_obid>1</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>',
      'b.xml':
        '<openimmo><anbieter><openimmo_anid>A</openimmo_anid><immobilie><verwaltung_techn><openimmo_obid>2</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>',
    });
    expect(outcomes).toEqual(['withdrawn A-1', 'withdrawn A-1-location', 'listing A-2']);
  });

  it('is an empty feed when its XML file is empty', async () => {
    const { outcomes, summary } = await read({ 'a.xml': '' });
    expect([outcomes, summary.coverage]).toEqual([[], { kind: 'whole' }]);
  });

  it('is refused when it has no XML file', async () => {
    await expect(read({ 'bild.jpg': 'picture' })).rejects.toThrow(/does not hold the file/);
  });

  it('is read, with a warning, when it has an XML document of another format beside the transfer', async () => {
    const { outcomes, summary } = await read({
      'a.xml': xml({ agencies: { A: ['1'] } }),
      'export/b.xml': '<manifest/>',
    });
    expect(outcomes).toEqual(['listing A-1']);
    expect(summary.coverage).toEqual({ kind: 'whole-scopes', scopes: ['A'] });
    expect(summary.warnings.filter(({ field }) => field !== '')).toEqual([
      expect.objectContaining({ code: 'implausible_value', field: 'b.xml', count: 1 }),
    ]);
  });

  it.each([
    ['only an XML document of another format', { 'b.xml': '<manifest/>' }, /<manifest>/],
    ['an error page beside the transfer', { 'a.xml': xml({ agencies: { A: ['1'] } }), 'b.xml': '<error/>' }, /<error>/],
  ])('is refused when it has %s', async (_what, files, message) => {
    await expect(read(files)).rejects.toThrow(message);
  });
});
