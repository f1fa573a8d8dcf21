import type { WarningCode } from '@passerelle/domain';
import type { WarningSink } from '../warning-tally';

type Note = readonly [code: WarningCode, field: string, value: string, count?: number];

/** The warnings about one record. */
export interface RecordWarnings {
  recordId: string | undefined;
  notes: readonly Note[];
}

/** Keeps warnings until their records have their turn. */
export class WarningLog implements WarningSink {
  /** For the records that have any, in their order. */
  readonly records: RecordWarnings[] = [];
  private notes: Note[] = [];

  note(code: WarningCode, field: string, value: string, count = 1): void {
    this.notes.push([code, field, value, count]);
  }

  settle(recordId: string | undefined): void {
    if (this.notes.length === 0) return;
    this.records.push({ recordId, notes: this.notes });
    this.notes = [];
  }
}

/** Hands over what a log has kept. */
export function replay(records: readonly RecordWarnings[], sink: WarningSink): void {
  for (const { recordId, notes } of records) {
    for (const [code, field, value, count] of notes) sink.note(code, field, value, count);
    sink.settle(recordId);
  }
}
