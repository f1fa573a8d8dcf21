import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TypeTransaction } from '@passerelle/domain';
import type { FeedRequest, FeedSummary, RecordOutcome } from '../engine/contracts';
import { openFeed } from '../engine/read-feed';
import { readDropped } from '../../../../test/support/connectors/read-dropped';
import type { Connector, PagedFetch } from '../kit/contracts';
import { defineConnector } from '../kit/define-connector';
import { documentFetch } from '../kit/http-access';
import { type JsonRecord, jsonRecords } from './json-records';
import { offerId, offerOf, severalOffers } from './several-offers';

// The engine, the JSON reader and the server are real; the source is invented. Its field `for` holds the offers of a
// record.

const offersOf = (record: JsonRecord): readonly TypeTransaction[] => (record['for'] ?? []) as TypeTransaction[];
const CONNECTOR = defineConnector<JsonRecord>({
  code: 'offers',
  label: 'Offers',
  type: 'custom',
  notes: 'A list.',
  fetch: documentFetch(),
  format: severalOffers(
    jsonRecords({
      records: 'list',
      declaredCount: 'total',
      envelope: ['total'],
      raw: { public: ['id', 'for'], private: {} },
    }),
    { mayBeSeveral: (bytes) => bytes.includes('location'), offersOf },
  ),
  map: (record, context) => {
    const typeTransaction = offerOf(record);
    return {
      kind: 'listing',
      listing: {
        affId: offerId(String(record['id']), typeTransaction)!,
        passerelleName: context.crm,
        ville: 'Lyon',
        ...(typeTransaction !== undefined && { typeTransaction }),
        photos: [],
      },
    };
  },
});

const record = (id: number, ...offers: readonly TypeTransaction[]): string => JSON.stringify({ id, for: offers });
const document = (total: number, ...records: readonly string[]): string =>
  `{"total":${total},"list":[${records.join(',')}]}`;
const BOTH = record(1, 'vente', 'location');

describe('a record with several offers', () => {
  it('becomes one listing per offer, with separate identifiers and the same raw record', async () => {
    const { listings, raws, hashes, warnings } = await readDropped(
      CONNECTOR,
      document(3, BOTH, record(2, 'location'), record(3)),
    );
    expect(listings.map(({ affId, typeTransaction }) => [affId, typeTransaction])).toEqual([
      ['1', 'vente'],
      ['1-location', 'location'],
      ['2-location', 'location'],
      ['3', undefined],
    ]);
    expect(raws.slice(0, 2).map((raw) => [raw['id'], raw['for']])).toEqual([
      [1, ['vente', 'location']],
      [1, ['vente', 'location']],
    ]);
    expect(warnings).toEqual([]);
    expect(new Set(hashes).size).toBe(4);
  });

  it('counts as one record in the comparison with the declared number', async () => {
    expect((await readDropped(CONNECTOR, document(2, BOTH, record(2)))).summary.incomplete).toBeNull();
    expect((await readDropped(CONNECTOR, document(3, BOTH, record(2)))).summary.incomplete).toBe(
      'the source declares 3 records and gave 2',
    );
  });

  it('counts as one record on the pages of a list, and is recognised in the next run', async () => {
    const pages = [document(4, BOTH, record(2)), document(4, record(2), record(3, 'location'), record(4))];
    const first = await walk(pages);
    expect(first.outcomes.map((one) => ('affId' in one ? one.affId : one.kind))).toEqual([
      ...['1', '1-location', '2', '3-location', '4'],
    ]);
    expect([first.asked, first.summary.incomplete, first.summary.records]).toEqual([['/0', '/2', '/0'], null, 5]);
    const hashes = new Set(first.outcomes.flatMap((one) => ('hash' in one ? [one.hash] : [])));
    const again = await walk(pages, (hash) => hashes.has(hash), first.port);
    expect(again.outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('unchanged'));
  });

  it('counts as one record on stable pages', async () => {
    const pages = [document(4, BOTH, record(2)), document(4, record(2), record(3), record(4))];
    const { asked, summary, outcomes } = await walk(pages, () => false, 0, true);
    expect([asked, summary.incomplete, outcomes.length]).toEqual([['/0', '/2'], null, 5]);
  });

  it('gets another hash when it loses one of its offers', async () => {
    const hashesOf = async (one: string): Promise<string[]> => (await readDropped(CONNECTOR, document(1, one))).hashes;
    const both = await hashesOf(BOTH);
    expect(both).not.toContain((await hashesOf(record(1, 'location')))[0]);
    expect(await hashesOf(BOTH)).toEqual(both);
  });

  it('is rejected only once when it cannot be read', async () => {
    const { rejections } = await readDropped(CONNECTOR, '{"total":1,"list":["location"]}');
    expect(rejections).toEqual([expect.stringMatching(/^malformed 1/)]);
  });
});

/** Reads a list with two records per page from a real server. */
async function walk(
  pages: readonly string[],
  isKnown: FeedRequest['isKnown'] = () => false,
  // The source's address is part of a record's identity, so a second walk must use the same port.
  listenAt = 0,
  hasStablePages = false,
): Promise<{ outcomes: RecordOutcome[]; summary: FeedSummary; asked: string[]; port: number }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(pages[Number(url.slice(1)) / 2]);
  });
  await new Promise<void>((resolve) => server.listen(listenAt, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const fetch: PagedFetch = {
    kind: 'pages',
    prepare: ({ url }) => Promise.resolve({ walks: [{ url: `${url}/0` }], feed: {}, hasStablePages }),
    next: ({ request, recordsSoFar, declared = 0 }) =>
      recordsSoFar < declared ? { url: new URL(`/${recordsSoFar}`, request.url).href, overlaps: 1 } : undefined,
  };
  try {
    const reading = openFeed(
      { ...(CONNECTOR as Connector), fetch },
      {
        source: { url: `http://${host}`, credentials: {}, settings: {} },
        previous: {},
        isKnown,
        outbound: { ...LIMITS, allowPrivate: new Set([host]) },
        signal: new AbortController().signal,
      },
    );
    const outcomes: RecordOutcome[] = [];
    for await (const outcome of reading.outcomes) outcomes.push(outcome);
    return { outcomes, summary: reading.summary(), asked, port };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const LIMITS = { inboxDir: '/', maxBytes: 1_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000, pagePauseMs: 0 };
