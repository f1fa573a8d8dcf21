import type { RecordOutcome } from '../../contracts';
import type { PreparedRecord } from '../prepared-record';
import type { RecordWarnings } from './warning-log';

/** A record that is to be mapped. All of one batch share one buffer. */
export interface PlacedRecord {
  bytes: Uint8Array;
  line: number;
  position: number;
  hash: string;
}

/** The mapping context of one feed. */
export interface MappingContext {
  crm: string;
  settings: Readonly<Record<string, string>>;
  /** The elements beside the records. */
  feed: Readonly<Record<string, unknown>>;
}

/** Work on records that a thread does at a time. */
export type ThreadWork =
  /** `identifies`: it answers with the record's id ahead of the mapping, which may never end. */
  | { kind: 'map'; records: readonly PlacedRecord[]; identifies: boolean }
  /** Everything but the photos that come as files, which another thread has to find. */
  | { kind: 'prepare'; record: PlacedRecord; identifies: boolean };

/** Messages to a thread. The settings of a reading hold until the next message changes them. */
export type ThreadRequest =
  | { kind: 'context'; reading: number; context: MappingContext }
  | (ThreadWork & { reading: number; batch: number })
  | { kind: 'forget'; reading: number };

/** One outcome for each record of a batch, in its order. On arrival the texts are plain views, not `Buffer`s. */
export interface MappedBatch {
  outcomes: RecordOutcome[];
  warnings: readonly RecordWarnings[];
}

/** A record without its photos that come as files. */
export interface PreparedBatch {
  prepared: PreparedRecord;
  warnings: readonly RecordWarnings[];
}

/** From a thread. */
export type ThreadAnswer =
  | { kind: 'ready'; taskId: number | null }
  | { kind: 'identified'; batch: number; recordId: string | undefined }
  | ({ kind: 'mapped'; batch: number } & MappedBatch)
  | ({ kind: 'prepared'; batch: number } & PreparedBatch);
