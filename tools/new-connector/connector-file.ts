import { type ConnectorKind, isWalked, type RecordNames } from './kinds';

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

const walk = (details: string): string => `
const MOST_PER_PAGE = 100;

/** Requests page after page until a page is not full and the declared count is reached. */
const WALK: PagedFetch = {
  kind: 'pages',
  prepare: (source) => {
    const url = new URL(source.url);
    url.searchParams.set('page', '1');
    const limit = toInteger(source.settings['limit']) ?? MOST_PER_PAGE;
    url.searchParams.set('per_page', String(Math.min(Math.max(limit, 1), MOST_PER_PAGE)));
    const token = credential(source, ['token']);
    return Promise.resolve({
      walks: [{ url: url.href, headers: token === undefined ? {} : { authorization: \`Bearer \${token}\` } }],
      feed: {},
    });
  },
  next: (page) => nextNumberedPage(page, { number: 'page', size: 'per_page' }),${details}
};
`;

/** Requests a listing at the list's address plus the listing's identifier, but only if its summary has changed. */
const DETAILS = `
  details: {
    request(summary, page) {
      const { origin, pathname } = new URL(page.url);
      const id = textOf((summary as JsonRecord)['id']);
      if (id === undefined) throw new BadFeed('a summary has no id');
      return { ...page, url: \`\${origin}\${pathname}/\${encodeURIComponent(id)}\` };
    },
    idOf: (summary) => textOf((summary as JsonRecord)['id']),
    record(summary, answer) {
      const listing = objectIn(answer);
      const { id, updated } = objectIn(summary);
      if (textOf(listing['id']) !== textOf(id)) throw new BadFeed('the answer is another listing');
      return Buffer.from(JSON.stringify({ ...listing, updated }));
    },
  },`;

const calls = ({ root }: RecordNames): string => `
/** A call names one listing, which is requested separately; the list shows changes whose call was lost. */
const CALLS: PushedFetch = {
  kind: 'pushed',
  webhook: { proof: { kind: 'path' }, ids: ['id'] },
  list: WALK,
  compareEverySeconds: 24 * 3600,
  prepare: (source) => {
    const token = credential(source, ['token']);
    const headers: Record<string, string> = token === undefined ? {} : { authorization: \`Bearer \${token}\` };
    return Promise.resolve({ base: source.url, headers, feed: {} });
  },
  record: (id, { base, headers }) => ({ url: \`\${base}/\${encodeURIComponent(id)}\`, headers }),
  document: (answer) => Buffer.from(JSON.stringify({ total: 1, ${root}: [objectIn(answer)] })),
};
`;

const OBJECT_IN = `
/** @throws BadFeed when the bytes are not a JSON object. */
function objectIn(bytes: Buffer): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed as JsonRecord;
  } catch {
    // The same error as for other values.
  }
  throw new BadFeed('the answer is not a listing');
}
`;

export function connectorFile(code: string, kind: ConnectorKind, names: RecordNames): string {
  const isXml = kind === 'xml' || kind === 'zip';
  const isApi = isWalked(kind);
  const isDetails = kind === 'details';
  const isPushed = kind === 'pushed';
  const readsOne = isDetails || isPushed;
  const json = `import { ${readsOne ? 'type JsonRecord, ' : ''}jsonRecords } from '../../formats/json-records';`;
  return withoutGaps(`${readsOne ? "import { BadFeed } from '@passerelle/domain';" : ''}
${isXml ? "import { xmlRecords } from '../../formats/xml-records';" : json}
import { toRevision } from '../../kit/clean/date';
${isApi ? "import { toInteger } from '../../kit/clean/number';" : ''}
${isApi ? `import type { PagedFetch${isPushed ? ', PushedFetch' : ''} } from '../../kit/contracts';` : ''}
import { defineConnector } from '../../kit/define-connector';
${isApi ? "import { credential } from '../../kit/http-access';" : "import { documentFetch } from '../../kit/http-access';"}
import { toListing } from '../../kit/listing-mapping';
${isApi ? "import { nextNumberedPage } from '../../kit/page-numbers';" : ''}
import { textOf } from '../../kit/values';
import { MAPPING } from './mapping';
${isApi ? walk(isDetails ? DETAILS : '') : ''}${isPushed ? calls(names) : ''}
/** ${code}. See README.md. */
export const connector = defineConnector({
  code: '${code}',
  label: '${code}',
  type: '${isApi ? 'api' : kind}',
  notes: 'Source: the address of the agency’s ${isApi ? 'listings' : 'feed'}.',
  ${isApi ? "credentials: { token: 'The bearer token of the API.' }," : ''}
  ${isApi ? "settings: { limit: 'Listings per page, 1 to 100. Default 100.' }," : ''}
  fetch: ${isPushed ? 'CALLS' : isApi ? 'WALK' : 'documentFetch()'},
  ${kind === 'zip' ? "open: { container: 'zip-or-plain', holdsRecords: (name) => name.endsWith('.xml') }," : ''}
  format: ${isXml ? xmlFormat(names) : jsonFormat(names)},
  map: toListing(MAPPING, { ${isPushed ? "scope: (record) => textOf(record['id']), " : ''}revision: (record) => toRevision(textOf(record['updated'])) }),
});
${readsOne ? OBJECT_IN : ''}`).trimStart();
}

/** Removes the blank lines that unused options leave before an import and the format. */
function withoutGaps(code: string): string {
  const lines = code.split('\n');
  const isGap = (line: string, index: number): boolean => {
    const next = lines.slice(index).find((one) => one.trim() !== '') ?? '';
    return line.trim() === '' && /^(?:import|\s*format:)/.test(next);
  };
  return lines.filter((line, index) => !isGap(line, index)).join('\n');
}
