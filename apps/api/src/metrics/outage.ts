import { isDatabaseAway } from '@passerelle/database';
import type { Logger } from 'pino';
import { CountedLine } from './counted-line';

/** The database away: one line and a count, where each request would have its own with the same stack. */
export class Outage {
  private reason = '';
  private readonly line: CountedLine;

  constructor(logger: Logger) {
    this.line = new CountedLine((failures) => {
      logger.error({ reason: this.reason, failures }, 'the database does not answer');
    });
  }

  /** What failed for it since the process started. */
  get count(): number {
    return this.line.total;
  }

  /** Takes note of an error that the outage explains. @returns whether it does */
  covers(error: unknown): boolean {
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
