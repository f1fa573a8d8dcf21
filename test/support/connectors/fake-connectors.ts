import {
  type Connector,
  type PagedFetch,
  type RecordContext,
  RecordError,
  type RecordFormat,
} from '../../../libs/connectors/src/kit/contracts';
import { PLAIN_LEAD } from '../../../libs/connectors/src/kit/lead';
import { sliceJson } from '../../../libs/connectors/src/engine/cut/slicers';
import { sliceLines } from '../../../libs/connectors/src/engine/cut/line-slicer';

/**
 * A format with records like `id;town`. The id `bad` is rejected, `sold` is withdrawn, and `crash` makes the mapping
 * throw; the record `garbled` cannot be parsed.
 */
export const lineFormat: RecordFormat<string[]> = {
  slice: (part) => sliceLines(part, { maxRecordBytes: 200 }),
  parse(bytes) {
    const text = bytes.toString();
    if (text === 'garbled') throw new RecordError('malformed', 'the line has no columns');
    return text.split(';');
  },
  toRaw: ([id, town]) => ({ id, town }),
};

/** A connector whose feed is one document of lines. */
export function aLineConnector(changes: Partial<Connector<string[]>> = {}): Connector {
  const connector: Connector<string[]> = {
    code: 'lines',
    label: 'Lines',
    type: 'custom',
    notes: '',
    version: 1,
    credentials: {},
    settings: {},
    fetch: { kind: 'document', request: ({ url }) => ({ url }) },
    open: { container: 'zip-or-plain', holdsRecords: (name) => name.endsWith('.csv') },
    format: lineFormat,
    lead: PLAIN_LEAD,
    map: mapLine,
    ...changes,
  };
  return connector;
}

function mapLine([affId = '', ville = '']: string[], context: RecordContext): ReturnType<Connector['map']> {
  if (affId === 'bad') throw new RecordError('invalid_value', 'the town is not one', 'town');
  if (affId === 'crash') throw new TypeError(`cannot read ${ville}`);
  if (affId === 'sold') return { kind: 'withdrawn', affId, message: 'sold' };
  if (ville === 'Atlantis') context.warn('unknown_word', 'town', ville);
  return { kind: 'listing', listing: { affId, passerelleName: context.crm, ville, photos: [] } };
}

interface Item {
  id: string;
}

/**
 * A connector whose feed has pages like `{"total": 3, "next": "/2", "items": [{"id": "1"}]}`, and which first requests
 * a token. Each page begins with the last record of the previous page, except after links that end with `?apart`.
 */
export function aPagedConnector(changes: Partial<PagedFetch> = {}): Connector {
  const connector: Connector<Item> = {
    code: 'pages',
    label: 'Pages',
    type: 'api',
    notes: '',
    version: 1,
    credentials: {},
    settings: {},
    lead: PLAIN_LEAD,
    fetch: {
      kind: 'pages',
      async prepare({ url }, client) {
        const answer = await client.getJson({ url: `${url}/token` });
        const token = typeof answer === 'object' && answer !== null && 'token' in answer ? String(answer.token) : '';
        return { walks: [{ url: `${url}/1`, headers: { authorization: token } }], feed: { agency: 'Démo' } };
      },
      next({ request, envelope }) {
        const next = envelope['next'];
        if (typeof next !== 'string') return undefined;
        const { headers } = request;
        const following = { url: new URL(next, request.url).href, ...(headers !== undefined && { headers }) };
        return next.endsWith('?apart') ? following : { ...following, overlaps: 1 };
      },
      ...changes,
    },
    open: { container: 'plain' },
    format: {
      async *slice(part) {
        for await (const slice of sliceJson(part, { records: 'items', envelope: ['total', 'next'] })) {
          yield slice;
          if (slice.kind === 'context' && slice.name === 'total')
            yield { kind: 'declared', count: Number(slice.bytes) };
        }
      },
      parse: (bytes) => JSON.parse(bytes.toString()) as Item,
      parseContext: (_name, bytes) => JSON.parse(bytes.toString()) as unknown,
      toRaw: ({ id }) => ({ id }),
    },
    map: ({ id }, { crm, feed }) => ({
      kind: 'listing',
      listing: { affId: id, passerelleName: crm, agenceNom: String(feed['agency']), photos: [] },
    }),
  };
  return connector;
}
