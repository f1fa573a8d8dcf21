/** Node's codes, and PostgreSQL's for a server that stops, starts, or has no free connection (08, 57P, 53300). */
const AWAY =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[1-5]|53300)$/;
/** The driver's own errors, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout)/;

/** Whether an error means that PostgreSQL cannot be reached now; a refused statement does not count. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return AWAY.test(error.code);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseAway);
  return 'message' in error && typeof error.message === 'string' && AWAY_MESSAGE.test(error.message);
}

/** The driver has already waited its full time for a new connection: another attempt would wait as long again. */
const NO_CONNECTION_IN_TIME = /^timeout ex|^Connection terminated due to connection timeout/;

/** Whether an error means that a connection broke or was refused, so that another connection may work immediately. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseAway(error) && !(error instanceof Error && NO_CONNECTION_IN_TIME.test(error.message));
}

/** A standby, or a database that is set to read only. */
const READ_ONLY = '25006';
const DISK_FULL = '53100';
/** How long a refused write counts as a sign of a full disk, because reads do not show a full disk. */
const RECENT_MS = 60_000;

export function isWriteRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === READ_ONLY || code === DISK_FULL;
}

/** Codes of statements that waited too long or conflicted with another statement (57014, class 40). */
const IN_THE_WAY = /^(57014|40\w{3})$/;

/** Whether an error means that the same statement may succeed later. */
export function isForLater(error: unknown): boolean {
  const code = codeOf(error);
  return isDatabaseAway(error) || isWriteRefused(error) || (typeof code === 'string' && IN_THE_WAY.test(code));
}

const INSUFFICIENT_PRIVILEGE = '42501';

export function isForbidden(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

/** Records refused writes, for code that can continue without these writes. */
export class RefusedWrites {
  private listener: (error: unknown) => void = () => undefined;
  private fullAtMs = -Infinity;

  listen(listener: (error: unknown) => void): void {
    this.listener = listener;
  }

  /** Records a refused write. @throws any other error */
  note(error: unknown): void {
    if (!isWriteRefused(error)) throw error;
    if (codeOf(error) === DISK_FULL) this.fullAtMs = performance.now();
    this.listener(error);
  }

  get isDiskFull(): boolean {
    return performance.now() - this.fullAtMs < RECENT_MS;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
