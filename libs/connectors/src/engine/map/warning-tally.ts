import type { Warning, WarningCode } from '@passerelle/domain';

/** The limit of distinct warnings per code: a code whose values never repeat must not crowd out the others. */
const MAX_DISTINCT = 100;
const MAX_EXAMPLES = 3;
const MAX_TEXT_LENGTH = 80;
const REST = '…';
/** Codes whose values are file names, all different: one warning counts them all and shows a few. */
const COUNTED_TOGETHER: ReadonlySet<WarningCode> = new Set(['photo_missing', 'photo_refused', 'photo_invalid']);

/** Receives the warnings of one record after the other. */
export interface WarningSink {
  note(code: WarningCode, field: string, value: string, count?: number): void;
  /** Ends the record. @param recordId its id, where it has one. */
  settle(recordId: string | undefined): void;
}

/** Counts warnings by code, field and value. Beyond the limit, values are counted together as "…". */
export class WarningTally implements WarningSink {
  private readonly byKey = new Map<string, Warning>();
  private readonly distinct = new Map<WarningCode, number>();
  /** Warnings of the current record, because its id is known only at its end. */
  private pending: [WarningCode, string, string, number][] = [];

  note(code: WarningCode, field: string, value: string, count = 1): void {
    this.pending.push([code, shortened(field), shortened(value), count]);
  }

  settle(recordId: string | undefined): void {
    if (this.pending.length === 0) return;
    for (const [code, field, value, count] of this.pending) this.add(code, field, value, count, recordId);
    this.pending = [];
  }

  list(): Warning[] {
    return [...this.byKey.values()];
  }

  private add(code: WarningCode, field: string, value: string, count: number, recordId: string | undefined): void {
    const isTogether = COUNTED_TOGETHER.has(code);
    const warning =
      this.find(code, field, isTogether ? '' : value, MAX_DISTINCT) ??
      this.find(code, field, REST, MAX_DISTINCT * 2) ??
      this.find(code, REST, REST, Infinity);
    if (warning === undefined) return;
    warning.count += count;
    if (isTogether) warning.value = withExample(warning.value, value);
    if (recordId !== undefined && warning.examples.length < MAX_EXAMPLES && !warning.examples.includes(recordId)) {
      warning.examples.push(recordId);
    }
  }

  /** Finds an entry, or creates it when its code has fewer than `limit` entries. */
  private find(code: WarningCode, field: string, value: string, limit: number): Warning | undefined {
    const key = `${code}\n${field}\n${value}`;
    const distinct = this.distinct.get(code) ?? 0;
    const existing = this.byKey.get(key);
    if (existing !== undefined || distinct >= limit) return existing;
    const made: Warning = { code, field, value, count: 0, examples: [] };
    this.byKey.set(key, made);
    this.distinct.set(code, distinct + 1);
    return made;
  }
}

/** `1.jpg, 2.jpg, 3.jpg, …` */
function withExample(values: string, value: string): string {
  const shown = values === '' ? [] : values.split(', ');
  if (value === '' || shown.includes(value) || shown.at(-1) === REST) return values;
  return [...shown, shown.length < MAX_EXAMPLES ? value : REST].join(', ');
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}
