import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const LEAST = 30;

/** Sources with many documented odd values, and the fixtures of each dialect. */
const DIALECTS: readonly (readonly [source: string, dialect: string, fixtures: RegExp])[] = [
  ['onoffice', 'its own', /\.json$/],
  ['realforce', 'its own', /\.json$/],
  ['swissrets', 'JSON', /\.json$/],
  ['swissretsjson', 'its own', /\.json$/],
  ['omnicasa', 'its own', /\.json$/],
  ['skarabee', 'its own', /\.xml$/],
  ['realworks', 'its own', /\.json$/],
  ['alto', 'its own', /\.xml$/],
  ['reapit', 'its own', /\.json$/],
  ['inmovilla', 'its own', /\.xml$/],
  ['immobiliare', 'of the portal', /^(v2_8|settings)\.xml$/],
  ['immobiliare', 'of Getrix', /^getrix\.xml$/],
  ['idealista', 'its own', /\.json$/],
  ['is24', 'XML', /\.xml$/],
  ['is24', 'CSV', /\.csv$/],
];

it.each(DIALECTS)(`%s (dialect: %s) has expected values for ${LEAST} odd records`, (source, _dialect, of) => {
  const folder = join(SOURCES, source, '__fixtures__');
  const counts = readdirSync(folder)
    .filter((name) => name.endsWith('.expected.json') && of.test(name.replace('.expected.json', '')))
    .map((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { records: unknown[] }).records.length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(LEAST);
});
