import type { WarningCode } from '@passerelle/domain';
import type { WarningSink } from '../warning-tally';

type Note = readonly [code: WarningCode, field: string, value: string, count?: number];

export interface RecordWarnings {
  recordId: string | undefined;
  notes: readonly Note[];
}

/** Keeps the warnings of records until their outcomes are due. */
export class WarningLog implements WarningSink {
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

export function replay(records: readonly RecordWarnings[], sink: WarningSink): void {
  for (const { recordId, notes } of records) {
    for (const [code, field, value, count] of notes) sink.note(code, field, value, count);
    sink.settle(recordId);
  }
}
