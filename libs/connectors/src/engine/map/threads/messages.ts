import type { RecordOutcome } from '../../contracts';
import type { PreparedRecord } from '../prepared-record';
import type { RecordWarnings } from './warning-log';

/** A record that is to be mapped. All records of a batch share one buffer. */
export interface PlacedRecord {
  bytes: Uint8Array;
  line: number;
  position: number;
  hash: string;
}

export interface MappingContext {
  crm: string;
  settings: Readonly<Record<string, string>>;
  /** The elements beside the records. */
  feed: Readonly<Record<string, unknown>>;
}

export type ThreadWork =
  /** `identifies`: the thread sends the record's id before it maps the record, because the mapping may never end. */
  | { kind: 'map'; records: readonly PlacedRecord[]; identifies: boolean }
  /** Maps everything except the photo files, which another thread must find. */
  | { kind: 'prepare'; record: PlacedRecord; identifies: boolean };

/** Messages to a thread. The context of a reading is valid until its next context message. */
export type ThreadRequest =
  | { kind: 'context'; reading: number; context: MappingContext }
  | (ThreadWork & { reading: number; batch: number })
  | { kind: 'forget'; reading: number };

/** One outcome per record of a batch, in order. After the transfer the texts are plain views, not `Buffer`s. */
export interface MappedBatch {
  outcomes: RecordOutcome[];
  warnings: readonly RecordWarnings[];
}

export interface PreparedBatch {
  prepared: PreparedRecord;
  warnings: readonly RecordWarnings[];
}

/** Messages from a thread. */
export type ThreadAnswer =
  | { kind: 'ready'; taskId: number | null }
  | { kind: 'identified'; batch: number; recordId: string | undefined }
  | ({ kind: 'mapped'; batch: number } & MappedBatch)
  | ({ kind: 'prepared'; batch: number } & PreparedBatch);
