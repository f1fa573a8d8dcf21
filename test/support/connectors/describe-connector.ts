import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Connector, RecordError } from '../../../libs/connectors/src/kit/contracts';
import {
  ARCHIVE_SETTINGS,
  TRANSPORT_CREDENTIALS,
  TRANSPORT_SETTINGS,
} from '../../../libs/connectors/src/kit/http-access';
import { LEAD_SETTINGS } from '../../../libs/connectors/src/kit/lead';
import { PHOTO_SETTINGS } from '../../../libs/connectors/src/kit/photo-series';
import { listingProblems } from './listing-problems';
import { oddValueProblems } from './odd-values';
import { readAndUnmapped } from './read-fields';
import { type FeedSurroundings, type ReadFeed, readRecords } from './read-records';
import { recordingContext } from './recording-context';
import { fingerprintsOf, readFingerprints, unraisedFixtures, writeFingerprints } from './version-fingerprints';

/** A marker in the private fields of fixtures, which makes a leak visible. */
export const PRIVATE_MARKER = 'PRIVATE';
const EXPECTED = '.expected.json';
const CONTEXT = '.context.json';
/**
 * `UPDATE_FIXTURES=1` overwrites the expected results with the actual ones. Check the difference before you commit it.
 */
const UPDATES_FIXTURES = process.env['UPDATE_FIXTURES'] === '1';

/** Texts that are no valid record of any feed. */
const GARBAGE = [
  '',
  ' ',
  '\0\x01\x02',
  '{',
  '{}',
  '[]',
  'null',
  '42',
  '"',
  '<',
  '<x',
  '<x/>',
  '<x><y></x>',
  '<!DOCTYPE x [<!ENTITY e "e">]><x>&e;</x>',
]
  .concat([
    '!#'.repeat(400),
    '""!#'.repeat(400),
    '['.repeat(10_000),
    '<a>'.repeat(10_000),
    '<x><__proto__>1</__proto__></x>',
    '{"__proto__":{"id":1}}',
  ])
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe, 0x00, 0xd8]), Buffer.alloc(1_000, 0xe9)]);

/**
 * The standard suite for every connector, which each spec calls in one line. Fixtures are feeds in `__fixtures__`. Each
 * fixture has a file `<name>.expected.json` and, if the feed needs settings and context, `<name>.context.json`.
 */
export function describeConnector<R>(connector: Connector<R>, { fixturesDir }: { fixturesDir: string }): void {
  const fixtures = readdirSync(fixturesDir).filter((name) => !name.endsWith(EXPECTED) && !name.endsWith(CONTEXT));
  const read = (name: string): Promise<ReadFeed> =>
    readRecords(connector, readFileSync(join(fixturesDir, name)), surroundingsOf(fixturesDir, name));

  describe(`${connector.code}: standard suite`, () => {
    it('has a README that names each of its credentials and settings', () => {
      const readme = readFileSync(join(dirname(fixturesDir), 'README.md'), 'utf8');
      const shared = new Set(
        Object.values({
          ...{ ...TRANSPORT_CREDENTIALS, ...TRANSPORT_SETTINGS, ...ARCHIVE_SETTINGS },
          ...{ ...LEAD_SETTINGS, ...PHOTO_SETTINGS },
        }),
      );
      // Compare the descriptions instead of the names, because an API may have a different credential that is also
      // called `token`.
      for (const [name, sentence] of Object.entries({ ...connector.credentials, ...connector.settings })) {
        if (!shared.has(sentence)) expect(readme).toContain(`\`${name}\``);
      }
    });

    it('has fixtures', () => {
      expect(fixtures).not.toEqual([]);
    });

    it.each(fixtures)('reads %s as expected', async (name) => {
      const got = JSON.parse(JSON.stringify(await read(name), withoutEmptyCells)) as ReadFeed;
      const expectedFile = join(fixturesDir, `${name}${EXPECTED}`);
      if (UPDATES_FIXTURES) writeFileSync(expectedFile, `${JSON.stringify(got, null, 2)}\n`);
      expect(got).toEqual(JSON.parse(readFileSync(expectedFile, 'utf8')));
    });

    it('gets a new version with every change of its mapping, so that one version always maps a record to the same result', async () => {
      const folder = dirname(fixturesDir);
      const recorded = readFingerprints(folder);
      // The first version of a connector has no earlier records.
      if (recorded === undefined && connector.version === 1 && !UPDATES_FIXTURES) return;
      const feeds = await Promise.all(fixtures.map(async (name) => ({ name, records: (await read(name)).records })));
      const now = fingerprintsOf(connector.version, fixturesDir, feeds);
      // If this fails, raise the version in connector.ts, because known records keep their old mapping until then.
      expect(unraisedFixtures(recorded, now)).toEqual([]);
      if (UPDATES_FIXTURES) writeFingerprints(folder, now);
      // UPDATE_FIXTURES=1 writes this file.
      expect(readFingerprints(folder)).toEqual(now);
    });

    it.each(fixtures)('maps %s to valid listings', async (name) => {
      for (const record of (await read(name)).records) {
        if ('listing' in record)
          expect([record.listing.affId, listingProblems(record.listing)]).toEqual([record.listing.affId, []]);
      }
    });

    it.each(fixtures)('maps %s to the same result twice', async (name) => {
      expect(await read(name)).toEqual(await read(name));
    });

    for (const name of fixtures.filter((one) => one.endsWith('.json'))) {
      it(`maps ${name} to valid listings when values are odd`, async () => {
        const feed = readFileSync(join(fixturesDir, name));
        expect(await oddValueProblems(connector, feed, surroundingsOf(fixturesDir, name))).toEqual([]);
      });
    }

    it('has private fields in its fixtures, and publishes none of them', async () => {
      expect(fixtures.some((name) => readFileSync(join(fixturesDir, name)).includes(PRIVATE_MARKER))).toBe(true);
      for (const name of fixtures) expect(JSON.stringify(await read(name))).not.toContain(PRIVATE_MARKER);
    });

    it('maps an unknown word in its fixtures to "autre" and counts it', async () => {
      const all = await Promise.all(fixtures.map(read));
      expect(all.flatMap((feed) => feed.warnings).some((warning) => warning.startsWith('unknown_word'))).toBe(true);
      const listings = all
        .flatMap((feed) => feed.records)
        .flatMap((record) => ('listing' in record ? [record.listing] : []));
      expect(listings.some((listing) => listing.typeCode === 'autre' || listing.typeTransaction === 'autre')).toBe(
        true,
      );
    });

    it.each(fixtures)('calls no field of %s unmapped that the mapping reads', async (name) => {
      const feed = readFileSync(join(fixturesDir, name));
      expect(await readAndUnmapped(connector, feed, surroundingsOf(fixturesDir, name))).toEqual([]);
    });

    it('rejects garbage with a reason', () => {
      for (const bytes of GARBAGE) {
        const { context } = recordingContext(connector.code);
        expect(() => {
          const record = connector.format.parse(bytes, context);
          connector.format.toRaw(record, context);
          connector.map(record, context);
          throw new Error(`takes ${bytes.toString('latin1', 0, 60)} for a record`);
        }).toThrow(RecordError);
      }
    });
  });
}

/** Omits the many empty cells of a row, so that the expected result stays readable. */
function withoutEmptyCells(key: string, value: unknown): unknown {
  return /^\d+$/.test(key) && value === '' ? undefined : value;
}

export function surroundingsOf(fixturesDir: string, name: string): FeedSurroundings {
  const file = `${name}${CONTEXT}`;
  if (!readdirSync(fixturesDir).includes(file)) return {};
  return JSON.parse(readFileSync(join(fixturesDir, file), 'utf8')) as FeedSurroundings;
}
