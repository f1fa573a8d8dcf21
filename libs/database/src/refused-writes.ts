import { Injectable } from './injection';

/** A standby, or a database that is set to read only. */
const READ_ONLY = '25006';
const DISK_FULL = '53100';
/** A disk that is full does not say so when it is only read: what was refused a moment ago would be refused now. */
const RECENT_MS = 60_000;

/** Whether an error says that PostgreSQL reads, and takes no writes. */
export function isWriteRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === READ_ONLY || code === DISK_FULL;
}

/** Takes note of writes that PostgreSQL refused, where reading goes on without them. */
@Injectable()
export class RefusedWrites {
  private listener: (error: unknown) => void = () => undefined;
  private fullAtMs = -Infinity;

  /** @param listener is told of every refused write from now on. */
  listen(listener: (error: unknown) => void): void {
    this.listener = listener;
  }

  /** Takes note of an error that is a refused write. @throws any other error */
  note(error: unknown): void {
    if (!isWriteRefused(error)) throw error;
    if (codeOf(error) === DISK_FULL) this.fullAtMs = performance.now();
    this.listener(error);
  }

  /** Whether the disk was full within the last minute. */
  get isDiskFull(): boolean {
    return performance.now() - this.fullAtMs < RECENT_MS;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
