import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFromRoot } from '../read-from-root';
import { LISTED, ROWS } from './listed-tables';

const ROOT = join(__dirname, '..', '..', '..');
/** Folders with code that runs for requests. */
const FOLDERS = [
  'apps/api/src',
  'apps/ingestor/src/access',
  'libs/limits/src',
  'libs/media/src',
  'libs/bucket/src',
  'libs/database/src',
];

/** Matches a table that exists as long as the process, or as long as an instance of a class. */
const TABLE =
  /new (Map|Set|LRUCache|EventEmitter)\b|^ {2}(private |readonly )*\w+: .*\[\] = \[\];|^const .*\[\] = \[\];/m;

/** Files with a table whose size does not depend on the number of requests. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'apps/api/src/http/known-routes.ts': 'by routes, filled at the start',
  'apps/api/src/access/gateway-changes.ts': 'listeners of parts of the API, and of first reads, which are listed',
  'apps/api/src/config.ts': 'a setting',
  'apps/api/src/webhooks/webhooks.controller.ts': 'of one request',
  'apps/api/src/search/found-listings.ts': 'of one search',
  'apps/api/src/search/parameters.ts': 'of one search',
  'apps/api/src/search/search-pages.ts': 'of one search',
  'apps/api/src/search/shown-result.ts': 'of one search',
  'libs/database/src/inbound-webhook/processed-webhooks.ts': 'rows of one query of a run',
  'libs/database/src/backup/catalogue.ts': 'tables of the schema, for an operator',
  'libs/database/src/backup/copied-lines.ts': 'escapes, which are declared',
  'libs/database/src/backup/gateway-export.ts': 'tables of the schema, for an operator',
  'libs/database/src/backup/gateway-import.ts': 'rows of one import by an operator',
  'libs/database/src/export/export-runs.ts': 'rows of one query of an export',
  'libs/database/src/export/placements.ts': 'rows of one query of an operator',
  'libs/database/src/export/publications.ts': 'rows of one query of an export',
  'libs/database/src/notification/notices.ts': 'channels, for one comparison',
  'libs/database/src/notifications.ts': 'parts of the program that listen',
  'libs/database/src/search/search-rows.ts': 'rows of one query',
  'libs/media/src/photo/clean-webp.ts': 'a constant',
  'libs/database/src/listing/served-listings.ts': 'rows of one answer',
  'libs/database/src/listing/bodies.ts': 'rows of one answer',
  'libs/database/src/gateway/gateway-summaries.ts': 'one of each gateway that an operator has added',
  'libs/database/src/gateway/gateway-details.ts': 'rows of one answer to an operator',
  'libs/database/src/snapshot/read-versions.ts': 'of one run',
  'libs/database/src/snapshot/snapshot-writer.ts': 'of one run',
  'libs/database/src/snapshot/revert.ts': 'of one run',
  'libs/database/src/copy/copy-rows.ts': 'memory of at most ten messages of the ingestor',
  'libs/database/src/photo/listing-photos.ts': 'rows of one query of a run',
};

/** Files with tables that `TABLE` does not match. */
const BY_HAND = ['libs/media/src/work-gate.ts'];

/** Production files that contain tables. */
function filesWithTables(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('/testing/'))
      .filter((path) => TABLE.test(readFromRoot(path))),
  );
}

describe('list in SECURITY.md of tables that requests can fill', () => {
  it('names exactly the tables in the code', () => {
    const named = [...LISTED.map(({ file }) => file), ...Object.keys(NOT_FILLED)];
    expect([...new Set(named)].sort()).toEqual([...new Set([...filesWithTables(), ...BY_HAND])].sort());
  });

  it('states in each row who fills the table, and its number of entries and bytes', () => {
    expect(ROWS.filter(([, ...cells]) => cells.slice(0, 4).some((cell) => cell === ''))).toEqual([]);
  });
});
