import type { RecordOutcome } from '../../contracts';
import type { RecordWarnings } from './warning-log';

/** A record that is to be mapped. All of one batch share one buffer. */
export interface PlacedRecord {
  bytes: Uint8Array;
  line: number;
  position: number;
  hash: string;
}

/** What the records of one feed are mapped with. */
export interface MappingContext {
  crm: string;
  settings: Readonly<Record<string, string>>;
  /** What stands beside the records. */
  feed: Readonly<Record<string, unknown>>;
}

/** To a thread. What it is told of a reading holds until it is told otherwise. */
export type ThreadRequest =
  | { kind: 'context'; reading: number; context: MappingContext }
  | { kind: 'map'; reading: number; batch: number; records: readonly PlacedRecord[] }
  | { kind: 'forget'; reading: number };

/** One outcome for each record of a batch, in its order. On arrival the texts are plain views, not `Buffer`s. */
export interface MappedBatch {
  outcomes: RecordOutcome[];
  warnings: readonly RecordWarnings[];
}

/** From a thread. */
export type ThreadAnswer = { kind: 'ready' } | ({ kind: 'mapped'; batch: number } & MappedBatch);
