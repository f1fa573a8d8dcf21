import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectorRegistry, type FeedTrial, isFailed, loadRegistry, tryFeed } from '@passerelle/connectors';
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

  describe('reads a saved answer of an API like the answer itself', () => {
    const folder = mkdtempSync(join(tmpdir(), 'saved-answers-'));
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    async function saved(code: string, answer: unknown): Promise<FeedTrial> {
      const file = join(folder, `${code}.json`);
      writeFileSync(file, typeof answer === 'string' ? answer : JSON.stringify(answer));
      return await tried(code, file);
    }

    it('propstack, whose members have labels', async () => {
      const unit = {
        ...{ id: 1, marketing_type: 'BUY', rs_type: 'APARTMENT', zip_code: '10115', city: 'Berlin', country: 'DEU' },
        ...{ property_status: { id: 2, name: 'Vermarktung' }, price: { label: 'Preis', value: 180000 } },
      };
      const list = await saved('propstack', { data: [unit], meta: { total_count: 1 } });
      expect(list.listings[0]?.listing.prix).toBe(180000);
      expect(list.warnings).toEqual([]);
      expect((await saved('propstack', unit)).listings).toEqual(list.listings);
    });

    it('onoffice, with the answer about pictures after the answer about estates', async () => {
      const answer = (resourcetype: string, records: object[]): object => ({
        status: { code: 200, errorcode: 0, message: 'OK' },
        response: {
          results: [
            { resourcetype, data: { meta: { cntabsolute: records.length }, records }, status: { errorcode: 0 } },
          ],
        },
      });
      const elements = { objektart: 'haus', vermarktungsart: 'kauf', kaufpreis: '250000.00', veroeffentlichen: '1' };
      const picture = { estateid: 7, type: 'Foto', url: 'https://image.onoffice.de/a/7.jpg', title: 'Garten' };
      const estates = answer('estate', [{ id: 7, type: 'estate', elements }]);
      const pictures = answer('estatepictures', [{ id: 1, type: 'files', elements: [picture] }]);
      const { error, listings } = await saved('onoffice', [estates, pictures]);
      expect(error).toBeNull();
      expect(listings[0]?.listing).toMatchObject({ affId: '7', prix: 250000, photos: [{ legende: 'Garten' }] });
      expect((await saved('onoffice', estates)).count).toBe(1);
    });

    it('reapit and omnicasa, whose lists are inside the answer', async () => {
      const fixture = (path: string): unknown => JSON.parse(readFileSync(join(SOURCES, path), 'utf8'));
      const { properties } = fixture('reapit/__fixtures__/properties.json') as { properties: unknown[] };
      const embedded = await saved('reapit', { _embedded: properties, totalCount: properties.length });
      expect(embedded.listings).toEqual((await saved('reapit', { properties })).listings);
      const Value = fixture('omnicasa/__fixtures__/properties.json') as object;
      const wrapped = await saved('omnicasa', { GetPropertyListJsonResult: { Success: true, Value } });
      expect(wrapped.listings).toEqual((await saved('omnicasa', Value)).listings);
      expect(wrapped.count).toBeGreaterThan(0);
    });

    it.each([
      ['propstack', { error: 'unauthorized' }],
      ['onoffice', { status: { code: 400, errorcode: 137, message: 'no such field' }, response: { results: [] } }],
      ['omnicasa', { GetPropertyListJsonResult: { Success: false, Code: 5, Message: 'unknown customer' } }],
      ['onoffice', [null]],
      ['reapit', { statusCode: 403, description: 'Forbidden' }],
      ['poliris', 'Access denied'],
    ])('reports that an error document of %s is not a list: %j', async (code, answer) => {
      expect(isFailed(await saved(code, answer))).toBe(true);
    });

    it('does not take an empty list for an error', async () => {
      expect(isFailed(await saved('propstack', { data: [], meta: { total_count: 0 } }))).toBe(false);
    });
  });

  it('refuses a missing file', () => {
    expect(() => tried('kyero', '/nowhere/feed.xml')).toThrow(new UsageError('there is no file /nowhere/feed.xml'));
  });
});
