import type { Warning, WarningCode } from '@passerelle/domain';

const MAX_DISTINCT = 200;
const MAX_EXAMPLES = 3;
const MAX_TEXT_LENGTH = 80;
const REST = '…';

/** Counts warnings by code, field and value. What is too varied to be told apart is counted under the value "…". */
export class WarningTally {
  readonly #byKey = new Map<string, Warning>();
  /** Noticed while a record is being read: its id is only known at the end. */
  #pending: [WarningCode, string, string][] = [];

  /** Notes something about the record that is being read. */
  note(code: WarningCode, field: string, value: string): void {
    this.#pending.push([code, shortened(field), shortened(value)]);
  }

  /** The record was read: what was noted is about this id, where it has one. */
  settle(recordId: string | undefined): void {
    if (this.#pending.length === 0) return;
    for (const [code, field, value] of this.#pending) this.#add(code, field, value, recordId);
    this.#pending = [];
  }

  list(): Warning[] {
    return [...this.#byKey.values()];
  }

  #add(code: WarningCode, field: string, value: string, recordId: string | undefined): void {
    const warning =
      this.#find(code, field, value, MAX_DISTINCT) ??
      this.#find(code, field, REST, MAX_DISTINCT * 2) ??
      this.#find(code, REST, REST, Infinity);
    if (warning === undefined) return;
    warning.count += 1;
    if (recordId !== undefined && warning.examples.length < MAX_EXAMPLES && !warning.examples.includes(recordId)) {
      warning.examples.push(recordId);
    }
  }

  /** The entry, made when there are fewer than `limit`. */
  #find(code: WarningCode, field: string, value: string, limit: number): Warning | undefined {
    const key = `${code}\n${field}\n${value}`;
    const existing = this.#byKey.get(key);
    if (existing !== undefined || this.#byKey.size >= limit) return existing;
    const made: Warning = { code, field, value, count: 0, examples: [] };
    this.#byKey.set(key, made);
    return made;
  }
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}
