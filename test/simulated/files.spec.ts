import type { Connector } from '../../libs/connectors/src/kit/contracts';
import { connector as idealista } from '../../libs/connectors/src/sources/idealista/connector';
import { connector as immobiliare } from '../../libs/connectors/src/sources/immobiliare/connector';
import { connector as inmovilla } from '../../libs/connectors/src/sources/inmovilla/connector';
import { connector as is24 } from '../../libs/connectors/src/sources/is24/connector';
import { connector as swissretsjson } from '../../libs/connectors/src/sources/swissretsjson/connector';
import { type FileFormat, type FileState, simulateFile } from './files/file-server';
import { writeIdealistaJson } from './files/idealista';
import { writeImmobiliareXml } from './files/immobiliare';
import { writeInmovillaXml } from './files/inmovilla';
import { writeIs24Xml } from './files/is24';
import type { Offer } from './files/offer';
import { writeSwissretsJson } from './files/swissretsjson';
import type { Misbehaviour } from '../../tools/simulator/misbehaviour';
import { sizeOf } from '../support/full-size';
import { seeded } from '../support/seeded';
import { describeMovingPhotos, DOWN, HTML, idsIn, simulatedSource } from './simulated-source';

const FILES: { connector: Connector; format: FileFormat; isZipped?: boolean }[] = [
  { connector: inmovilla, format: { name: 'propiedades.xml', write: writeInmovillaXml } },
  { connector: immobiliare, format: { name: 'feed.xml', write: writeImmobiliareXml }, isZipped: true },
  { connector: idealista, format: { name: 'customer.json', write: writeIdealistaJson } },
  { connector: is24, format: { name: 'transfer.xml', write: writeIs24Xml } },
  { connector: swissretsjson, format: { name: 'inventory.json', write: writeSwissretsJson } },
];

const READINGS = sizeOf('READINGS', { brief: 30, full: 130 });
const MOVES_BETWEEN = 16;
const NEW_LINE = 0x0a;

const offerOf = (id: number): Offer => ({
  ...{ id: String(id), price: 100_000 + id, city: 'Ville' },
  photos: [`https://photos.example.org/${id}/1.jpg`],
});

describe.each(FILES)('file of $connector.code', ({ connector, format, isZipped = false }) => {
  const source = simulatedSource<FileState>({
    connector,
    simulate: (simulated) => simulateFile(format, simulated),
    newState: () => ({ offers: () => [1, 2, 3].map(offerOf), isZipped, movesPhotos: false }),
    credentials: {},
    path: `/${format.name}`,
  });
  const { state, api, read } = source;

  it('counts as complete only when the whole list was read, despite random changes and every fault', async () => {
    const upTo = seeded(connector.code.length);
    let offers = [1, 2, 3].map(offerOf);
    state.offers = () => offers;
    let [next, moves, complete] = [4, 0, 0];
    const move = (): void => {
      moves += 1;
      const at = upTo(offers.length);
      const kind = upTo(offers.length < 3 ? 1 : 4);
      if (kind === 0) offers = offers.toSpliced(at, 0, offerOf(next++));
      else if (kind === 1) offers = offers.toSpliced(at, 1);
      else if (kind === 2) offers = offers.with(at, { ...offers[at]!, price: 50_000 + upTo(900_000) });
      else offers = [...offers.slice(at), ...offers.slice(0, at)];
    };
    for (let reading = 0; reading < READINGS; reading += 1) {
      for (let n = 0; n < MOVES_BETWEEN; n += 1) move();
      const file = format.write(offers);
      const size = file.length;
      // Cut half of the truncated files after a record: only the document's end is missing.
      const lineEnds = [...file.entries()].flatMap(([at, byte]) => (byte === NEW_LINE ? [at] : []));
      const behindRecord = lineEnds[upTo(lineEnds.length)] ?? upTo(size);
      const faults: (Misbehaviour | undefined)[] = [
        ...[undefined, undefined, undefined, HTML, DOWN],
        ...[
          { kind: 'truncated', bytes: behindRecord } as const,
          { kind: 'truncated', bytes: upTo(size) } as const,
          { kind: 'dropped', afterBytes: upTo(size) } as const,
        ],
        ...[{ kind: 'wrong-length', difference: 1 + upTo(99) } as const, { kind: 'late', delayMs: 3 } as const],
      ];
      const fault = faults[upTo(faults.length)];
      // A fault lasts either for one answer or for the whole import.
      const lasts = upTo(2) === 0;
      let met = 0;
      api.fault = () => (lasts || (met += 1) === 1 ? fault : undefined);
      const feed = await read().catch(() => null);
      if (fault === undefined || fault.kind === 'late') expect(feed?.summary.incomplete).toBeNull();
      if (feed?.summary.incomplete !== null || feed.summary.coverage.kind !== 'whole') continue;
      complete += 1;
      expect(idsIn(feed)).toEqual(offers.map(({ id }) => Number(id)));
    }
    expect([moves >= READINGS * 15, complete > READINGS / 5]).toEqual([true, true]);
  });

  describeMovingPhotos(source, () => undefined);
});
