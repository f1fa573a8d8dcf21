/** Of the connection: Node's names, and PostgreSQL's for a server that stops, starts, or has no place (class 08, 57P, 53300). */
const AWAY =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[1-5]|53300)$/;
/** The driver's own errors, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;

/** Whether an error says that PostgreSQL cannot be reached, or not now; a statement that it refuses is another matter. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return AWAY.test(error.code);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseAway);
  return 'message' in error && typeof error.message === 'string' && AWAY_MESSAGE.test(error.message);
}
