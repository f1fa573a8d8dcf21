import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureRecords, PAYLOADS, superLinear } from '../../../../test/support/connectors/hostile-records';

/**
 * All leaves of a record get a text of this length at the same time, so that quadratic time in any leaf becomes
 * visible.
 */
const LENGTH = 4_096;
const FLOOR_MS = 60;
/**
 * Payloads that have found a bug, and one payload of each kind; test/long/unit/hostile-records.spec.ts tests all
 * payloads.
 */
const TRIED = new Set([' \n', '1 ', '/', '<', '<!', '<a href="', '&lt;!', '\u0301\u0323', 'A ']);

it.each(readdirSync(join(__dirname, '../sources')))(
  'mapping a record of %s takes linear time, whatever its texts are',
  async (code) => {
    const [largest] = (await fixtureRecords(code)).toSorted((a, b) => b.leaves.length - a.leaves.length);
    const payloads = PAYLOADS.filter(({ unit, end }) => TRIED.has(unit) && end !== '');
    expect(payloads).toHaveLength(TRIED.size);
    expect(largest!.leaves.length).toBeGreaterThan(5);
    const slow = payloads.flatMap((payload) => {
      const growth = superLinear(largest!, largest!.leaves, payload, { length: LENGTH, floorMs: FLOOR_MS });
      return growth === undefined ? [] : [{ payload, ...growth }];
    });
    expect(slow).toEqual([]);
  },
);
