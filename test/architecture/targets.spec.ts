import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KYERO_END, kyeroProperty, kyeroStart } from '../../apps/api/src/export/kyero';
import { target as kyero } from '../../libs/exporters/src/targets/kyero/target';
import { fixtureListings } from '../support/targets/fixture-listings';
import { contextFor, PUBLISHED_AT_MS } from '../support/targets/placements';

const TARGETS = join(__dirname, '..', '..', 'libs', 'exporters', 'src', 'targets');
const codes = readdirSync(TARGETS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('target folder', () => {
  it.each(codes)('%s has every required file, and runs the standard suite', (code) => {
    const folder = join(TARGETS, code);
    const missing = ['target.ts', 'mapping.ts', 'lookups.ts', 'README.md', '__fixtures__'].filter(
      (name) => !existsSync(join(folder, name)),
    );
    expect(missing).toEqual([]);
    const specs = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
    const suites = specs.filter((name) => readFileSync(join(folder, name), 'utf8').includes('describeTarget(target'));
    expect(suites).toHaveLength(1);
  });
});

describe('Kyero export', () => {
  it.each(['fr', 'en'])('has the same bytes as the address of the API, with the language %s', (language) => {
    const context = contextFor(kyero, { language });
    expect(kyero.document.start(context)).toBe(kyeroStart(PUBLISHED_AT_MS));
    expect(kyero.document.end(context)).toBe(KYERO_END);
    for (const [at, listing] of fixtureListings().entries()) {
      const changedAtMs = PUBLISHED_AT_MS - at * 1000;
      const advert = kyero.advert({ listing, advertId: listing.affId, changedAtMs }, context);
      expect(advert).toBe(kyeroProperty(listing, language, changedAtMs));
      expect(kyero.shortfalls({ listing, advertId: listing.affId, changedAtMs }, context)).toEqual([]);
    }
  });
});
