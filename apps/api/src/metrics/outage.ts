import { isDatabaseAway, isWriteRefused } from '@passerelle/database';
import type { Logger } from 'pino';
import { ThrottledLogger } from '@passerelle/limits';

/** An unavailable or read-only database: one log line and a count, instead of the same stack trace for each request. */
export class Outage {
  private reason = '';
  private refusal = '';
  private readonly line: ThrottledLogger;
  private readonly refusals: ThrottledLogger;

  constructor(logger: Logger) {
    this.line = new ThrottledLogger((failures) => {
      logger.error({ reason: this.reason, failures }, 'the database does not answer');
    });
    this.refusals = new ThrottledLogger((failures) => {
      logger.error({ reason: this.refusal, failures }, 'the database is read-only');
    });
  }

  /** Requests that failed because of the outage, since the process started. */
  get count(): number {
    return this.line.total;
  }

  get refusedWrites(): number {
    return this.refusals.total;
  }

  /** Notes an error of the outage. @returns whether the outage explains the error */
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

/** An error with several attempts has a separate error for each address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
