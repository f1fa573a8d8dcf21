import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';
import { loadConnector } from '../../libs/connectors/src/engine/registry';
import type { ExportContext, Target } from '../../libs/exporters/src/kit/contracts';
import { createTargets } from '../../libs/exporters/src/kit/registry';
import { PRIVATE_MARKER, surroundingsOf } from '../support/connectors/describe-connector';
import { readRecords } from '../support/connectors/read-records';
import { contextFor, documentOf, itemOf } from '../support/targets/placements';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const targets = [...createTargets().values()];
const connectors = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A position that leads to a door. */
const EXACT = /(?<![\d.])\d{1,3}\.\d{4,}(?!\d)/g;

interface Fixture {
  name: string;
  text: string;
  listings: Listing[];
}

async function fixturesOf(code: string): Promise<Fixture[]> {
  const connector = loadConnector(code, SOURCES);
  const folder = join(SOURCES, code, '__fixtures__');
  const names = readdirSync(folder).filter((name) => !/\.(?:expected|context)\.json$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(join(folder, name));
      const { records } = await readRecords(connector, bytes, surroundingsOf(folder, name));
      const listings = records.flatMap((record) => ('listing' in record ? [record.listing] : []));
      return { name, text: bytes.toString('latin1'), listings };
    }),
  );
}

/** All that a portal gets: the document, the files beside it, and the names and addresses of photos. */
function exported(target: Target, listings: readonly Listing[], language: string): string {
  const context = contextFor(target, { language });
  const items = listings.map(itemOf);
  if (target.transport === 'api') return items.map((item) => target.advert(item, context)).join('\n');
  return `${documentOf(target, items, context).toString('latin1')}\n${filesOf(target, items, context)}`;
}

function filesOf(
  target: Exclude<Target, { transport: 'api' }>,
  items: ReturnType<typeof itemOf>[],
  context: ExportContext,
): string {
  const file = target.document.file(context);
  const photos = file.kind === 'zip' ? items.flatMap((item) => file.photos?.(item, context) ?? []) : [];
  return JSON.stringify([file, photos]);
}

describe.each(connectors)('exports of listings of the connector %s', (code) => {
  let fixtures: Fixture[];
  beforeAll(async () => {
    fixtures = await fixturesOf(code);
  });

  it('contain no private field of its fixtures, and no position that a fixture hides', () => {
    const found: string[] = [];
    for (const { name, text, listings } of fixtures) {
      const shown = new Set(JSON.stringify(listings).match(EXACT));
      const hidden = (text.match(EXACT) ?? []).filter((position) => !shown.has(position));
      for (const target of targets)
        for (const language of ['fr', 'en']) {
          const document = exported(target, listings, language);
          for (const canary of [PRIVATE_MARKER, ...hidden])
            if (document.includes(canary)) found.push(`${target.code} shows ${canary} of ${name}`);
        }
    }
    expect(found).toEqual([]);
  });

  it('show a position without an address only to two decimals', () => {
    const found: string[] = [];
    for (const { listings } of fixtures)
      for (const { adresse, ...listing } of listings) {
        const exact = [listing.latitude, listing.longitude].map(String).filter((degrees) => /\.\d{3}/.test(degrees));
        // Addresses of the Kyero format have always shown the position of the listing.
        for (const target of targets.filter((one) => one.code !== 'kyero'))
          for (const degrees of exact)
            if (exported(target, [listing], 'fr').includes(degrees.slice(0, degrees.indexOf('.') + 4)))
              found.push(
                `${target.code} shows ${degrees} of ${listing.affId}, whose address was ${adresse ?? 'hidden'}`,
              );
      }
    expect(found).toEqual([]);
  });
});
