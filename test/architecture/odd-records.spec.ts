import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const LEAST = 30;

/** Sources with many documented odd values, and the fixtures of each dialect. */
const DIALECTS: readonly (readonly [source: string, dialect: string, fixtures: RegExp])[] = [
  ['onoffice', 'native', /\.json$/],
  ['realforce', 'native', /\.json$/],
  ['swissrets', 'JSON', /\.json$/],
  ['swissretsjson', 'native', /\.json$/],
  ['omnicasa', 'native', /\.json$/],
  ['skarabee', 'native', /\.xml$/],
  ['realworks', 'native', /\.json$/],
  ['alto', 'native', /\.xml$/],
  ['reapit', 'native', /\.json$/],
  ['inmovilla', 'native', /\.xml$/],
  ['immobiliare', 'portal', /^(v2_8|settings)\.xml$/],
  ['immobiliare', 'Getrix', /^getrix\.xml$/],
  ['idealista', 'native', /\.json$/],
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
