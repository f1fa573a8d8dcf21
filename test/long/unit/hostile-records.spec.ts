import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FixtureRecord,
  fixtureRecords,
  type Leaf,
  PAYLOADS,
  superLinear,
} from '../../support/connectors/hostile-records';

/** The length of a payload in UTF-16 units. The test compares the times for this length and a quarter of it. */
const LENGTH = 100_000;
const FLOOR_MS = 30;
/** Payloads whose last character differs from the repeated character, because a wrong end makes patterns backtrack. */
const payloads = PAYLOADS.filter(({ end }) => end !== '');

/** One leaf per name in each fixture, because the mapping reads all leaves of one name in the same way. */
function leavesOfFixtures(records: readonly FixtureRecord[]): { record: FixtureRecord; leaf: Leaf }[] {
  const leaves = new Map<string, { record: FixtureRecord; leaf: Leaf }>();
  for (const record of records) {
    const fixture = record.name.slice(0, record.name.lastIndexOf(' '));
    for (const leaf of record.leaves) leaves.set(`${fixture} ${leaf.name}`, { record, leaf });
  }
  return [...leaves.values()];
}

describe.each(readdirSync(join(__dirname, '../../../libs/connectors/src/sources')))(
  'mapping of a record of %s',
  (code) => {
    it('takes linear time with each payload in each text leaf of each fixture', async () => {
      expect(payloads.length).toBeGreaterThan(40);
      const leaves = leavesOfFixtures(await fixtureRecords(code));
      const slow = leaves.flatMap(({ record, leaf }) =>
        payloads.flatMap((payload) => {
          const growth = superLinear(record, [leaf], payload, { length: LENGTH, floorMs: FLOOR_MS });
          return growth === undefined ? [] : [{ record: record.name, leaf: leaf.name, payload, ...growth }];
        }),
      );
      process.stderr.write(`${code}: ${leaves.length} leaves, ${payloads.length} payloads, ${slow.length} slow\n`);
      expect(slow).toEqual([]);
    });
  },
);
