import { connectorFile } from './connector-file';
import { expectedFixture, feedFixture } from './fixtures';
import { type ConnectorKind, type RecordKind, type RecordNames, USUAL_NAMES } from './kinds';
import { mappingFile } from './mapping-file';
import { LOOKUPS, readmeFile, specFile } from './texts';

export function connectorFiles(
  code: string,
  kind: ConnectorKind,
  names: RecordNames = USUAL_NAMES,
): Record<string, string> {
  const records: RecordKind = kind === 'xml' || kind === 'zip' ? 'xml' : 'json';
  return {
    'connector.ts': connectorFile(code, kind, names),
    'mapping.ts': mappingFile(records),
    'lookups.ts': LOOKUPS,
    [`${code}.spec.ts`]: specFile(code, records, names),
    'README.md': readmeFile(code, kind),
    [`__fixtures__/feed.${records}`]: feedFixture(records, names),
    [`__fixtures__/feed.${records}.expected.json`]: expectedFixture(code, records, kind === 'pushed'),
  };
}
