import { parentPort, type Transferable } from 'node:worker_threads';
import type { RecordOutcome } from '../../contracts';
import { loadConnector } from '../../registry';
import { RecordReader } from '../record-reader';
import { WarningLog } from './warning-log';
import type { MappingContext, PlacedRecord, ThreadAnswer, ThreadRequest } from './messages';

// What a thread of `MappingThreads` runs.

const readers = new Map<number, RecordReader>();
/** Records come with theirs. */
const NO_HASHES = {
  setContext: () => undefined,
  hashOf: () => '',
};

function answer(message: ThreadAnswer, transfer: readonly Transferable[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function readerFor({ crm, settings, feed }: MappingContext): RecordReader {
  const reader = new RecordReader(loadConnector(crm), settings, NO_HASHES, () => false, new WarningLog());
  for (const [name, value] of Object.entries(feed)) reader.setContext(name, value);
  return reader;
}

function mapBatch(reader: RecordReader, batch: number, records: readonly PlacedRecord[]): void {
  const log = new WarningLog();
  const outcomes = records.map(({ bytes, line, position, hash }) => {
    const slice = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), line };
    return reader.map(slice, position, hash, log);
  });
  answer({ kind: 'mapped', batch, outcomes, warnings: log.records }, blocksOf(outcomes));
}

/** The memory that the texts are in. It goes to the other thread without being copied, and is empty here then. */
function blocksOf(outcomes: readonly RecordOutcome[]): ArrayBuffer[] {
  const blocks = new Set<ArrayBufferLike>();
  for (const outcome of outcomes) if (outcome.kind === 'listing') blocks.add(outcome.normalized.buffer);
  return [...blocks].filter((block) => block instanceof ArrayBuffer);
}

parentPort?.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'context':
      readers.set(request.reading, readerFor(request.context));
      break;
    case 'forget':
      readers.delete(request.reading);
      break;
    case 'map': {
      const reader = readers.get(request.reading);
      if (reader === undefined) throw new Error('records came ahead of what they are mapped with');
      mapBatch(reader, request.batch, request.records);
    }
  }
});
answer({ kind: 'ready' });
