import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';

const SOURCES = join(__dirname, '..', '..', '..', 'libs', 'connectors', 'src', 'sources');
const EXPECTED = '.expected.json';

/** The listings that the fixtures of all connectors give, each with an `affId` of its own. */
export function fixtureListings(): Listing[] {
  const listings: Listing[] = [];
  const seen = new Set<string>();
  for (const source of readdirSync(SOURCES, { withFileTypes: true })) {
    if (!source.isDirectory()) continue;
    const folder = join(SOURCES, source.name, '__fixtures__');
    for (const name of readdirSync(folder).filter((one) => one.endsWith(EXPECTED))) {
      const { records } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { records: { listing?: Listing }[] };
      // Fixtures repeat identifiers, of other fixtures and of their own.
      const prefix = `${source.name}.${name.slice(0, -EXPECTED.length)}`;
      for (const { listing } of records) {
        if (listing === undefined) continue;
        const id = `${prefix}.${listing.affId}`;
        const affId = seen.has(id) ? `${id}.${listings.length}` : id;
        seen.add(affId);
        listings.push({ ...listing, affId });
      }
    }
  }
  return listings;
}
