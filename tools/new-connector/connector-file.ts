import type { ConnectorKind, RecordNames } from './kinds';

const PUBLIC = [
  ...['id', 'reference', 'updated', 'offer', 'kind', 'price', 'area', 'rooms', 'postcode', 'city', 'title'],
  ...['description', 'photos.photo'],
];

const RAW = `raw: {
      public: [${PUBLIC.map((path) => `'${path}'`).join(', ')}],
      private: { owner: 'a person who does not advertise' },
    },`;

const xmlFormat = ({ root, record }: RecordNames): string => `xmlRecords({
    root: '${root}',
    record: '${record}',
    lists: ['photos.photo'],
    ${RAW}
  })`;

const jsonFormat = ({ root }: RecordNames): string => `jsonRecords({
    records: '${root}',
    declaredCount: 'total',
    envelope: ['total'],
    ${RAW}
  })`;

const WALK = `
/** Page after page, each from within the one before, until one is not full and no more is declared. */
const WALK: PagedFetch = {
  kind: 'pages',
  prepare: (source) => {
    const url = new URL(source.url);
    url.searchParams.set('page', '1');
    url.searchParams.set('per_page', '100');
    const token = credential(source, ['token']);
    return Promise.resolve({
      walks: [{ url: url.href, headers: token === undefined ? {} : { authorization: \`Bearer \${token}\` } }],
      feed: {},
    });
  },
  next: (page) => nextNumberedPage(page, { number: 'page', size: 'per_page' }),
};
`;

/** The declaration of a new connector. */
export function connectorFile(code: string, kind: ConnectorKind, names: RecordNames): string {
  const isXml = kind === 'xml' || kind === 'zip';
  const isApi = kind === 'api';
  return `${isXml ? "import { xmlRecords } from '../../formats/xml-records';" : "import { jsonRecords } from '../../formats/json-records';"}
import { toRevision } from '../../kit/clean/date';
${isApi ? "import type { PagedFetch } from '../../kit/contracts';" : ''}
import { defineConnector } from '../../kit/define-connector';
${isApi ? "import { credential } from '../../kit/http-access';" : "import { documentFetch } from '../../kit/http-access';"}
import { toListing } from '../../kit/listing-mapping';
${isApi ? "import { nextNumberedPage } from '../../kit/page-numbers';" : ''}
import { textOf } from '../../kit/values';
import { MAPPING } from './mapping';
${isApi ? WALK : ''}
/** ${code}. See README.md. */
export const connector = defineConnector({
  code: '${code}',
  label: '${code}',
  type: '${kind}',
  notes: 'Source: the address of the agency’s ${isApi ? 'listings' : 'feed'}.',
  ${isApi ? "credentials: { token: 'The bearer token of the API.' }," : ''}
  fetch: ${isApi ? 'WALK' : 'documentFetch()'},
  ${kind === 'zip' ? "open: { container: 'zip-or-plain', holdsRecords: (name) => name.endsWith('.xml') }," : ''}
  format: ${isXml ? xmlFormat(names) : jsonFormat(names)},
  map: toListing(MAPPING, { revision: (record) => toRevision(textOf(record['updated'])) }),
});
`.replace(/\n\s*\n(?=import)/g, '\n');
}
