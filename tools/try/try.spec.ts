import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectorRegistry, type FeedTrial, loadRegistry, tryFeed } from '@passerelle/connectors';
import { UsageError } from '../../apps/ops/src/errors';
import { startFeedServer } from '../../test/support/feed-server';
import { renderListing, renderTrial } from './render';
import { openSource } from './source';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const FIXTURES = readdirSync(SOURCES).flatMap((code) =>
  readdirSync(join(SOURCES, code, '__fixtures__'))
    .filter((name) => !/\.(expected|context)\.json$/.test(name))
    .map((name): [string, string] => [code, join(SOURCES, code, '__fixtures__', name)]),
);

// Real: connectors and engine, with files and HTTP.
describe('npm run try', () => {
  let registry: ConnectorRegistry;
  beforeAll(async () => {
    registry = await loadRegistry();
  });

  function tried(code: string, place: string, environment: Record<string, string> = {}): Promise<FeedTrial> {
    const connector = registry.get(code);
    if (connector === undefined) throw new Error(`no connector ${code}`);
    return tryFeed(connector, { ...openSource(connector, place, environment), settings: {}, credentials: {} });
  }

  it.each(FIXTURES)('shows the result of %s for %s', async (code, path) => {
    const trial = await tried(code, path);
    expect(trial).toMatchObject({ connector: code, error: null });
    const page = renderTrial(trial, 2);
    expect(page).toContain(`Listings: ${trial.listings.length}`);
    for (const { listing } of trial.listings.slice(0, 2)) expect(page).toContain(listing.affId);
    expect(page).not.toContain('PRIVATE');
  });

  it('counts listings, rejections, warnings and filled fields', async () => {
    const trial = await tried('kyero', join(SOURCES, 'kyero', '__fixtures__', 'v3.xml'));
    expect(trial).toMatchObject({ source: 'file:v3.xml', incomplete: null, records: 6 });
    expect([trial.listings.length, trial.rejections.length, trial.fill.prix]).toEqual([5, 1, 2]);
    expect(trial.warnings).toContainEqual({
      code: 'unknown_word',
      field: 'type',
      value: 'igloo',
      count: 1,
      examples: ['103'],
    });
    expect(renderTrial(trial, 10)).toContain('prix                     40 %');
    expect(JSON.parse(renderListing(trial, '103'))).toMatchObject({
      listing: { affId: '103' },
      raw: { type: 'igloo' },
    });
    expect(() => renderListing(trial, 'none')).toThrow(new UsageError('the feed has no listing "none"'));
  });

  it('shows the record that a run would keep when two records have the same id', async () => {
    const record = (id: string, day: string): string =>
      `<property><id>${id}</id><date>2026-01-${day} 10:00:00</date><ref>day ${day}</ref></property>`;
    const server = await startFeedServer({
      body: `<root>${record('1', '02')}${record('2', '01')}${record('1', '01')}${record('2', '03')}</root>`,
    });
    const trial = await tried('kyero', server.url, { ALLOW_PRIVATE_SOURCES: server.hostAndPort });
    await server.close();
    expect(trial.listings.map(({ listing }) => [listing.affId, listing.affNum])).toEqual([
      ['1', 'day 02'],
      ['2', 'day 03'],
    ]);
    expect(trial.warnings).toContainEqual(
      expect.objectContaining({ code: 'duplicate_id', count: 2, examples: ['1', '2'] }),
    );
  });

  it('explains why a feed cannot be read or is incomplete', async () => {
    const server = await startFeedServer({ body: '<html><body>Bad gateway</body></html>' });
    const environment = { ALLOW_PRIVATE_SOURCES: server.hostAndPort };
    const page = await tried('kyero', server.url, environment);
    expect(renderTrial(page, 10)).toMatch(/The feed cannot be read: .*html/);
    server.answer = { body: '<root><property><id>1</id></property><property><id>2' };
    expect(renderTrial(await tried('kyero', server.url, environment), 10)).toContain('The feed is incomplete: ');
    expect(() => tried('kyero', server.url)).toThrow(/ALLOW_PRIVATE_SOURCES/);
    await server.close();
  });

  it('refuses a missing file', () => {
    expect(() => tried('kyero', '/nowhere/feed.xml')).toThrow(new UsageError('there is no file /nowhere/feed.xml'));
  });
});
