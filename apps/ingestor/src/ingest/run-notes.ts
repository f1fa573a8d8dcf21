import type { ClaimedRun, RunNoteStore } from '@passerelle/database';
import type { Rejection, Warning, WarningCode } from '@passerelle/domain';

const BATCH = 200;
/** Rejections beyond this number are counted and not stored: a feed of garbage must not fill the disk. */
const MOST_STORED_REJECTIONS = 10_000;
const EXAMPLES = 3;

/** Notes of a run: rejections, stored in batches while the feed is read, and warnings, counted and stored at the end. */
export class RunNotes {
  rejectedCount = 0;
  warningCount = 0;
  private pending: Rejection[] = [];
  private readonly warnings = new Map<string, Warning>();

  constructor(
    private readonly store: RunNoteStore,
    private readonly run: ClaimedRun,
  ) {}

  async reject(rejection: Rejection): Promise<void> {
    this.rejectedCount += 1;
    if (this.rejectedCount > MOST_STORED_REJECTIONS) return;
    this.pending.push(rejection);
    if (this.pending.length >= BATCH) await this.flushRejections();
  }

  /** Counts one warning about a record. `value` must be one of few values. */
  warn(code: WarningCode, field: string, affId: string, value = ''): void {
    this.warningCount += 1;
    const key = `${code} ${field} ${value}`;
    const warning = this.warnings.get(key) ?? { code, field, value, count: 0, examples: [] };
    warning.count += 1;
    if (warning.examples.length < EXAMPLES) warning.examples.push(affId);
    this.warnings.set(key, warning);
  }

  add(warning: Warning): void {
    this.warningCount += warning.count;
    this.warnings.set(`${warning.code} ${warning.field} ${warning.value}`, warning);
  }

  async flush(): Promise<void> {
    await this.flushRejections();
    if (this.warnings.size > 0) await this.store.addWarnings(this.run, [...this.warnings.values()]);
    this.warnings.clear();
  }

  private async flushRejections(): Promise<void> {
    const rejections = this.pending;
    this.pending = [];
    if (rejections.length > 0) await this.store.addRejections(this.run, rejections);
  }
}
