import { isDatabaseAway, isWriteRefused } from '@passerelle/database';
import type { Logger } from 'pino';
import { CountedLine } from '@passerelle/limits';

/** The database away, or read-only: one line and a count, where each request would have its own with the same stack. */
export class Outage {
  private reason = '';
  private refusal = '';
  private readonly line: CountedLine;
  private readonly refusals: CountedLine;

  constructor(logger: Logger) {
    this.line = new CountedLine((failures) => {
      logger.error({ reason: this.reason, failures }, 'the database does not answer');
    });
    this.refusals = new CountedLine((failures) => {
      logger.error({ reason: this.refusal, failures }, 'the database is read-only');
    });
  }

  /** What failed for it since the process started. */
  get count(): number {
    return this.line.total;
  }

  /** Writes that it refused since the process started. */
  get refusedWrites(): number {
    return this.refusals.total;
  }

  /** Takes note of an error that the outage explains. @returns whether it does */
  covers(error: unknown): boolean {
    if (isWriteRefused(error)) {
      this.refusal = reasonOf(error);
      this.refusals.note();
      return true;
    }
    if (!isDatabaseAway(error)) return false;
    this.reason = reasonOf(error);
    this.line.note();
    return true;
  }
}

/** Each address that was tried has an error of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
