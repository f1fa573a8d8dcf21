import { toAsciiCompatible } from '../engine/cut/encoding';
import type { FeedDocument, RecordFormat } from '../kit/contracts';

const LESS_THAN = 0x3c;
const SPACE = 0x20;

/** One source with two dialects that have the same records: XML or rows. The first byte that is not a blank decides. */
export function xmlOrRows<R>(xml: RecordFormat<R>, rows: Pick<RecordFormat<R>, 'slice' | 'parse'>): RecordFormat<R> {
  return {
    ...xml,
    async *slice(document) {
      yield* ((await startsWithXml(document)) ? xml : rows).slice(document);
    },
    parse: (bytes, context) => (isXml(bytes) === true ? xml : rows).parse(bytes, context),
  };
}

/** An empty file is neither XML nor rows: the XML reader reports it. */
async function startsWithXml(document: FeedDocument): Promise<boolean> {
  for await (const chunk of toAsciiCompatible(document.open())) {
    const found = isXml(chunk);
    if (found !== undefined) return found;
  }
  return true;
}

function isXml(bytes: Buffer): boolean | undefined {
  const ink = bytes.find((byte) => byte > SPACE);
  return ink === undefined ? undefined : ink === LESS_THAN;
}
