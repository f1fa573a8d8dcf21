import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureRecords, PAYLOADS, superLinear } from '../../libs/connectors/src/engine/testing/hostile-records';

/** Of UTF-16 units; compared with a fourth of it. */
const LENGTH = 100_000;
const FLOOR_MS = 30;

describe.each(readdirSync(join(__dirname, '../../libs/connectors/src/sources')))('mapping a record of %s', (code) => {
  it('takes linear time with each payload in each text leaf of each fixture', async () => {
    const slow: unknown[] = [];
    for (const record of await fixtureRecords(code)) {
      for (const leaf of record.leaves) {
        for (const payload of PAYLOADS) {
          const growth = superLinear(record, [leaf], payload, { length: LENGTH, floorMs: FLOOR_MS });
          if (growth !== undefined) slow.push({ record: record.name, leaf: leaf.name, payload, ...growth });
        }
      }
    }
    expect(slow).toEqual([]);
  });
});
