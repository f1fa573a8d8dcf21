import { parentPort, type Transferable } from 'node:worker_threads';
import type { RecordOutcome } from '../../contracts';
import { loadConnector } from '../../registry';
import { RecordReader, type RecordSlice } from '../record-reader';
import { ownTaskId } from './cpu-clock';
import { WarningLog } from './warning-log';
import type { MappingContext, PlacedRecord, ThreadAnswer, ThreadRequest } from './messages';

// The entry point of a thread of `MappingThreads`.

const readers = new Map<number, RecordReader>();
/** Computes no hashes, because records arrive with their hashes. */
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

function readerOf(reading: number): RecordReader {
  const reader = readers.get(reading);
  if (reader === undefined) throw new Error('records arrived before the context of their mapping');
  return reader;
}

function sliceOf({ bytes, line }: PlacedRecord): RecordSlice {
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), line };
}

function mapBatch(reader: RecordReader, batch: number, records: readonly PlacedRecord[]): void {
  const log = new WarningLog();
  const outcomes = records.map((record) => reader.map(sliceOf(record), record.position, record.hash, log));
  answer({ kind: 'mapped', batch, outcomes, warnings: log.records }, blocksOf(outcomes));
}

function prepare(reader: RecordReader, batch: number, record: PlacedRecord): void {
  const log = new WarningLog();
  const prepared = reader.prepare(sliceOf(record), record.position, { findsSeries: true, warnings: log });
  log.settle(undefined);
  answer({ kind: 'prepared', batch, prepared, warnings: log.records });
}

function identify(reader: RecordReader, batch: number, record: PlacedRecord | undefined): void {
  if (record === undefined) return;
  answer({ kind: 'identified', batch, recordId: reader.shortId(sliceOf(record).bytes) });
}

/**
 * The blocks that contain the texts. They are transferred to the other thread without a copy, and are empty here
 * afterwards.
 */
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
      const reader = readerOf(request.reading);
      if (request.identifies) identify(reader, request.batch, request.records[0]);
      mapBatch(reader, request.batch, request.records);
      break;
    }
    case 'prepare': {
      const reader = readerOf(request.reading);
      if (request.identifies) identify(reader, request.batch, request.record);
      prepare(reader, request.batch, request.record);
    }
  }
});
answer({ kind: 'ready', taskId: ownTaskId() });
